import CCurl
import HTTPClient

/// A request's header lines for libcurl, which keeps no copy, so they live as long as the transfer.
struct RequestFields: ~Copyable {
  let list: UnsafeMutablePointer<curl_slist>

  init(_ request: HTTPRequest) throws(HTTPError) {
    try request.check()
    // An empty `Expect:` saves the second that libcurl waits for a server that does not support
    // 100-continue. The other two keep libcurl from adding its own fields.
    var built = try Self.appending("Expect:", to: nil)
    if !request.has("Accept") { built = try Self.appending("Accept:", to: built) }
    if request.method.sendsBody, !request.has("Content-Type") {
      built = try Self.appending("Content-Type:", to: built)
    }
    if request.closesConnection { built = try Self.appending("Connection: close", to: built) }
    for field in request.headers where !field.name.caseInsensitiveEqual("Content-Length") {
      built = try Self.appending(field, to: built)
    }
    list = built
  }

  /// The list with a field's line, which is put together without a string in between: libcurl makes
  /// a copy.
  private static func appending(
    _ field: HTTPField, to list: UnsafeMutablePointer<curl_slist>?
  ) throws(HTTPError) -> UnsafeMutablePointer<curl_slist> {
    let (name, value) = (field.name.utf8, field.value.utf8)
    let longer = withUnsafeTemporaryAllocation(
      byteCount: name.count + value.count + 3, alignment: 1
    ) { bytes -> UnsafeMutablePointer<curl_slist>? in
      bytes.copyBytes(from: name)
      var end = name.count
      // For an empty field, libcurl expects a semicolon; with a colon it would drop the field.
      for byte in (value.isEmpty ? ";" : ": ").utf8 {
        bytes[end] = byte
        end += 1
      }
      UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyBytes(from: value)
      bytes[end + value.count] = 0
      guard let line = bytes.bindMemory(to: CChar.self).baseAddress else { return nil }
      return curl_slist_append(list, line)
    }
    return try Self.kept(longer, list)
  }

  /// The list with one more line. Frees the list if there is no memory.
  private static func appending(
    _ line: String, to list: UnsafeMutablePointer<curl_slist>?
  ) throws(HTTPError) -> UnsafeMutablePointer<curl_slist> {
    try kept(curl_slist_append(list, line), list)
  }

  private static func kept(
    _ longer: UnsafeMutablePointer<curl_slist>?, _ list: UnsafeMutablePointer<curl_slist>?
  ) throws(HTTPError) -> UnsafeMutablePointer<curl_slist> {
    guard let longer else {
      curl_slist_free_all(list)
      throw HTTPError(.internal, "no memory for the request's header", mayHaveBeenApplied: false)
    }
    return longer
  }

  deinit { curl_slist_free_all(list) }
}

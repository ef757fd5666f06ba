/// A complete response.
package struct HTTPResponse: Sendable {
  package let status: Int
  /// Without those of 1xx responses.
  package let fields: HeaderFields
  package let body: [UInt8]
  /// How often the request was sent. It is 2 if libcurl repeated it on a new connection; the answer
  /// to a write may then be a consequence of its own first send.
  package let sends: Int

  package init(status: Int, fields: HeaderFields, body: [UInt8], sends: Int = 1) {
    (self.status, self.fields, self.body, self.sends) = (status, fields, body, sends)
  }

  package init(status: Int, headers: [HTTPField], body: [UInt8], sends: Int = 1) {
    self.init(status: status, fields: HeaderFields(headers), body: body, sends: sends)
  }

  /// In the order received, with names as the server spelled them.
  package var headers: [HTTPField] { fields.all }

  /// The first value of a header. The case of the name is ignored.
  package func header(_ name: String) -> String? { fields[name] }

  /// The server's clock, in seconds since 1970: its `Date`.
  package var date: Int? { header("date").flatMap(ServerTime.http) }

  /// How long the server asks to wait, in seconds: a number, or a date by the server's clock.
  package var retryAfter: Int? {
    guard let text = header("retry-after") else { return nil }
    if let seconds = Int(text) { return max(0, seconds) }
    guard let date, let until = ServerTime.http(text) else { return nil }
    return max(0, until - date)
  }
}

/// What a server says, as it may stand in a message: cut, and printable ASCII alone.
package enum ShownBytes {
  /// - Parameter limit: the most bytes that are shown.
  package static func text(_ bytes: [UInt8], limit: Int) -> String {
    let printable = bytes.prefix(limit).map { byte in
      (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") ? byte : UInt8(ascii: " ")
    }
    let text = String(decoding: printable, as: UTF8.self)
      .split(separator: " ").joined(separator: " ")
    return bytes.count > limit ? text + "..." : text
  }
}

/// The headers of a canonical request: names in lower case and sorted, values trimmed, those of
/// one name joined by commas in the order given.
struct CanonicalHeaders {
  private let sorted: [(name: String, value: String)]

  /// Leaves out what proxies may add or change.
  ///
  /// - Parameter added: what the signature adds, with names in lower case. With it, headers that
  ///   an earlier signature has added are left out.
  init(
    _ headers: [(name: String, value: String)], adding added: [(name: String, value: String)] = []
  ) {
    var named: [(name: String, value: String)] = []
    named.reserveCapacity(headers.count + added.count)
    for header in headers {
      let name = Self.lowercase(header.name)
      if !Self.unsigned.contains(name), added.isEmpty || !Self.addedBySigning(name) {
        named.append((name, header.value))
      }
    }
    named += added
    // An insertion sort: stable, as repeated names need, and quickest for a handful.
    for i in named.indices.dropFirst() {
      var j = i
      // By the bytes of UTF-8, which is how String compares ASCII.
      while j > 0, named[j].name < named[j - 1].name {
        named.swapAt(j, j - 1)
        j -= 1
      }
    }
    sorted = named
  }

  /// Appends `name:value` lines, each with its newline.
  func appendLines(to bytes: inout [UInt8]) {
    for (i, header) in sorted.enumerated() {
      if i > 0, sorted[i - 1].name == header.name {
        bytes[bytes.count - 1] = UInt8(ascii: ",")
      } else {
        bytes.append(contentsOf: header.name.utf8)
        bytes.append(UInt8(ascii: ":"))
      }
      Self.appendTrimmed(header.value, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  /// The names, each once, joined by `;`.
  var names: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128)
    for (i, header) in sorted.enumerated() where i == 0 || sorted[i - 1].name != header.name {
      if i > 0 { bytes.append(UInt8(ascii: ";")) }
      bytes.append(contentsOf: header.name.utf8)
    }
    return bytes
  }

  /// Without space at either end, and with each run of space as one.
  private static func appendTrimmed(_ value: String, to bytes: inout [UInt8]) {
    guard value.utf8.contains(where: isSpace) else {
      return bytes.append(contentsOf: value.utf8)
    }
    let start = bytes.count
    var pendingSpace = false
    for byte in value.utf8 {
      if isSpace(byte) {
        pendingSpace = bytes.count > start
      } else {
        if pendingSpace { bytes.append(0x20) }
        pendingSpace = false
        bytes.append(byte)
      }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func addedBySigning(_ name: String) -> Bool {
    name == "x-amz-date" || name == "x-amz-content-sha256" || name == "x-amz-security-token"
  }

  private static func lowercase(_ name: String) -> String {
    guard name.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return name }
    return String(
      decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// What may differ on arrival, and so is signed by no AWS client.
  private static let unsigned: Set<String> = [
    "authorization", "baggage", "connection", "expect", "keep-alive", "proxy-authenticate",
    "proxy-authorization", "te", "traceparent", "tracestate", "trailer", "transfer-encoding",
    "upgrade", "user-agent", "x-amzn-trace-id",
  ]
}

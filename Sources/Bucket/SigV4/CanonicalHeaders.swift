/// The headers of a canonical request: names in lower case and sorted, values trimmed, those of
/// one name joined by commas in the order given.
struct CanonicalHeaders {
  private let sorted: [(name: String, value: String)]

  /// Leaves out headers that proxies may add or change.
  ///
  /// - Parameter added: the headers that the signature adds, with names in lower case. If the
  ///   request already has them from an earlier signature, those are left out.
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
    // An insertion sort: it is stable, which repeated names need, and fastest for a few elements.
    for i in named.indices.dropFirst() {
      var j = i
      // Compares UTF-8 bytes, which is how String compares ASCII.
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

  /// Removes whitespace at both ends, and reduces each run of whitespace to one space.
  private static func appendTrimmed(_ value: String, to bytes: inout [UInt8]) {
    // Most values have none: they are copied in one step and looked at where they then stand.
    let start = bytes.count
    bytes.append(contentsOf: value.utf8)
    guard (start..<bytes.count).contains(where: { isSpace(bytes[$0]) }) else { return }
    bytes.removeLast(bytes.count - start)
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

  /// Headers that may change before they arrive, so AWS clients do not sign them.
  private static let unsigned: Set<String> = [
    "authorization", "baggage", "connection", "expect", "keep-alive", "proxy-authenticate",
    "proxy-authorization", "te", "traceparent", "tracestate", "trailer", "transfer-encoding",
    "upgrade", "user-agent", "x-amzn-trace-id",
  ]
}

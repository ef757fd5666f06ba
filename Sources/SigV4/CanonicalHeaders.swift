/// The headers of a canonical request: names in lower case and sorted, values trimmed, those of
/// one name joined by commas in the order given.
struct CanonicalHeaders {
  private let sorted: [(name: String, value: String)]

  /// Leaves out what `excluded` names, and what proxies may add or change.
  init(_ headers: [(name: String, value: String)], excluded: (String) -> Bool = { _ in false }) {
    var named: [(name: String, value: String)] = []
    named.reserveCapacity(headers.count)
    for header in headers {
      let name = Self.lowercase(header.name)
      if !Self.unsigned.contains(name), !excluded(name) { named.append((name, header.value)) }
    }
    self.init(lowercased: named)
  }

  private init(lowercased headers: [(name: String, value: String)]) {
    // An insertion sort: stable, as repeated names need, and quickest for a handful.
    var sorted = headers
    for i in sorted.indices.dropFirst() {
      var j = i
      while j > 0, sorted[j].name.utf8.lexicographicallyPrecedes(sorted[j - 1].name.utf8) {
        sorted.swapAt(j, j - 1)
        j -= 1
      }
    }
    self.sorted = sorted
  }

  /// These and some more, whose names are in lower case.
  func adding(_ more: [(name: String, value: String)]) -> CanonicalHeaders {
    CanonicalHeaders(lowercased: sorted + more)
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

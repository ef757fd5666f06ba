import HTTPClient

/// The canonical query: names and values encoded, sorted by name and then by value, joined by `&`.
enum CanonicalQuery {
  static func append(_ query: [(name: String, value: String?)], to bytes: inout [UInt8]) {
    guard !query.isEmpty else { return }
    var pairs = query.map { name, value in
      (name: PercentCoding.encode(name), value: PercentCoding.encode(value ?? ""))
    }
    // Encoded text is ASCII, so String compares its bytes.
    if pairs.count > 1 { pairs.sort { ($0.name, $0.value) < ($1.name, $1.value) } }
    for (i, pair) in pairs.enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: "&")) }
      bytes.append(contentsOf: pair.name.utf8)
      bytes.append(UInt8(ascii: "="))
      bytes.append(contentsOf: pair.value.utf8)
    }
  }
}

/// An address in dotted decimal.
struct IPv4Address: Hashable, Sendable {
  let octets: [UInt8]

  /// Nil for anything but four numbers from 0 to 255 without needless zeros.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var octets: [UInt8] = []
    for part in parts {
      guard (1...3).contains(part.utf8.count),
        part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        part.utf8.count == 1 || part.utf8.first != 0x30, let octet = UInt8(part)
      else { return nil }
      octets.append(octet)
    }
    self.octets = octets
  }

  var isLoopback: Bool { octets.first == 127 }
}

import Foundation

/// An address of the internet as its bytes: 4, or 16. One of IPv4 that a socket for both shows as one of
/// IPv6 is the former. Pure.
struct InternetAddress: Hashable, Sendable {
  let bytes: [UInt8]

  init?(_ text: String) {
    var (short, long) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, text, &short) == 1 {
      bytes = withUnsafeBytes(of: short) { Array($0) }
    } else if inet_pton(AF_INET6, text, &long) == 1 {
      let all = withUnsafeBytes(of: long) { Array($0) }
      bytes = all.starts(with: Self.mapped) ? all.suffix(4) : all
    } else {
      return nil
    }
  }

  private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
}

/// One address, or those of a network: `192.168.7.2`, `172.16.0.0/12`. Pure.
package struct AddressRange: Hashable, Sendable {
  private let first: InternetAddress
  private let bits: Int

  /// Where requests of the server's own machine come from.
  static let thisMachine = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }

  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = InternetAddress(String(parts[0])) else { return nil }
    let most = first.bytes.count * 8
    guard let bits = parts.count == 1 ? most : Int(parts[1]), (0...most).contains(bits) else {
      return nil
    }
    (self.first, self.bits) = (first, bits)
  }

  func contains(_ address: InternetAddress) -> Bool {
    address.bytes.count == first.bytes.count
      && first.bytes.indices.allSatisfy { index in
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(8, max(0, bits - 8 * index)))
        return (address.bytes[index] ^ first.bytes[index]) & mask == 0
      }
  }
}

extension [AddressRange] {
  /// - Parameter peer: the address that a request comes from; nil where it has none.
  func contain(_ peer: String?) -> Bool {
    guard let address = peer.flatMap(InternetAddress.init) else { return false }
    return contains { $0.contains(address) }
  }
}

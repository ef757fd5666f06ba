import Foundation

/// The server as its client calls it, such as `https://health.home:8443`; where agents sign in, also
/// the name of the issuer of their tokens (R63). Pure.
struct ServerOrigin: Hashable, Sendable {
  let text: String

  /// What tokens of agents are for (RFC 8707).
  var resource: String { text + "/mcp" }
  /// Where agents learn how to get a token (RFC 9728).
  var resourceMetadata: String { text + "/.well-known/oauth-protected-resource/mcp" }

  /// Nil unless others can't read what is sent: it comes over https, of the server's own or of a proxy
  /// that says so, or from this machine.
  ///
  /// - Parameters:
  ///   - host: what the client calls the server, with a port if that is not the usual one.
  ///   - isSecure: whether the client speaks https.
  ///   - peer: the address that the request comes from.
  init?(host: String, isSecure: Bool, peer: String?) {
    let host = host.lowercased()
    guard let (name, port) = Self.parts(host) else { return nil }
    guard isSecure || Self.isLoopback(name) && AddressRange.thisMachine.contain(peer) else {
      return nil
    }
    let usual = isSecure ? "443" : "80"
    let end = port == usual ? "" : port.map { ":\($0)" } ?? ""
    text = (isSecure ? "https://" : "http://") + name + end
  }

  /// Whether a client that names this resource means that of this server. Its query only says how tools
  /// are named.
  func isResource(_ text: String) -> Bool {
    let bare = text.prefix { $0 != "?" }
    let path = bare.hasSuffix("/") ? bare.dropLast() : bare
    guard let end = path.firstRange(of: "://") else { return false }
    let start = path[end.upperBound...].firstIndex(of: "/") ?? path.endIndex
    return path[..<start].lowercased() + path[start...] == resource
  }

  /// A host in lower case, and its port; nil if it is not one.
  static func parts(_ authority: String) -> (host: String, port: String?)? {
    var (host, port) = (authority, String?.none)
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = String(authority[...end])
      let rest = authority[authority.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      port = rest.isEmpty ? nil : String(rest.dropFirst())
      guard host.dropFirst().dropLast().utf8.allSatisfy({ $0 == 0x3A || Self.isHexDigit($0) })
      else { return nil }
    } else {
      if let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")) {
        (host, port) = (
          String(authority[..<colon]), String(authority[authority.utf8.index(after: colon)...])
        )
      }
      guard !host.isEmpty, host.utf8.allSatisfy(Self.isNameByte) else { return nil }
    }
    if let port {
      guard port.utf8.count <= 5, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(port), (1...65_535).contains(number)
      else { return nil }
    }
    return (host, port)
  }

  static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "127.0.0.1" || host == "[::1]"
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x61...0x66).contains(byte) || (0x30...0x39).contains(byte)
  }
}

/// Where a server listens: `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// A name or an address, without brackets.
  package let host: String
  /// 0 for any free one.
  package let port: Int

  package init(host: String, port: Int) { (self.host, self.port) = (host, port) }

  package init?(_ text: String) {
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
      let port = Int(String(text[text.index(after: colon)...])), (0...65_535).contains(port)
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.unicodeScalars.contains(":") {
      return nil
    }
    guard !host.isEmpty else { return nil }
    self.init(host: String(host), port: port)
  }

  /// Whether only this machine reaches it.
  package var isLoopback: Bool {
    host == "localhost" || host == "::1"
      || host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
  }

  package var description: String {
    host.unicodeScalars.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

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

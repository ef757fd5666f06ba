package import ObjectStore

/// A server: scheme, host, port and an optional base path.
package struct S3Endpoint: Hashable, Sendable {
  package enum Scheme: String, Hashable, Sendable {
    case http, https
  }

  package let scheme: Scheme
  /// A name or address in lower case; an IPv6 address is in brackets.
  package let host: String
  /// Nil for the scheme's default port.
  package let port: Int?
  /// Decoded. Empty, or begins with `/` and does not end with one.
  package let basePath: String

  package init(scheme: Scheme, host: String, port: Int? = nil, basePath: String = "") {
    self.scheme = scheme
    self.host = host
    self.port = port == (scheme == .http ? 80 : 443) ? nil : port
    self.basePath = basePath
  }

  /// The value of the `Host` header, with the port only if it is not the scheme's default.
  package var authority: String { port.map { "\(host):\($0)" } ?? host }

  /// AWS's own endpoint of a service in a region.
  package static func aws(region: String) -> S3Endpoint {
    let suffix = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    return S3Endpoint(scheme: .https, host: "s3.\(region).\(suffix)")
  }
}

extension S3Endpoint: CustomStringConvertible {
  package var description: String { "\(scheme.rawValue)://\(authority)\(basePath)" }
}

extension S3Endpoint {
  /// Parses `https://host:port/base`. `origin` names the setting in errors, which never quote the
  /// URL because it may hold a password.
  package init(parsing url: String, origin: String) throws(StoreError) {
    guard let (scheme, rest) = Self.scheme(of: url) else {
      throw StoreError(
        .invalidRequest, "the endpoint of \(origin) has no scheme",
        remedy: "write https:// before the host")
    }
    guard !rest.unicodeScalars.contains("@") else {
      throw StoreError(
        .invalidRequest, "the endpoint of \(origin) holds a user or password",
        remedy: "leave them out, and give keys as AWS tools take them")
    }
    guard !rest.unicodeScalars.contains("?"), !rest.unicodeScalars.contains("#") else {
      throw StoreError(
        .invalidRequest, "the endpoint of \(origin) holds a query or fragment",
        remedy: "leave it out")
    }
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    guard let (host, port) = Self.authority(rest[..<slash]) else {
      throw StoreError(
        .invalidRequest, "the endpoint of \(origin) has no valid host and port",
        remedy: "write it as https://host or https://host:port")
    }
    var path = rest[slash...]
    while path.hasSuffix("/") { path = path.dropLast() }
    guard path.utf8.allSatisfy(Self.isPathByte), path.firstRange(of: "//") == nil,
      !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
    else {
      throw StoreError(
        .invalidRequest, "the path in the endpoint of \(origin) holds what a base path may not",
        remedy: "use letters, digits and - . _ ~ between single slashes")
    }
    self.init(scheme: scheme, host: host, port: port, basePath: String(path))
  }

  private static func scheme(of url: String) -> (Scheme, Substring)? {
    guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://"),
      let scheme = Scheme(rawValue: url[..<colon].lowercased())
    else { return nil }
    return (scheme, url[url.index(colon, offsetBy: 3)...])
  }

  private static func authority(_ text: Substring) -> (host: String, port: Int?)? {
    var host = text
    var port: Int?
    let afterAddress = text.lastIndex(of: "]") ?? text.startIndex
    if let colon = text[afterAddress...].lastIndex(of: ":") {
      let digits = text[text.index(after: colon)...]
      guard (1...5).contains(digits.utf8.count),
        digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
        (1...65535).contains(number)
      else { return nil }
      (host, port) = (text[..<colon], number)
    }
    if host.hasPrefix("[") {
      guard host.hasSuffix("]"), host.utf8.count > 3,
        host.dropFirst().dropLast().utf8.allSatisfy(isAddressByte)
      else { return nil }
    } else {
      let labels = host.split(separator: ".", omittingEmptySubsequences: false)
      guard host.utf8.count <= 253, labels.allSatisfy(isLabel) else { return nil }
    }
    return (host.lowercased(), port)
  }

  /// Letters, digits, `-` and `_`, which some container networks use.
  private static func isLabel(_ label: Substring) -> Bool {
    (1...63).contains(label.utf8.count) && label.utf8.first != 0x2D && label.utf8.last != 0x2D
      && label.utf8.allSatisfy { isPathByte($0) && ![0x2E, 0x2F, 0x7E].contains($0) }
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3A, 0x41...0x46, 0x61...0x66, 0x2E: true  // 0-9 : A-F a-f .
    default: false
    }
  }

  private static func isPathByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x2D, 0x2E, 0x2F, 0x5F, 0x7E: true  // - . / _ ~
    default: false
    }
  }

  /// True for this machine: `localhost`, 127.0.0.0/8 and ::1.
  package var isLoopback: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
      || IPv4Address(host)?.isLoopback == true
  }
}

/// An IPv4 address in dotted decimal.
package struct IPv4Address: Hashable, Sendable {
  let octets: [UInt8]

  /// Nil for anything except four numbers from 0 to 255 without leading zeros.
  package init?(_ text: String) {
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

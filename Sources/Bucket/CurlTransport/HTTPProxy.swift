import Foundation
import HTTPClient

/// The proxy that the environment configures for a URL, found in the same way as libcurl does.
extension HTTPProxy {
  /// The proxy for requests to an http or https URL; nil if they go directly to the server.
  static func chosen(
    for url: String, _ variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }
  ) -> HTTPProxy? {
    guard let target = try? RequestTarget(url), !target.isLoopback else { return nil }
    // An empty variable counts as unset. HTTP_PROXY in capitals is ignored, because a web server
    // sets it from a request header.
    func value(_ names: [String]) -> (name: String, value: String)? {
      names.compactMap { name in
        variable(name).flatMap { $0.isEmpty ? nil : (name, $0) }
      }.first
    }
    if let exceptions = value(["no_proxy", "NO_PROXY"]),
      ProxyExceptions(exceptions.value).contains(target.host)
    {
      return nil
    }
    let names = target.isTLS ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    guard let found = value(names + ["all_proxy", "ALL_PROXY"]) else { return nil }
    return HTTPProxy(variable: found.name, address: shown(found.value))
  }

  /// A proxy's value without user information; nil if it can't be parsed completely.
  private static func shown(_ value: String) -> String? {
    let parts = value.firstRange(of: "://")
    let scheme = parts.map { String(value[..<$0.lowerBound]).lowercased() } ?? "http"
    let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
    guard schemes.contains(scheme) else { return nil }
    var authority = parts.map { value[$0.upperBound...] } ?? value[...]
    if authority.hasSuffix("/") { authority = authority.dropLast() }
    if let at = authority.lastIndex(of: "@") {
      // A secret that is not encoded may end the address early and then look like a host.
      let user = authority[..<at]
      guard !user.contains(where: { "/?#@ ".contains($0) }) else { return nil }
      authority = authority[authority.index(after: at)...]
    }
    let isHost = authority.utf8.allSatisfy { byte in
      (0x30...0x3A).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || [0x2D, 0x2E, 0x5B, 0x5D, 0x5F].contains(byte)
    }
    return isHost && !authority.isEmpty ? "\(scheme)://\(authority)" : nil
  }
}

/// `NO_PROXY`: hosts, domains and networks that are reached without a proxy.
struct ProxyExceptions {
  private let entries: [Substring]

  init(_ text: String) {
    entries = text.split { $0 == "," || $0 == " " || $0 == "\t" }
  }

  func contains(_ host: String) -> Bool {
    let host = Self.name(host[...])
    // As in libcurl, the star must stand alone.
    if entries == ["*"] { return true }
    let address = Self.address(host)
    return entries.contains { entry in
      if let address {
        let parts = entry.split(separator: "/", maxSplits: 1)
        guard let network = parts.first.flatMap({ Self.address(Self.name($0)) }),
          network.count == address.count
        else { return false }
        let bits = parts.count == 2 ? Int(parts[1]) ?? -1 : network.count * 8
        return Self.agree(network, address, bits: bits)
      }
      let domain = Self.name(entry.hasPrefix(".") ? entry.dropFirst() : entry)
      return !domain.isEmpty && (host == domain || host.hasSuffix("." + domain))
    }
  }

  /// In lower case, without brackets and without the root's dot.
  private static func name(_ text: Substring) -> String {
    var text = text.lowercased()
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  /// The bytes of an IPv4 or IPv6 address.
  private static func address(_ text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
    return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
  }

  private static func agree(_ a: [UInt8], _ b: [UInt8], bits: Int) -> Bool {
    guard (0...a.count * 8).contains(bits) else { return false }
    return (0..<bits).allSatisfy { bit in
      (a[bit / 8] ^ b[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
    }
  }
}

/// Hides names and passwords in text from libcurl, such as the address of a proxy that could not be
/// used.
struct UserInformation {
  /// The proxies' addresses in the environment, and the parts of them that may be secret.
  private let known: [[UInt8]]

  /// - Parameter values: the values of the variables that configure proxies.
  init(_ values: [[UInt8]] = Self.variables.compactMap(Self.value)) {
    var known: [[UInt8]] = []
    for value in values {
      guard let at = value.lastIndex(of: UInt8(ascii: "@")) else { continue }
      var user = value[..<at]
      if let slashes = Self.first(Array("://".utf8), in: value), slashes < at {
        user = value[(slashes + 3)..<at]
      }
      // libcurl may show only a part: what it takes for a host or a port, possibly decoded.
      let parts = user.split { ":/?#@".utf8.contains($0) }.map(Array.init)
      known += [value, Array(user)] + parts + ([Array(user)] + parts).compactMap(Self.decoded)
    }
    self.known = known.filter { $0.count >= 4 }.sorted { $0.count > $1.count }
  }

  /// The text without them.
  func hidden(in text: [UInt8]) -> [UInt8] {
    var text = text
    for secret in known {
      text = Self.replacing(secret, in: text)
      // libcurl truncates long texts, so the beginning of a secret may be at their end.
      let length = (4..<secret.count).last {
        text.count >= $0 && text.suffix($0) == secret.prefix($0)
      }
      if let length { text.replaceSubrange((text.count - length)..., with: Self.mark) }
    }
    return text.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: " ") }
      .map(Self.withoutUser).reduce(into: [UInt8]()) { line, word in
        line += (line.isEmpty ? [] : [UInt8(ascii: " ")]) + word
      }
  }

  /// A word without the part before its last `@`. A scheme and an opening quote stay.
  private static func withoutUser(_ word: ArraySlice<UInt8>) -> [UInt8] {
    guard let at = word.lastIndex(of: UInt8(ascii: "@")), at > word.startIndex else {
      return Array(word)
    }
    let start = first(Array("://".utf8), in: Array(word)).map { word.startIndex + $0 + 3 }
    guard let start, start <= at else { return mark + word[at...] }
    return Array(word[..<start]) + mark + word[at...]
  }

  private static let mark = Array("(hidden)".utf8)
  private static let variables = [
    "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
  ]

  private static func value(_ variable: String) -> [UInt8]? {
    getenv(variable).map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  private static func replacing(_ secret: [UInt8], in text: [UInt8]) -> [UInt8] {
    var (done, rest) = ([UInt8](), text)
    while let start = first(secret, in: rest) {
      done += rest[..<start] + mark
      rest = Array(rest[(start + secret.count)...])
    }
    return done + rest
  }

  private static func first(_ part: [UInt8], in text: [UInt8]) -> Int? {
    guard text.count >= part.count else { return nil }
    return (0...(text.count - part.count)).first { text[$0...].starts(with: part) }
  }

  /// `%XX` decoded; nil where there is none.
  private static func decoded(_ text: [UInt8]) -> [UInt8]? {
    guard text.contains(UInt8(ascii: "%")) else { return nil }
    var (bytes, rest) = ([UInt8](), text[...])
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}

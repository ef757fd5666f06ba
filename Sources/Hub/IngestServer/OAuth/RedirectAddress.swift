/// Where a program wants the person's browser to be sent with a code (R63). Pure.
///
/// It is `https`, or plain `http` to the person's own machine, or a scheme of a program on it
/// (RFC 8252).
struct RedirectAddress: Hashable, Sendable {
  /// The most bytes of one.
  static let maximumBytes = 512

  let text: String
  /// As a person reads where that is.
  let place: String
  /// What the policy of a page names, so that its form may lead there.
  let source: String
  /// What must be the same: everything, but the port of a program on the person's machine, which may
  /// be another each time.
  private let compared: String

  /// Nil for anything that a browser must not be sent to.
  init?(_ text: String) {
    guard (1...Self.maximumBytes).contains(text.utf8.count), text.utf8.allSatisfy(Self.isByte),
      let colon = text.firstIndex(of: ":")
    else { return nil }
    let scheme = text[..<colon]
    let rest = text[text.index(after: colon)...]
    self.text = text
    switch scheme {
    case "https", "http":
      guard rest.hasPrefix("//") else { return nil }
      let start = rest.dropFirst(2).startIndex
      let end = rest[start...].firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
      guard let (host, port) = ServerOrigin.parts(String(rest[start..<end])) else { return nil }
      let isHere = ServerOrigin.isLoopback(host)
      guard scheme == "https" || isHere else { return nil }
      place = isHere ? "a program on your own device" : host
      // A policy can't name an address of IPv6.
      source =
        host.hasPrefix("[") ? "\(scheme):" : "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "")
      compared = isHere ? "\(scheme)://\(host)\(rest[end...])" : text
    default:
      guard let first = scheme.utf8.first, (0x61...0x7A).contains(first),
        scheme.utf8.allSatisfy(Self.isSchemeByte), !rest.isEmpty,
        scheme.utf8.contains(UInt8(ascii: "."))
          || (rest.hasPrefix("//") && ProgramScheme.isTaken(String(scheme)))
      else { return nil }
      place = "the program “\(scheme)” on your own device"
      source = "\(scheme):"
      compared = text
    }
  }

  /// Whether it is the one that was registered.
  func isSame(as registered: Self) -> Bool { compared == registered.compared }

  /// The address with what the program is to know.
  func adding(_ fields: [(String, String)], encode: (String) -> String) -> String {
    let query = fields.map { "\($0.0)=\(encode($0.1))" }.joined(separator: "&")
    return text + (text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + query
  }

  /// What an address consists of (RFC 3986), without a fragment.
  private static func isByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: Array("-._~:/?[]@!$&'()*+,;=%".utf8).contains(byte)
    }
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
      || byte == 0x2B
  }
}

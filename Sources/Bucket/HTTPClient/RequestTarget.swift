/// The parts of a URL that the transport needs before its library parses it.
package struct RequestTarget: Equatable {
  /// Without port and brackets, unchanged.
  package let host: String
  package let isTLS: Bool

  /// Parses an absolute http or https URL of printable ASCII without user information and fragment.
  ///
  /// Errors describe the fault but never quote the URL, because it may contain a signature.
  package init(_ url: String) throws(HTTPError) {
    func refused(_ why: String) -> HTTPError {
      HTTPError(.invalidRequest, "the URL \(why)", mayHaveBeenApplied: false)
    }
    let bytes = url.utf8
    guard bytes.count <= Self.maximumBytes else { throw refused("is too long") }
    let (isPrintable, hasFragment) = Self.survey(url)
    guard isPrintable else { throw refused("has characters that must be percent-encoded") }
    guard !hasFragment else { throw refused("has a fragment") }
    let scheme: Int
    if bytes.starts(with: "https://".utf8) {
      (scheme, isTLS) = (8, true)
    } else if bytes.starts(with: "http://".utf8) {
      (scheme, isTLS) = (7, false)
    } else {
      throw refused("is neither http:// nor https://")
    }
    let authority = bytes.dropFirst(scheme).prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
    }
    guard !authority.contains(UInt8(ascii: "@")) else { throw refused("has user information") }
    let end: Substring.UTF8View.Index
    var start = authority.startIndex
    if authority.first == UInt8(ascii: "[") {
      guard let bracket = authority.firstIndex(of: UInt8(ascii: "]")) else {
        throw refused("has no valid host")
      }
      (start, end) = (authority.index(after: start), bracket)
    } else {
      end = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
    }
    guard start < end else { throw refused("has no host") }
    host = String(url[start..<end])
  }

  /// Whether all bytes are printable ASCII without blanks, and whether one of them is `#`. Without
  /// an early end, so that many bytes are compared at once.
  private static func survey(_ url: String) -> (isPrintable: Bool, hasFragment: Bool) {
    var url = url
    return url.withUTF8 { bytes in
      let (unprintable, fragment) = unsafe bytes.reduce(into: (0 as UInt8, 0 as UInt8)) {
        $0.0 |= $1 &- 0x21 > 0x7E - 0x21 ? 1 : 0
        $0.1 |= $1 == UInt8(ascii: "#") ? 1 : 0
      }
      return (unprintable == 0, fragment != 0)
    }
  }

  /// True for the names and addresses of this machine, which a proxy can't reach.
  package var isLoopback: Bool {
    if host.utf8.starts(with: "127.".utf8) { return isIPv4Address }
    return host.caseInsensitiveEqual("localhost") || host == "::1"
  }

  /// True for four numbers up to 255. Read byte by byte, because every request asks.
  private var isIPv4Address: Bool {
    var (parts, digits, value) = (1, 0, 0)
    for byte in host.utf8 {
      switch byte {
      case UInt8(ascii: "."):
        guard digits > 0 else { return false }
        (parts, digits, value) = (parts + 1, 0, 0)
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        (digits, value) = (digits + 1, value * 10 + Int(byte - UInt8(ascii: "0")))
        guard digits <= 3, value <= 255 else { return false }
      default: return false
      }
    }
    return parts == 4 && digits > 0
  }

  static let maximumBytes = 64 << 10
}

/// Where a program wants the person's browser to be sent with a code (R63). Pure.
///
/// It is `https`, or plain `http` to the person's own machine, or a scheme of a program on it
/// (RFC 8252).
struct RedirectAddress: Hashable, Sendable {
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

/// The scheme of a program's own that lacks the dot that RFC 8252 asks for, as editors have:
/// `vscode://`, `zed://` (R63). Pure.
enum ProgramScheme {
  /// False for a scheme that a browser or the system itself acts on: it could run a script, open a file
  /// or start a tool of the system instead of handing a code to the program that asked.
  static func isTaken(_ scheme: String) -> Bool {
    scheme.utf8.count >= 2 && !others.contains(scheme)
      && !families.contains { scheme.hasPrefix($0) }
  }

  /// Schemes of the web, of other protocols, and of what comes with a system, most of them from IANA's
  /// registry of URI schemes.
  private static let others: Set<String> = [
    // Scripts, and what a browser shows without a server.
    "about", "blob", "cid", "data", "feed", "file", "filesystem", "jar", "javascript", "livescript",
    "mid", "mhtml", "mocha", "resource", "urn", "vbs", "vbscript", "view-source", "wyciwyg",
    // Browsers' own pages.
    "brave", "edge", "firefox", "microsoft-edge", "opera", "safari", "vivaldi",
    // Other protocols.
    "afp", "afs", "coap", "coaps", "dav", "davs", "dict", "dns", "finger", "ftp", "ftps", "git",
    "gopher", "http", "httpe", "https", "imap", "imaps", "ipp", "ipps", "irc", "ircs", "jdbc",
    "ldap", "ldapi", "ldaps", "magnet", "mms", "mongodb", "mqtt", "mqtts", "mysql", "news", "nfs",
    "nntp", "nntps", "odbc", "oid", "pop", "pop3", "postgres", "postgresql", "rdp", "redis",
    "rediss", "res", "rlogin", "rmi", "rsync", "rtmp", "rtsp", "rtsps", "s3", "scp", "sftp",
    "shttp", "sip", "sips", "smb", "smtp", "smtps", "snmp", "socks", "socks4", "socks5", "ssh",
    "stun",
    "svn", "telnet", "tftp", "tn3270", "turn", "udp", "unix", "vnc", "wais", "webdav", "webdavs",
    "ws", "wss", "xmpp",
    // Calls, messages, shops, settings and tools of a system.
    "android-app", "app-settings", "apple-reminderkit", "bluetooth", "calculator", "calshow",
    "callto", "content", "facetime", "facetime-audio", "geo", "help", "hcp", "im", "intent",
    "itms", "itms-apps", "itms-services", "ldm", "mailto", "maps", "market", "music", "pres",
    "prefs", "search", "search-ms", "shell", "shortcuts", "sms", "smsto", "ssm", "tel", "telprompt",
    "videos", "webcal", "windowsdefender", "workflow",
  ]

  /// Beginnings of the schemes of a system or a browser.
  private static let families = [
    "about-", "apple-", "chrome", "com-apple", "gopher", "javascript", "moz-", "ms-", "safari-",
    "web+", "x-apple", "x-help", "x-man-page", "x-webkit",
  ]
}

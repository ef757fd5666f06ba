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

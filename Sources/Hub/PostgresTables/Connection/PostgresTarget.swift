internal import CPostgres

/// Which database to talk to, as a URL or libpq's `key=value` text names it.
///
/// Whatever it leaves out comes from libpq's variables, service files and password file. It may hold
/// a password, so that it never describes itself.
package struct PostgresTarget: Sendable {
  /// libpq's settings, by their keywords.
  let settings: [String: String]

  /// - Throws: `invalidSettings`; it never quotes the text.
  package init(_ text: String) throws(PostgresError) {
    let refused = PostgresError(
      .invalidSettings,
      "the database's URL is not valid: it must be like postgresql://user@host/database")
    guard text.utf8.count <= 4096, !text.utf8.contains(0) else { throw refused }
    // libpq's own message quotes parts of the text, and those may be the password.
    guard let options = PQconninfoParse(text, nil) else { throw refused }
    settings = Self.settings(of: options)
  }

  /// What a list of libpq's says, which is freed.
  static func settings(of options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
    defer { PQconninfoFree(options) }
    var settings: [String: String] = [:]
    var place = options
    while let keyword = place.pointee.keyword {
      if let value = place.pointee.val {
        settings[String(cString: keyword)] = String(cString: value)
      }
      place += 1
    }
    return settings
  }

  /// Whether the text itself holds a password.
  package var holdsPassword: Bool { settings["password"] != nil || settings["sslpassword"] != nil }
}

extension PostgresTarget: CustomStringConvertible, CustomReflectable {
  package var description: String { "(a database)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension PostgresTarget {
  /// Whether every host of a list is this machine: a socket's folder, or a loopback name.
  static func isLocal(hosts: String) -> Bool {
    hosts.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { host in
      if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") { return true }
      if host == "::1" || host.lowercased() == "localhost" { return true }
      let parts = host.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
  }
}

import Foundation
package import HealthLedger

/// The user's own folders, according to the XDG base directories or macOS.
package struct UserDirectories: Sendable {
  /// For the collector's ids, the outbox and other state; of a person, if one was chosen (R64).
  package private(set) var data: String
  /// The default store, which all people share.
  package let usualStore: String
  /// For the configuration file.
  package let configuration: String
  /// For files that may be deleted at any time.
  package let cache: String
  package let home: String

  package init(environment: [String: String]) {
    let home =
      environment["HOME"].flatMap(Self.absolute)
      ?? FileManager.default.homeDirectoryForCurrentUser.path
    self.home = home
    func folder(_ variable: String, _ fallback: String) -> String {
      (environment[variable].flatMap(Self.absolute) ?? home + "/" + fallback) + "/s3health"
    }
    #if os(macOS)
      data = folder("XDG_DATA_HOME", "Library/Application Support")
      cache = folder("XDG_CACHE_HOME", "Library/Caches")
    #else
      data = folder("XDG_DATA_HOME", ".local/share")
      cache = folder("XDG_CACHE_HOME", ".cache")
    #endif
    usualStore = data + "/store"
    configuration = folder("XDG_CONFIG_HOME", ".config")
  }

  /// The folders for one of many people, whose state must not mix.
  func of(_ person: PersonID) -> UserDirectories {
    var directories = self
    directories.data = data(of: person)
    return directories
  }

  /// Where the state of one of many people is.
  package func data(of person: PersonID) -> String { data + "/people/\(person)" }

  /// The base directory rule: a relative path in a variable is ignored.
  private static func absolute(_ path: String) -> String? { path.hasPrefix("/") ? path : nil }
}

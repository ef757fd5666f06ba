import Foundation

/// The user's own folders, according to the XDG base directories or macOS.
package struct UserDirectories: Sendable {
  /// For the default store and the collector's ids.
  package let data: String
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
    configuration = folder("XDG_CONFIG_HOME", ".config")
  }

  /// The base directory rule: a relative path in a variable is ignored.
  private static func absolute(_ path: String) -> String? { path.hasPrefix("/") ? path : nil }
}

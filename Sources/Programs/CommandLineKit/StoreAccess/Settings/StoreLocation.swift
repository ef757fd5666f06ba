import Foundation
import HTTPClient
package import HealthLedger
import ObjectStore
import S3Store

/// The kinds of store, with their names in settings and documents.
package enum Backend: String, CaseIterable, Sendable {
  case s3ObjectStore = "s3_object_store"
  case icloudDrive = "icloud_drive"
  case folder

  /// The scheme that begins names of this kind of store, if they need one.
  package var scheme: String {
    switch self {
    case .s3ObjectStore: "s3://"
    case .icloudDrive: "icloud:"
    case .folder: ""
    }
  }
}

/// A parsed store name: an S3 URL or a folder.
package enum StoreLocation: Hashable, Sendable {
  /// `s3://bucket/prefix`, as given.
  case s3(String)
  /// An absolute path.
  case directory(String)

  package init(
    _ name: String, home: String, workingDirectory: String
  ) throws(LedgerError) {
    if name.hasPrefix("s3://") {
      self = .s3(name)
    } else if name.hasPrefix(Backend.icloudDrive.scheme) {
      let container = String(name.dropFirst(Backend.icloudDrive.scheme.count))
      self = .directory(try Self.documents(container, home: home))
    } else if name.hasPrefix("file://") {
      let path = PercentCoding.decode(name.utf8.dropFirst(7)) ?? ""
      guard path.hasPrefix("/"), !path.utf8.contains(0) else {
        throw LedgerError(
          .invalidArguments, "the store \"\(name)\" is not a path on this machine",
          remedy: "write file:///absolute/path")
      }
      self = .directory(path)
    } else if let end = name.firstRange(of: "://") {
      throw LedgerError(
        .invalidArguments, "there is no kind of store \"\(name[..<end.upperBound])\"",
        remedy: """
          write s3://bucket/prefix (and the server as --endpoint-url), icloud:CONTAINER, \
          file:///path, or a path
          """)
    } else if name.isEmpty || name.utf8.contains(0) {
      throw LedgerError(
        .invalidArguments, "the store's name is empty",
        remedy: "write s3://bucket/prefix, file:///path, or a path")
    } else if name == "~" || name.hasPrefix("~/") {
      self = .directory(home + name.dropFirst(1))
    } else {
      self = .directory(name.hasPrefix("/") ? name : workingDirectory + "/" + name)
    }
  }

  /// The folder of a container, on systems that have containers.
  private static func documents(_ container: String, home: String) throws(LedgerError) -> String {
    #if os(macOS)
      guard let path = CloudDrive.documents(ofContainer: container, home: home) else {
        throw LedgerError(
          .invalidArguments, "\"\(container)\" can't be the name of an iCloud container",
          remedy:
            "write icloud: and the app's name of the container, as in icloud:iCloud.org.example.app"
        )
      }
      return path
    #else
      throw LedgerError(
        .invalidArguments, "iCloud Drive containers exist only on macOS",
        remedy: "use a folder that another program synchronises, or s3://bucket/prefix")
    #endif
  }

  /// For people.
  package var name: String {
    switch self {
    case .s3(let name), .directory(let name): name
    }
  }

  package var backend: Backend {
    switch self {
    case .s3: .s3ObjectStore
    case .directory(let path): CloudDrive.contains(path) ? .icloudDrive : .folder
    }
  }
}

/// The user's own folders, according to the XDG base directories or macOS.
package struct UserDirectories: Sendable {
  /// For the collector's ids, the outbox and other state; of a person, if one was chosen (R64).
  package private(set) var data: String
  /// The default store, which all people share.
  package let usualStore: String
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

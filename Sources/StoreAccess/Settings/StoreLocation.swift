import Foundation
import HealthLedger
import ObjectStore

/// The kinds of store, by the names that they have in settings and documents.
package enum Backend: String, CaseIterable, Sendable {
  case s3ObjectStore = "s3_object_store"
  case icloudDrive = "icloud_drive"
  case folder

  /// What names of stores of this kind begin with, where they need it.
  package var scheme: String {
    switch self {
    case .s3ObjectStore: "s3://"
    case .icloudDrive: "icloud:"
    case .folder: ""
    }
  }
}

/// A store's name, read: an S3 URL or a folder.
package enum StoreLocation: Hashable, Sendable {
  /// `s3://bucket/prefix`, as given.
  case s3(String)
  /// An absolute path.
  case directory(String)

  package init(
    _ name: String, home: String, workingDirectory: String
  ) throws(SettingsError) {
    if name.hasPrefix("s3://") {
      self = .s3(name)
    } else if name.hasPrefix(Backend.icloudDrive.scheme) {
      let container = String(name.dropFirst(Backend.icloudDrive.scheme.count))
      self = .directory(try Self.documents(container, home: home))
    } else if name.hasPrefix("file://") {
      let path = String(name.dropFirst(7)).removingPercentEncoding ?? ""
      guard path.hasPrefix("/"), !path.contains("\0") else {
        throw SettingsError(
          "the store \"\(name)\" names no path on this machine",
          remedy: "write file:///absolute/path")
      }
      self = .directory(path)
    } else if let end = name.range(of: "://") {
      throw SettingsError(
        "there is no kind of store \"\(name[..<end.upperBound])\"",
        advice: .chooseKindOfStore)
    } else if name.isEmpty || name.contains("\0") {
      throw SettingsError(
        "the store's name is empty",
        remedy: "write s3://bucket/prefix, file:///path, or a path")
    } else if name == "~" || name.hasPrefix("~/") {
      self = .directory(home + name.dropFirst(1))
    } else {
      self = .directory(name.hasPrefix("/") ? name : workingDirectory + "/" + name)
    }
  }

  /// The folder of a container, on machines that have such.
  private static func documents(_ container: String, home: String) throws(SettingsError) -> String {
    #if os(macOS)
      guard let path = CloudDrive.documents(ofContainer: container, home: home) else {
        throw SettingsError(
          "\"\(container)\" can't be the name of an iCloud container",
          remedy: "write icloud:iCloud.org.example.app, as the app that owns the container names it"
        )
      }
      return path
    #else
      throw SettingsError(
        "iCloud Drive keeps its containers on a Mac, and this is another system",
        remedy: "name a folder, which another program may synchronise, or s3://bucket/prefix")
    #endif
  }

  /// Which kind of store it is.
  package var backend: Backend {
    switch self {
    case .s3: .s3ObjectStore
    case .directory(let path): CloudDrive.contains(path) ? .icloudDrive : .folder
    }
  }
}

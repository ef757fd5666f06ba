import Foundation
import HealthLedger

/// A store's name, read: an S3 URL or a folder.
enum StoreLocation: Hashable {
  /// `s3://bucket/prefix`, as given.
  case s3(String)
  /// An absolute path.
  case directory(String)

  init(
    _ name: String, home: String, workingDirectory: String
  ) throws(LedgerError) {
    if name.hasPrefix("s3://") {
      self = .s3(name)
    } else if name.hasPrefix("file://") {
      let path = String(name.dropFirst(7)).removingPercentEncoding ?? ""
      guard path.hasPrefix("/"), !path.contains("\0") else {
        throw LedgerError(
          .invalidArguments, "the store \"\(name)\" names no path on this machine",
          remedy: "write file:///absolute/path")
      }
      self = .directory(path)
    } else if let end = name.range(of: "://") {
      throw LedgerError(
        .invalidArguments, "there is no kind of store \"\(name[..<end.upperBound])\"",
        remedy: """
          write s3://bucket/prefix (and the server as --endpoint-url), file:///path, or a path
          """)
    } else if name.isEmpty || name.contains("\0") {
      throw LedgerError(
        .invalidArguments, "the store's name is empty",
        remedy: "write s3://bucket/prefix, file:///path, or a path")
    } else if name == "~" || name.hasPrefix("~/") {
      self = .directory(home + name.dropFirst(1))
    } else {
      self = .directory(name.hasPrefix("/") ? name : workingDirectory + "/" + name)
    }
  }
}

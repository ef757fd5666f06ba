/// Why the outbox can't do what was asked. What was asked did not happen.
public struct OutboxError: Error, Hashable, Sendable {
  /// What kind of failure it is.
  public enum Code: String, Hashable, Sendable {
    /// The disk, or the file system's quota, is full (E004).
    case storageFull = "storage_full"
    /// The file may not be read or written (E005).
    case permissionDenied = "permission_denied"
    /// Another process held the database longer than this one waits.
    case busy
    /// The file is not a database, or is damaged.
    case damaged
    /// A newer version of the program made the database.
    case newerVersion = "newer_version"
    /// A receiver would refuse the id of the device or the version of the app.
    case invalid
    /// Any other failure of SQLite or of the disk.
    case failed
  }

  /// What kind of failure it is.
  public let code: Code
  /// The database file.
  public let path: String
  /// One sentence, with SQLite's own words where it has some.
  public let message: String

  package init(_ code: Code, path: String, _ message: String) {
    (self.code, self.path, self.message) = (code, path, message)
  }
}

extension OutboxError: CustomStringConvertible {
  /// One line: the file, and what failed.
  public var description: String { "\(path): \(message)" }
}

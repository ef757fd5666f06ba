import CSQLite
import Foundation

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

extension OutboxError {
  /// A failure of SQLite, by its code and, where SQLite says only that a write failed, the
  /// system's.
  init(sqlite status: Int32, _ connection: OpaquePointer?, path: String) {
    // SQLite does not keep the system's number where a COMMIT fails. What set it is the last call
    // that failed since the statement began.
    let kept = connection.map { sqlite3_system_errno($0) } ?? 0
    let system = kept == 0 ? errno : kept
    let code: Code =
      switch status & 0xFF {
      case SQLITE_FULL: .storageFull
      case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(system): .storageFull
      case SQLITE_PERM, SQLITE_AUTH, SQLITE_READONLY: .permissionDenied
      case SQLITE_CANTOPEN: [ENOSPC, EDQUOT].contains(system) ? .storageFull : .permissionDenied
      case SQLITE_IOERR where [EACCES, EPERM, EROFS].contains(system): .permissionDenied
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      default: .failed
      }
    let words =
      connection.map { String(cString: sqlite3_errmsg($0)) }
      ?? String(cString: sqlite3_errstr(status))
    self.init(code, path: path, "\(words) (SQLite \(status))")
  }

  /// A failure of the file system.
  init(system number: Int32, path: String, _ what: String) {
    let code: Code =
      switch number {
      case ENOSPC, EDQUOT, EFBIG: .storageFull
      case EACCES, EPERM, EROFS: .permissionDenied
      default: .failed
      }
    self.init(code, path: path, "\(what): \(String(cString: strerror(number)))")
  }
}

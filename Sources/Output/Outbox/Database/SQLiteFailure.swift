import CSQLite
import Foundation

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

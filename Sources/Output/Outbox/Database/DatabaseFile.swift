import Foundation
import ObjectStore

/// Creates and opens the outbox's file: for its owner alone, and of a version that is known (R47).
enum DatabaseFile {
  /// Opens the file at `path`, which is created if it does not exist.
  static func open(_ path: String) throws(OutboxError) -> Database {
    try createFolder(of: path)
    let isNew = try create(path)
    // Two processes that migrate at once would get in each other's way.
    let lock: LockFile
    do throws(SystemFailure) {
      lock = try LockFile(path + ".lock")
      try lock.wait()
    } catch {
      throw OutboxError(system: error.number, path: path + ".lock", "the outbox can't be locked")
    }
    defer { lock.release() }
    if !isNew { try refuseEmptied(path) }
    do throws(OutboxError) {
      return try migrated(path)
    } catch {
      // On a full disk even reading needs a few pages, for SQLite's shared memory.
      guard error.code == .storageFull, ReserveFile(of: path).give() else { throw error }
      return try migrated(path)
    }
  }

  private static func migrated(_ path: String) throws(OutboxError) -> Database {
    let database = try Database(path: path)
    try Schema.migrate(database)
    return database
  }

  /// The reserve is created only beside a database that has its tables. So an empty file beside it has
  /// lost what it held, and to begin anew in it would hide that.
  private static func refuseEmptied(_ path: String) throws(OutboxError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size == 0, ReserveFile(of: path).isThere else {
      return
    }
    throw OutboxError(
      .damaged, path: path, "the file is empty, and its reserve shows that it was not")
  }

  /// Opens the file at `path`; nil if there is none.
  static func openIfPresent(_ path: String) throws(OutboxError) -> Database? {
    guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
    return try open(path)
  }

  private static func createFolder(of path: String) throws(OutboxError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    var folder = ""
    for part in parts {
      folder += (folder.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
      if folder.hasPrefix("//") { folder.removeFirst() }
      guard !part.isEmpty, part != ".", part != ".." else { continue }
      if mkdir(folder, 0o700) != 0, errno != EEXIST, errno != EISDIR {
        let number = errno
        var status = stat()
        // Above a folder that exists there may be some that may not be written.
        if stat(folder, &status) == 0 { continue }
        throw OutboxError(system: number, path: path, "the folder \(folder) can't be created")
      }
    }
  }

  /// SQLite would create it with mode 0644. The files beside it get the mode of this one.
  ///
  /// - Returns: whether it was missing.
  private static func create(_ path: String) throws(OutboxError) -> Bool {
    let descriptor = Foundation.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor < 0 else {
      close(descriptor)
      return true
    }
    guard errno != EEXIST else { return false }
    throw OutboxError(system: errno, path: path, "the outbox can't be created")
  }
}

/// A file that takes up space until the disk is full, so that there is room for uploading and for
/// deleting rows: even that writes to the journal first (R48).
struct ReserveFile {
  static let bytes = 8_000_000

  private let path: String

  init(of database: String) { path = database + ".reserve" }

  /// Whether the space is there to be given up.
  var isKept: Bool {
    var status = stat()
    return stat(path, &status) == 0 && Int(status.st_size) == Self.bytes
  }

  /// Whether there is a reserve of any size.
  var isThere: Bool { access(path, F_OK) == 0 }

  /// Creates the file if it is missing. If there is no room for it, there is none.
  func keep() {
    if isKept { return }
    let descriptor = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Zeros are written, because a hole takes up nothing.
    let zeros = [UInt8](repeating: 0, count: 1_000_000)
    var written = 0
    while written < Self.bytes {
      let count = zeros.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, min(zeros.count, Self.bytes - written), off_t(written))
      }
      guard count > 0 else {
        unlink(path)
        return
      }
      written += count
    }
  }

  /// Gives the space up; false if there was none.
  func give() -> Bool { unlink(path) == 0 }
}

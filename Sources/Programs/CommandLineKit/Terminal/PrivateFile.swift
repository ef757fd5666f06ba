import Foundation
package import HealthLedger
import ObjectStore

/// A file of results that is replaced completely or not at all. Only its owner can read it.
package struct PrivateFile {
  /// The absolute path of the file, with links resolved.
  package let path: String
  private let folder: String
  /// What it contains, for errors, such as `the page`.
  private let content: String

  /// The file at a path, which may exist. Nothing is written yet.
  ///
  /// - Parameter content: what it will contain, such as `the page`.
  /// - Throws: `LedgerError` if no file can be written there: INVALID_ARGUMENTS for a path that can't
  ///   be a file's, otherwise STORAGE_UNAVAILABLE. This is checked before the store is read.
  package init(_ path: String, for content: String) throws(LedgerError) {
    self.content = content
    var found = stat()
    var link = stat()
    var target = path
    let isLink = lstat(path, &link) == 0 && link.st_mode & S_IFMT == S_IFLNK
    // Whoever made a link in a shared folder would choose which file of this user is replaced.
    guard !isLink || [0, geteuid()].contains(link.st_uid) else {
      throw Self.unfit(
        content, path, "is a link that another user made",
        remedy: "remove it, or name a file elsewhere")
    }
    if stat(path, &found) == 0 {
      guard found.st_mode & S_IFMT == S_IFREG else {
        throw Self.unfit(
          content, path,
          found.st_mode & S_IFMT == S_IFDIR ? "is a folder" : "is not an ordinary file",
          remedy: "name a file, or `-` for stdout")
      }
      // Only what is a link is followed: a link that takes a file's place meanwhile is replaced.
      if isLink { target = try Self.real(path, of: content, asked: path) }
    } else if path.isEmpty || path.hasSuffix("/") {
      throw Self.unfit(
        content, path, "is not a file name", remedy: "name a file, or `-` for stdout")
    } else if isLink {
      throw Self.unfit(
        content, path, "is a link to a file that does not exist",
        remedy: "remove it, or name another file")
    }
    let parts = target.split(separator: "/", omittingEmptySubsequences: false)
    let parent = parts.dropLast().joined(separator: "/")
    let named = parts.count == 1 ? "." : parent.isEmpty ? "/" : parent
    guard stat(named, &found) == 0, found.st_mode & S_IFMT == S_IFDIR else {
      throw Self.unfit(
        content, path, "is in a folder that does not exist",
        remedy: "create the folder \(named) first")
    }
    folder = try Self.real(named, of: content, asked: path)
    self.path = (folder == "/" ? "" : folder) + "/\(parts.last ?? "")"
    guard access(folder, W_OK | X_OK) == 0 else { throw Self.failed(content, path, Self.reason) }
  }

  /// An absolute path without links.
  private static func real(
    _ path: String, of content: String, asked: String
  ) throws(LedgerError) -> String {
    guard let real = realpath(path, nil) else { throw failed(content, asked, reason) }
    defer { free(real) }
    return String(cString: real)
  }

  /// Writes a file with these bytes and mode 0600 in one step. It is a new file of this user: who
  /// owned the old one can't read it.
  ///
  /// - Throws: `LedgerError`. Then the old file is still there, unless only the folder could not be
  ///   written to the disk.
  package func replace(with bytes: [UInt8]) throws(LedgerError) {
    do throws(SystemFailure) {
      try SmallFile.replace(path, with: bytes)
    } catch {
      throw Self.failed(content, path, error.reason)
    }
  }

  private static var reason: String { String(cString: strerror(errno)) }

  private static func unfit(
    _ content: String, _ path: String, _ reason: String,
    remedy: LedgerError.Remedy
  ) -> LedgerError {
    LedgerError(
      .invalidArguments, "\(content) can't be written: \"\(path.printable)\" \(reason)",
      remedy: remedy)
  }

  /// The system's refusal, which the disk or its rights are the reason for.
  private static func failed(
    _ content: String, _ path: String, _ reason: String
  ) -> LedgerError {
    LedgerError(
      .storageUnavailable, "\(content) can't be written: \"\(path.printable)\": \(reason)",
      remedy: "make room on the disk, or name a file where you may write")
  }
}

/// Files that a program keeps for itself in the user's private folder.
extension PrivateFile {
  /// What is in such a file.
  package enum Contents {
    case none
    case bytes([UInt8])
    /// It is there, but it can't be read, is too large, or is a link.
    case unusable
  }

  /// Reads a file whole. A link is not followed, and a pipe not waited for.
  package static func contents(of path: String, maximumBytes: Int) -> Contents {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return errno == ENOENT || errno == ENOTDIR ? .none : .unusable }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= maximumBytes {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return .bytes(bytes) }
      if count > 0 { bytes += buffer[..<count] } else if errno != EINTR { break }
    }
    return .unusable
  }

  /// Creates the private folder if it does not exist. Only its owner can look into it.
  package static func makeFolder(_ folder: String) throws(LedgerError) {
    do throws(SystemFailure) {
      try PrivateFolder.create(folder)
    } catch {
      throw LedgerError(
        .storageUnavailable, "the private folder can't be created: \(error.reason)",
        key: folder, remedy: "make its parent folder writable")
    }
  }
}

extension SmallFile.TrustFailure {
  /// Why a file that commands go by is not read, and what to do about it.
  ///
  /// - Parameters:
  ///   - content: what it is, such as `the configuration file`.
  ///   - why: why nobody else may have a hand in it.
  ///   - isSecret: whether others may not read it either.
  func refusal(
    of content: String, _ path: String, _ why: String, isSecret: Bool = false
  ) -> LedgerError {
    let (verb, mode) = isSecret ? ("read", "600") : ("changed", "go-w")
    let (code, reason, remedy): (LedgerError.Code, String, String) =
      switch self {
      case .notAFile: (.invalidArguments, "is not an ordinary file", "name another")
      case .foreign:
        (
          .notAuthorized, "belongs to another user: \(why)",
          "check what is in it, and make it yours: chown $(id -un) \(path)"
        )
      case .openToOthers:
        (
          .notAuthorized, "can be \(verb) by other users: \(why)",
          "check what is in it, then run: chmod \(mode) \(path)"
        )
      case .system(let failure) where [EACCES, EPERM].contains(failure.number):
        (
          .notAuthorized, "can't be read: \(failure.reason)",
          "give this user permission to read it"
        )
      case .system(let failure):
        (
          [ENOENT, ENOTDIR].contains(failure.number) ? .invalidArguments : .storageUnavailable,
          "can't be read: \(failure.reason)", "check the disk and the path"
        )
      }
    return LedgerError(code, "\(content) \(path) \(reason)", remedy: .text(remedy))
  }
}

import Foundation

/// An open file, closed with the last reference to it.
///
/// A class, because the thread that inflates and the one that scans both read it.
package final class OpenFile: Sendable {
  package let descriptor: Int32
  /// As the caller named it.
  package let path: String
  /// Bytes; nil for a pipe or a terminal.
  package let size: Int64?
  let isFolder: Bool
  private let isOwned: Bool

  /// Takes a descriptor that is open; `isOwned` says whether to close it.
  package init(descriptor: Int32, path: String, isOwned: Bool) throws(ExportError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let failure = errno
      if isOwned { close(descriptor) }
      throw .system(failure, "looking at it", path: path)
    }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    (self.descriptor, self.path, self.isOwned) = (descriptor, path, isOwned)
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    size = isRegular ? Int64(status.st_size) : nil
  }

  deinit { if isOwned { close(descriptor) } }

  /// Opens a file.
  ///
  /// - Parameter waiting: whether a pipe is waited for, until somebody writes to it.
  package static func open(
    _ path: String, waiting: Bool = false
  ) throws(ExportError) -> OpenFile {
    while true {
      let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | (waiting ? 0 : O_NONBLOCK))
      if descriptor >= 0 {
        return try OpenFile(descriptor: descriptor, path: path, isOwned: true)
      }
      if errno != EINTR { throw .system(errno, "opening it", path: path) }
    }
  }

  /// Reads what comes next; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    while true {
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw .system(errno, "reading it", path: path) }
    }
  }

  /// Reads at an offset until the buffer is full or the file ends.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(ExportError) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
      if count == 0 { break }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        throw .system(errno, "reading it", path: path)
      }
    }
    return done
  }

  /// What comes next, at most so many bytes; empty at the end.
  package func read(_ count: Int) throws(ExportError) -> [UInt8] {
    try bytes(count) { (room) throws(ExportError) in try read(into: room) }
  }

  /// Bytes at an offset; fewer where the file ends.
  package func read(_ count: Int, at offset: Int64) throws(ExportError) -> [UInt8] {
    try bytes(count) { (room) throws(ExportError) in try read(into: room, at: offset) }
  }

  private func bytes(
    _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(ExportError) -> Int
  ) throws(ExportError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let filled = bytes.withUnsafeMutableBytes { room in
      Result { () throws(ExportError) in try fill(room) }
    }
    bytes.removeSubrange(try filled.get()...)
    return bytes
  }

  /// Tells the kernel that the file will be read once, from the beginning to the end.
  func expectOnePass() {
    // Only hints: where they fail, reading is slower and no less right.
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_RDAHEAD, 1)
      _ = fcntl(descriptor, F_NOCACHE, 1)
    #else
      _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    #endif
  }
}

extension ExportError {
  /// A system call that failed on a file.
  static func system(_ number: Int32, _ doing: String, path: String) -> ExportError {
    let message = "\(doing) failed: \(String(cString: strerror(number)))"
    return switch number {
    case ENOENT, ENOTDIR:
      ExportError(
        .notFound, "there is no such file", path: path,
        remedy: "give the path of the export.zip that the Health app made")
    case EACCES, EPERM:
      ExportError(
        .notAuthorized, message, path: path, remedy: "give this user the right to read it")
    default:
      ExportError(.unreadable, message, path: path, remedy: "check the disk, then try again")
    }
  }
}

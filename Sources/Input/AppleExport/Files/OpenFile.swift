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
        .notFound, "the file does not exist", path: path,
        remedy: "give the path of the export.zip that the Health app made")
    case EACCES, EPERM:
      ExportError(
        .notAuthorized, message, path: path, remedy: "give this user the right to read it")
    default:
      ExportError(.unreadable, message, path: path, remedy: "check the disk, then try again")
    }
  }
}

/// The bytes of an export.xml, chunk by chunk.
protocol ExportChunks: AnyObject {
  /// Bytes of the file read so far.
  var bytesRead: Int64 { get }
  /// Bytes of the file; nil for a pipe.
  var bytesTotal: Int64? { get }
  /// The next chunk, valid until the next call; nil at the end.
  func next() throws(ExportError) -> UnsafeRawBufferPointer?
}

/// An export.xml as it lies on disk or comes through a pipe.
final class FileChunks: ExportChunks {
  private let file: OpenFile
  /// Bytes that were read to find out what the file is.
  private var first: [UInt8]
  /// One buffer for all chunks: half of a usual second-level cache. Raw memory, because `read(2)`
  /// fills it and zeroing an array again would cost as much as scanning.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
  private(set) var bytesRead: Int64 = 0
  var bytesTotal: Int64? { file.size }

  /// `first` is what has been read of the file already.
  init(_ file: OpenFile, first: [UInt8]) {
    (self.file, self.first) = (file, first)
    file.expectOnePass()
  }

  deinit { buffer.deallocate() }

  func next() throws(ExportError) -> UnsafeRawBufferPointer? {
    var count = min(first.count, buffer.count)
    if count > 0 {
      buffer.copyBytes(from: first[..<count])
      first.removeFirst(count)
    } else {
      count = try file.read(into: buffer)
    }
    bytesRead += Int64(count)
    return count > 0 ? UnsafeRawBufferPointer(rebasing: buffer[..<count]) : nil
  }
}

/// Recognises an export by its first bytes, because its name is in the phone's language.
enum ExportSignature {
  /// How much of a file is looked at.
  static var length: Int { 1 << 16 }

  /// Whether a file that begins so is an export: its document type or root is `HealthData`.
  static func matches(_ bytes: [UInt8]) -> Bool {
    let names = [Array("<!DOCTYPE HealthData".utf8), Array("<HealthData".utf8)]
    var start = bytes.startIndex
    while let less = bytes[start...].firstIndex(of: Mark.less) {
      for name in names where bytes[less...].starts(with: name) {
        let next = less + name.count
        if next == bytes.endIndex { return true }
        let byte = bytes[next]
        if Mark.isSpace(byte) || byte == Mark.greater || byte == UInt8(ascii: "[") { return true }
      }
      start = less + 1
    }
    return false
  }

  /// Whether a file that begins so is a zip, even an empty one or one in parts.
  static func isZip(_ bytes: some Collection<UInt8>) -> Bool {
    [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6], [0x50, 0x4B, 7, 8]].contains { bytes.starts(with: $0) }
  }
}

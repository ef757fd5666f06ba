import Foundation

/// A file of one line of bytes and then 64-bit words, written once and never changed. Only its owner
/// may read it.
package final class WordFile: Sendable {
  package let path: String
  /// The line, without its newline.
  package let header: [UInt8]
  /// How many whole words follow the line.
  package let wordCount: Int
  private let descriptor: Int32
  private let start: Int

  /// The most bytes of the line.
  private static let maximumHeader = 16 << 20

  /// Why a file can't be read or written.
  package struct Failure: Error, Hashable, Sendable {
    package let path: String
    package let reason: String
    /// Whether the file is there and is not what it should be.
    package let isDamaged: Bool

    /// A file that is not what it should be.
    package init(damaged path: String, _ reason: String) {
      (self.path, self.reason, isDamaged) = (path, reason, true)
    }

    /// What the system says, at this moment unless another number is given.
    init(_ path: String, _ number: Int32 = errno) {
      (self.path, isDamaged) = (path, false)
      reason = String(cString: strerror(number))
    }
  }

  /// Opens a file; nil if there is none.
  package init?(path: String) throws(Failure) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    let number = errno
    var head: [UInt8] = []
    if descriptor >= 0 {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while !head.contains(UInt8(ascii: "\n")), head.count < Self.maximumHeader {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { break }
        head += buffer[..<count]
      }
    }
    let end = head.firstIndex(of: UInt8(ascii: "\n"))
    header = Array(head.prefix(end ?? 0))
    start = (end ?? 0) + 1
    wordCount = descriptor < 0 ? 0 : max(0, (Int(lseek(descriptor, 0, SEEK_END)) - start) / 8)
    if descriptor < 0, number == ENOENT || number == ENOTDIR { return nil }
    guard descriptor >= 0 else { throw Failure(path, number) }
    guard end != nil else { throw Failure(damaged: path, "it is damaged") }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Reads words; all of them are there.
  package func words(at index: Int, count: Int) throws(Failure) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: count)
    let (size, offset) = (count * 8, start + index * 8)
    let done = words.withUnsafeMutableBytes { bytes in
      var done = 0
      while done < size, let base = bytes.baseAddress {
        let count = pread(descriptor, base + done, size - done, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        if count <= 0 { break }
        done += count
      }
      return done
    }
    guard done == size else { throw Failure(path) }
    return words
  }

  /// Writes a file, which has its name once it is complete and durable.
  package final class Writer {
    private let path: String
    private let draft: String
    private let descriptor: Int32

    package init(_ path: String, header: [UInt8]) throws(Failure) {
      (self.path, draft) = (path, path + ".part")
      unlink(draft)
      descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw Failure(draft) }
      try write(header + [UInt8(ascii: "\n")])
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package func append(_ words: [UInt64]) throws(Failure) {
      try write(words.withUnsafeBytes(Array.init))
    }

    package func finish() throws(Failure) {
      guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw Failure(draft) }
    }

    private func write(_ bytes: [UInt8]) throws(Failure) {
      var done = 0
      while done < bytes.count {
        let count = bytes[done...].withUnsafeBytes {
          Foundation.write(descriptor, $0.baseAddress, $0.count)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Failure(draft) }
        done += count
      }
    }
  }
}

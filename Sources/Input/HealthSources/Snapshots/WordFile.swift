import Foundation
import HealthLedger
import ObjectStore

/// A file of one line of bytes and then 64-bit words, written once and never changed. Only its owner
/// may read it.
package final class WordFile: Sendable {
  let path: String
  /// The line, without its newline.
  let header: [UInt8]
  /// How many whole words follow the line.
  let wordCount: Int
  private let descriptor: Int32
  private let start: Int

  /// The most bytes of the line.
  private static let maximumHeader = 16 << 20

  /// Opens a file; nil if there is none.
  init?(path: String) throws(LedgerError) {
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    let number = errno
    var head: [UInt8] = []
    if descriptor >= 0 {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while !head.contains(UInt8(ascii: "\n")), head.count < Self.maximumHeader {
        let count = unsafe read(descriptor, &buffer, buffer.count)
        guard count > 0 else { break }
        head += buffer[..<count]
      }
    }
    let end = head.firstIndex(of: UInt8(ascii: "\n"))
    header = Array(head.prefix(end ?? 0))
    start = (end ?? 0) + 1
    wordCount = descriptor < 0 ? 0 : max(0, (Int(lseek(descriptor, 0, SEEK_END)) - start) / 8)
    if descriptor < 0, number == ENOENT || number == ENOTDIR { return nil }
    guard descriptor >= 0 else { throw LedgerError(path, number) }
    guard end != nil else { throw LedgerError(damaged: path, "it is damaged") }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Reads words; all of them are there.
  func words(at index: Int, count: Int) throws(LedgerError) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: count)
    let (size, offset) = (count * 8, start + index * 8)
    let done = unsafe words.withUnsafeMutableBytes { bytes in
      var done = 0
      while done < size, let base = bytes.baseAddress {
        let count = unsafe pread(descriptor, base + done, size - done, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        if count <= 0 { break }
        done += count
      }
      return done
    }
    guard done == size else { throw LedgerError(path) }
    return words
  }

  /// Writes a file, which has its name once it is complete and durable.
  struct Writer {
    private let path: String
    private let file: FileReplacement

    init(_ path: String, header: [UInt8]) throws(LedgerError) {
      self.path = path
      do throws(SystemFailure) {
        file = try FileReplacement(of: path)
        try file.append(header + [UInt8(ascii: "\n")])
      } catch {
        throw LedgerError(path, error.number)
      }
    }

    func append(_ words: [UInt64]) throws(LedgerError) {
      do throws(SystemFailure) {
        try file.append(unsafe words.withUnsafeBytes(Array.init))
      } catch {
        throw LedgerError(path, error.number)
      }
    }

    func finish() throws(LedgerError) {
      do throws(SystemFailure) {
        try file.replace()
      } catch {
        throw LedgerError(path, error.number)
      }
    }
  }
}

extension LedgerError {
  /// A file that is not what it should be.
  init(damaged path: String, _ reason: String) {
    self.init(
      .invalidArguments, "\(path) can't be read: \(reason)", remedy: .input(.resetAnchors))
  }

  /// A system call on the file failed: with the current `errno`, unless another number is given.
  fileprivate init(_ path: String, _ number: Int32 = errno) {
    self.init(
      .storageUnavailable, "\(path): \(unsafe String(cString: strerror(number)))",
      remedy: "free some room there, or check the folder's permissions")
  }
}

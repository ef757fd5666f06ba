import Foundation
import Synchronization

/// A temporary file of 64-bit words that grows at its end and is read anywhere: where an import keeps
/// what it has no room for.
///
/// Its owner alone may read it, and it has no name: the system removes it when it is closed, also
/// where the program was killed.
package final class UnlinkedFile: Sendable {
  private struct State {
    var descriptor: Int32 = -1
    var wordCount = 0
  }

  private let folder: String
  private let state = Mutex(State())

  /// Nothing is made before the first `append`.
  package init(folder: String? = nil) {
    self.folder =
      folder ?? ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
      ?? "/var/tmp"
  }

  deinit { state.withLock { if $0.descriptor >= 0 { _ = close($0.descriptor) } } }

  package func append(_ words: [UInt64]) throws(ExportError) {
    try state.withLock { (state) throws(ExportError) in
      if state.descriptor < 0 { state.descriptor = try open() }
      let size = words.count * MemoryLayout<UInt64>.size
      let start = state.wordCount * MemoryLayout<UInt64>.size
      let descriptor = state.descriptor
      let number = words.withUnsafeBytes { bytes in
        Self.whole(size) { done in
          pwrite(
            descriptor, bytes.baseAddress.map { $0 + done }, size - done, off_t(start + done))
        }
      }
      guard number == nil else { throw failure("writing", number ?? 0) }
      state.wordCount += words.count
    }
  }

  /// Reads `count` words from the `index`-th on; all of them were appended before.
  package func words(at index: Int, count: Int) throws(ExportError) -> [UInt64] {
    let (descriptor, wordCount) = state.withLock { ($0.descriptor, $0.wordCount) }
    precondition(index >= 0 && count >= 0 && index + count <= wordCount, "words not appended")
    let size = count * MemoryLayout<UInt64>.size
    let start = index * MemoryLayout<UInt64>.size
    var number: Int32?
    let words = [UInt64](unsafeUninitializedCapacity: count) { buffer, initialized in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      number = Self.whole(size) { done in
        pread(descriptor, bytes.baseAddress.map { $0 + done }, size - done, off_t(start + done))
      }
      // Of bytes that did not come nothing may be read.
      initialized = number == nil ? count : 0
    }
    guard number == nil else { throw failure("reading", number ?? 0) }
    return words
  }

  private func open() throws(ExportError) -> Int32 {
    let path = "\(folder)/s3health-\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let number = Foundation.open(path, flags, 0o600 as mode_t)
    guard number >= 0 else { throw failure("making", errno) }
    guard unlink(path) == 0 else {
      let reason = errno
      close(number)
      throw failure("unlinking", reason)
    }
    return number
  }

  /// Calls until `size` bytes are moved; the `errno` of what stopped it, 0 for an early end.
  private static func whole(_ size: Int, _ move: (Int) -> Int) -> Int32? {
    var done = 0
    while done < size {
      let moved = move(done)
      if moved > 0 {
        done += moved
      } else if moved == 0 {
        return 0
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  /// - Parameter number: the system's `errno`; 0 where the file ended too early.
  private func failure(_ doing: String, _ number: Int32) -> ExportError {
    let reason = number == 0 ? "the file ended too early" : String(cString: strerror(number))
    return ExportError(
      .spool, "\(doing) a temporary file in \(folder) failed: \(reason)", path: folder,
      remedy: "free some room there, or name another folder in TMPDIR")
  }
}

import Foundation
import HealthLedger

/// The beginning of what stdin brings, looked at before it is known who will read it.
struct InputHead {
  /// Its first bytes, up to one that is no blank.
  let head: [UInt8]
  /// True for a pipe, which will not bring them again; a file is back at its beginning.
  let isTaken: Bool

  /// What the reader of stdin must be given.
  var first: [UInt8] { isTaken ? head : [] }

  /// Looks at stdin.
  init() throws(LedgerError) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    // A byte-order mark is no blank, but what comes after it decides.
    while !bytes.contains(where: { $0 > 0x20 && $0 < 0x80 }), bytes.count < Self.longestHead {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count == 0 { break }
      if count > 0 {
        bytes += buffer[..<count]
      } else if errno != EINTR {
        throw LedgerError(
          .invalidArguments, "stdin can't be read: \(String(cString: strerror(errno)))",
          remedy: "check the command before the pipe")
      }
    }
    head = bytes
    // Darwin lets a terminal be sought on, and what was typed is gone all the same.
    var status = stat()
    let isFile = fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    isTaken = !isFile || lseek(STDIN_FILENO, -off_t(bytes.count), SEEK_CUR) < 0
  }

  private static let longestHead = 1 << 16
}

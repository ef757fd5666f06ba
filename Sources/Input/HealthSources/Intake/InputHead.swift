import Foundation
import HealthLedger

/// The beginning of stdin, read before it is known who will read the rest.
struct InputHead {
  /// The first bytes, up to the first one that is not a blank.
  let head: [UInt8]
  /// True for a pipe, which can't be read again. A file is rewound.
  let isTaken: Bool

  /// The bytes that must be passed to the reader of stdin.
  var first: [UInt8] { isTaken ? head : [] }

  /// Reads the beginning of stdin.
  init() throws(LedgerError) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    // A byte-order mark is not a blank, but the byte after it decides.
    while !bytes.contains(where: { $0 > 0x20 && $0 < 0x80 }), bytes.count < Self.longestHead {
      let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
      if count == 0 { break }
      if count > 0 {
        bytes += buffer[..<count]
      } else if errno != EINTR {
        throw LedgerError(
          .invalidArguments, unsafe "stdin can't be read: \(String(cString: strerror(errno)))",
          remedy: "check the command before the pipe")
      }
    }
    head = bytes
    // Darwin allows seeking on a terminal, although the typed input is lost.
    var status = stat()
    let isFile = unsafe fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    isTaken = !isFile || lseek(STDIN_FILENO, -off_t(bytes.count), SEEK_CUR) < 0
  }

  private static let longestHead = 1 << 16
}

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
  init() throws(IntakeError) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    // A byte-order mark is no blank, but what comes after it decides.
    while !bytes.contains(where: { $0 > 0x20 && $0 < 0x80 }), bytes.count < Self.longestHead {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count == 0 { break }
      if count > 0 {
        bytes += buffer[..<count]
      } else if errno != EINTR {
        throw IntakeError(
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

  /// Whether a path leads to a pipe, such as a shell makes for `<(...)`, which is stdin from then on.
  ///
  /// A pipe can be opened only once: what was read to tell its content would be lost to who opens it
  /// again, and the program that fills it would see its reader leave.
  static func takesPipe(_ path: String) throws(IntakeError) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
      return false
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, dup2(descriptor, STDIN_FILENO) >= 0 else {
      throw IntakeError(
        .invalidArguments, "\(path) can't be opened: \(String(cString: strerror(errno)))",
        remedy: "check the file's permissions")
    }
    if descriptor != STDIN_FILENO { close(descriptor) }
    return true
  }

  private static let longestHead = 1 << 16
}

import CommandLineKit
import Foundation
import HealthLedger

/// A process's journal. The kernel has each line before the call returns, so that `kill -9` loses
/// nothing.
struct JournalFile: Sendable {
  private let descriptor: Int32

  /// Opens the file for appending. Only its owner can read it.
  init(_ path: String) throws(LedgerError) {
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
  }

  /// Appends a line. Without its journal a race is useless, so if writing fails, the process ends.
  func write(_ line: [UInt8]) {
    guard let failure = writeWhole(line, to: descriptor) else { return }
    StandardStreams.say(Self.failure("of the race", failure))
    _exit(LedgerError.Code.internal.exitCode.rawValue)
  }

  private static func failure(_ path: String, _ number: Int32) -> LedgerError {
    LedgerError(
      .internal, "the journal \(path) can't be written: \(String(cString: strerror(number)))",
      remedy: "check the temporary folder (TMPDIR) and its space")
  }

  /// Its size in bytes; 0 if it does not exist yet.
  static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The content so far.
  static func read(_ path: String) -> [UInt8] {
    FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
  }
}

import CommandLineKit
import Foundation
import HealthLedger
import Race

/// A file that a race appends to. Only its owner can read it.
struct RaceFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// The file for a race's histories, which must not exist yet.
  init(history path: String) throws(LedgerError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw LedgerError(
        .invalidArguments, "the history can't be written to \(path): \(Self.reason(errno))",
        remedy: errno == EEXIST ? "name a file that does not exist yet" : "name a file elsewhere")
    }
  }

  /// A process's journal.
  init(journal path: String) throws(LedgerError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
  }

  func append(_ history: RaceHistory) throws(LedgerError) {
    guard let failure = writeWhole(HistoryFile.encode(history), to: descriptor) else { return }
    throw LedgerError(
      .internal, "the history \(path) can't be written: \(Self.reason(failure))",
      remedy: "make room on the disk")
  }

  /// Appends a line of a journal. The kernel has it before the call returns, so that `kill -9` loses
  /// nothing. Without its journal a race is useless, so if writing fails, the process ends.
  func write(_ line: [UInt8]) {
    guard let failure = writeWhole(line, to: descriptor) else { return }
    StandardStreams.say(Self.failure("of the race", failure))
    _exit(LedgerError.Code.internal.exitCode.rawValue)
  }

  /// Saves a history that was not asked for: in this file, otherwise among temporary files.
  ///
  /// - Returns: its path; nil if it could not be written. That is reported on stderr, and the
  ///   result of the race is still reported.
  static func keep(_ history: RaceHistory, _ name: String) -> String? {
    var failure: LedgerError?
    for path in [name, FileManager.default.temporaryDirectory.appending(path: name).path] {
      do throws(LedgerError) {
        let kept = try RaceFile(history: path)
        defer { kept.close() }
        try kept.append(history)
        return path
      } catch {
        failure = error
      }
    }
    if let failure { StandardStreams.say(failure) }
    return nil
  }

  func close() { Foundation.close(descriptor) }

  private static func failure(_ path: String, _ number: Int32) -> LedgerError {
    LedgerError(
      .internal, "the journal \(path) can't be written: \(reason(number))",
      remedy: "check the temporary folder (TMPDIR) and its space")
  }

  private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }

  /// The size of a file in bytes; 0 if it does not exist yet.
  static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The content of a file so far.
  static func read(_ path: String) -> [UInt8] {
    FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
  }
}

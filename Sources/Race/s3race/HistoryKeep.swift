import CommandLineKit
import Foundation
import HealthLedger
import Race

/// The file for a race's histories. Only its owner can read it.
struct HistoryKeep {
  let path: String
  private let descriptor: Int32

  /// Creates the file. Throws if it already exists.
  init(_ path: String) throws(LedgerError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw LedgerError(
        .invalidArguments,
        "the history can't be written to \(path): \(String(cString: strerror(errno)))",
        remedy: errno == EEXIST ? "name a file that does not exist yet" : "name a file elsewhere")
    }
  }

  func append(_ history: RaceHistory) throws(LedgerError) {
    guard let failure = writeWhole(HistoryFile.encode(history), to: descriptor) else { return }
    throw LedgerError(
      .internal, "the history \(path) can't be written: \(String(cString: strerror(failure)))",
      remedy: "make room on the disk")
  }

  /// Saves a history that was not asked for: in this file, otherwise among temporary files.
  ///
  /// - Returns: its path; nil if it could not be written. That is reported on stderr, and the
  ///   result of the race is still reported.
  static func keep(_ history: RaceHistory, _ name: String) -> String? {
    var failure: LedgerError?
    for path in [name, FileManager.default.temporaryDirectory.appending(path: name).path] {
      do throws(LedgerError) {
        let kept = try HistoryKeep(path)
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
}

import Foundation
import HealthLedger
import RaceHarness

/// The file that a race's histories go to, readable by its owner alone.
struct HistoryKeep {
  let path: String
  private let descriptor: Int32

  /// Makes the file; one that is there is not touched.
  init(_ path: String) throws(LedgerError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw LedgerError(
        .invalidArguments,
        "the history can't be written to \(path): \(String(cString: strerror(errno)))",
        remedy: errno == EEXIST ? "name a file that is not there yet" : "name a file elsewhere")
    }
  }

  func append(_ history: RaceHistory) throws(LedgerError) {
    guard let failure = writeWhole(HistoryFile.encode(history), to: descriptor) else { return }
    throw LedgerError(
      .internal, "the history \(path) can't be written: \(String(cString: strerror(failure)))",
      remedy: "make room on the disk")
  }

  /// Keeps a history that was not asked for: here, else among temporary files.
  ///
  /// - Returns: its path; nil where it could not be written, which is told on stderr, for what it
  ///   shows must be told all the same.
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

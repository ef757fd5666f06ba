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
    var rest = HistoryFile.encode(history)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw LedgerError(
          .internal, "the history \(path) can't be written: \(String(cString: strerror(errno)))",
          remedy: "make room on the disk")
      }
    }
  }

  func close() { Foundation.close(descriptor) }
}

import CommandLineKit
import HealthLedger
import RaceHarness

/// The file that was given to `race replay`.
struct ReplayedFile {
  let path: String
  let bytes: [UInt8]

  /// The schedule in a file that is not a history. It is taken from the last line that has one,
  /// which is how a failing run ends, with or without the command around it.
  var schedule: String? {
    guard bytes.first != UInt8(ascii: "{") else { return nil }
    for line in bytes.split(separator: UInt8(ascii: "\n")).reversed() where line.count < 1 << 16 {
      let text = String(decoding: line, as: UTF8.self)
      let quoted = text.split(separator: "'", omittingEmptySubsequences: false)
      let words = quoted.count == 3 ? String(quoted[1]) : text
      if (try? Schedule(words)) != nil { return words }
    }
    return nil
  }

  func history() throws(LedgerError) -> RaceHistory {
    do throws(HistoryFile.Failure) {
      return try HistoryFile.decode(bytes)
    } catch {
      throw LedgerError(
        .invalidArguments, "line \(error.line) is not a line of a history: \(error.message)",
        key: path,
        remedy:
          "use a file that `s3health race` recorded or printed; docs/RACE.md describes its format")
    }
  }
}

import HealthLedger
import RaceHarness

/// What `race replay` was given as a file.
struct ReplayedFile {
  let path: String
  let bytes: [UInt8]

  /// The schedule in a file that is no history: of its last line that has one, as a failing run
  /// ends, with or without the command around it.
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
        .invalidArguments, "line \(error.line) is not of a history: \(error.message)", key: path,
        remedy: "give a file that `s3health race` recorded or printed; docs/RACE.md has its form")
    }
  }
}

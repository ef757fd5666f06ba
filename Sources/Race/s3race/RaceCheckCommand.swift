import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthSources
import Race

/// `s3race check`: checks recorded histories.
struct RaceCheckCommand: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check recorded histories (JSON lines) against every promise.",
    discussion: "docs/RACE.md describes the file format. Exits with 1 if a promise was broken.")

  @Argument(help: .init("The history; - is stdin.", valueName: "file"))
  var file: String

  @OptionGroup var output: OutputOptions

  /// The most bytes of one history. A file may hold several.
  static let maximumBytes = 1 << 30

  func result() async throws(LedgerError) -> any CommandResult {
    var report = HistoryReport(file: file)
    var reader = HistoryReader()
    var size = 0
    do {
      try InputFile.forEachLine(of: file, maximumBytes: HistoryFile.maximumLine) { line throws in
        size += line.count
        guard size <= Self.maximumBytes else {
          throw LedgerError(
            .invalidArguments, "a history is larger than \(Self.maximumBytes >> 20) MB",
            key: file, remedy: "record shorter rounds")
        }
        if let history = try reader.take(line) {
          size = 0
          report.judge(history)
        }
      }
      report.judge(try reader.finish())
    } catch let error as InvalidText {
      throw LedgerError(
        .invalidArguments, error.message, key: file,
        remedy: "use a file that `s3race` recorded; docs/RACE.md describes its format")
    } catch let error as LedgerError {
      throw error
    } catch {
      throw LedgerError(.internal, "the history can't be read: \(error)", key: file)
    }
    return report
  }
}

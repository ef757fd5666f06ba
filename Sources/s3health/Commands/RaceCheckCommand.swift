import ArgumentParser
import HealthLedger
import HealthModel
import RaceHarness

/// `race check`: judges a history that was recorded before.
struct RaceCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a recorded history (JSON lines) against every promise.",
    discussion: "The form of the file is in docs/RACE.md. Exits with 1 if a promise was broken.")

  @Argument(help: .init("The history; - is stdin.", valueName: "file"))
  var file: String

  @OptionGroup var output: OutputOptions

  /// Most bytes of a history.
  static let maximumBytes = 1 << 30

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let bytes = try InputFile.read(file, maximumBytes: Self.maximumBytes)
      let history: RaceHistory
      do throws(HistoryFile.Failure) {
        history = try HistoryFile.decode(bytes)
      } catch {
        throw LedgerError(
          .invalidArguments, "line \(error.line) is not of a history: \(error.message)", key: file,
          remedy: "give a file that `s3health race` recorded; docs/RACE.md has its form")
      }
      let report = HistoryReport(file: file, history: history, findings: history.findings())
      try report.print(output.output)
      return report.findings.isEmpty ? .success : foundSomething
    }
  }
}

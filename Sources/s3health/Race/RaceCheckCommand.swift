import ArgumentParser
import HealthLedger
import HealthModel
import Intake
import RaceHarness

/// `race check`: judges histories that were recorded before.
struct RaceCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check recorded histories (JSON lines) against every promise.",
    discussion: "The form of the file is in docs/RACE.md. Exits with 1 if a promise was broken.")

  @Argument(help: .init("The history; - is stdin.", valueName: "file"))
  var file: String

  @OptionGroup var output: OutputOptions

  /// Most bytes of one history, of which a file may hold many.
  static let maximumBytes = 1 << 30

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      var report = HistoryReport(file: file)
      var reader = HistoryReader()
      var size = 0
      do {
        try InputFile.forEachLine(of: file, maximumBytes: HistoryFile.maximumLine) { line throws in
          size += line.count
          guard size <= Self.maximumBytes else {
            throw LedgerError(
              .invalidArguments, "a history has more than \(Self.maximumBytes >> 20) MB",
              key: file, remedy: "record shorter rounds")
          }
          if let history = try reader.take(line) {
            size = 0
            report.judge(history)
          }
        }
        report.judge(try reader.finish())
      } catch let error as HistoryFile.Failure {
        throw LedgerError(
          .invalidArguments, "line \(error.line) is not of a history: \(error.message)", key: file,
          remedy: "give a file that `s3health race` recorded; docs/RACE.md has its form")
      } catch let error as LedgerError {
        throw error
      } catch let error as IntakeError {
        throw LedgerError(error)
      } catch {
        throw LedgerError(.internal, "the history can't be read: \(error)", key: file)
      }
      try report.print(output.output)
      return report.isGood ? .success : foundSomething
    }
  }
}

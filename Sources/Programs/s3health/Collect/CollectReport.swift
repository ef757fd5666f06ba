import ArgumentParser
import CommandLineKit
import HealthCollector
import HealthLedger
import HealthModel

/// What a run of `collect` did, as text for people and as the document of docs/OUTPUT.md.
struct CollectReport {
  private let days: PutReport
  private let outcomes: DayOutcomes
  private let run: CollectorRun
  /// What was read: a path, or `streams`.
  let source: String

  /// - Parameter source: the path that was read, or `streams`.
  init(_ days: PutReport, _ outcomes: DayOutcomes, run: CollectorRun, source: String) {
    (self.days, self.outcomes, self.run, self.source) = (days, outcomes, run, source)
  }

  /// Success only if every day succeeded.
  var exitCode: ExitCode { outcomes.exitCode }

  /// The days that the run looked at, those of which a revision was stored, and the first failure.
  var dayCount: Int { outcomes.rows.count }
  var storedCount: Int { outcomes.storedCount }
  var firstError: LedgerError? { outcomes.firstError }

  func print(_ format: OutputFormat) throws(LedgerError) {
    outcomes.sayErrors()
    switch format {
    case .json:
      var members = days.members
      members["source"] = .string(source)
      members["today"] = .string(run.today.description)
      members["catch_up_days"] = .number(Double(run.catchUpDays))
      try StandardStreams.write(.object(members))
    case .text:
      StandardStreams.remark(notes: days.notes)
      guard !Diagnostics.isQuiet || outcomes.exitCode != .success else { return }
      var lines = days.lines(.standardOutput())
      if outcomes.exitCode == .success, outcomes.storedCount == 0 {
        lines.append("nothing has changed: no revision was written")
      }
      try StandardStreams.writeLine(lines.joined(separator: "\n"))
    }
  }
}

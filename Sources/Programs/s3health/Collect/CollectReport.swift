import ArgumentParser
import CommandLineKit
import HealthCollector
import HealthEvents
import HealthLedger
import HealthModel
import HealthSources

/// What a run of `collect` did.
struct CollectReport: CommandResult {
  private let days: PutReport
  private let outcomes: DayOutcomes
  private let run: CollectorRun
  /// What was read: a path, or `streams`.
  let source: String
  /// Why files of the source could not be read.
  private let errors: [LedgerError]
  /// How many files could not be read and may still be arriving: the next runs read them.
  let arriving: Int

  /// - Parameters:
  ///   - source: the path that was read, or `streams`.
  ///   - broken: files of it that could not be read.
  init(
    _ opened: OpenedStore, notes: [String], _ outcomes: DayOutcomes, isDryRun: Bool,
    run: CollectorRun, source: String, broken: [BrokenFile] = [], at now: Timestamp
  ) {
    let arriving: [String]
    (errors, arriving) = broken.split(at: now)
    days = PutReport(opened, notes: arriving + notes, outcomes, isDryRun: isDryRun)
    self.arriving = arriving.count
    (self.outcomes, self.run, self.source) = (outcomes, run, source)
  }

  /// Success only if every day succeeded, and every file could be read.
  var exitCode: ExitCode {
    outcomes.exitCode == .success
      ? errors.first?.code.exitCode ?? .success : outcomes.exitCode
  }

  /// The days that the run looked at, those of which a revision was stored, and the first failure.
  var dayCount: Int { outcomes.rows.count }
  var storedCount: Int { outcomes.storedCount }
  var firstError: LedgerError? { outcomes.firstError ?? errors.first }

  func remark(_ format: OutputFormat) {
    for error in errors { StandardStreams.say(error) }
    days.remark(format)
  }

  func lines(_ terminal: Terminal) -> [String] {
    guard !Diagnostics.isQuiet || exitCode != .success else { return [] }
    let isUnchanged = outcomes.exitCode == .success && outcomes.storedCount == 0
    return days.lines(terminal)
      + (isUnchanged ? ["nothing has changed: no revision was written"] : [])
  }

  var document: any Encodable {
    var members = days.members
    members["errors"] = errors.map(\.document)
    members["source"] = source
    members["today"] = run.today
    members["catch_up_days"] = run.catchUpDays
    return members
  }
}

extension [BrokenFile] {
  /// Why files can't be read, and remarks on those that may still be arriving.
  func split(at now: Timestamp) -> (errors: [LedgerError], arriving: [String]) {
    (
      filter { !$0.mayBeArriving(at: now) }.map(\.error),
      filter { $0.mayBeArriving(at: now) }.map {
        "\($0.error.message): it was written less than an hour ago and may still be arriving; a later run "
          + "fails if it stays as it is"
      }
    )
  }
}

extension EventRecorder {
  /// Logs what a collector's run did, and notifies the person of what is news.
  func took(_ report: CollectReport, at now: Timestamp) async {
    let details: [String: JSONValue] = [
      "source": .string(report.source), "days": .number(Double(report.dayCount)),
      "stored": .number(Double(report.storedCount)),
    ]
    if let error = report.firstError {
      await collectFailed(error, isOffline: false, at: now, details)
    } else {
      record(
        LogEvent(
          .collectSucceeded, at: now,
          report.arriving == 0
            ? "the days match the source"
            : "the days match what of the source could be read; files that may still be arriving: "
              + "\(report.arriving)", details: details))
      await notify([.succeeded(.collect)], at: now)
    }
  }

  /// Logs that a run has failed, with what to do about it, which `status` says again.
  func collectFailed(
    _ error: LedgerError, isOffline: Bool, at now: Timestamp, _ details: [String: JSONValue]
  ) async {
    var details = details
    details["remedy"] = error.remedy.map { .string($0.words) }
    record(LogEvent(.collectFailed, at: now, error.message, details: details))
    await notify([.failed(.collect, reason: error.message, isOffline: isOffline)], at: now)
  }
}

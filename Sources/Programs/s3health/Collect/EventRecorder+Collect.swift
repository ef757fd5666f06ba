import CommandLineKit
import HealthEvents
import HealthLedger
import HealthModel

extension EventRecorder {
  /// Logs what a collector's run did, and notifies the person of what is news.
  func took(_ report: CollectReport, at now: Timestamp) async {
    let details: [String: JSONValue] = [
      "source": .string(report.source), "days": .number(Double(report.dayCount)),
      "stored": .number(Double(report.storedCount)),
    ]
    if let error = report.firstError {
      record(LogEvent(.collectFailed, at: now, error.message, details: details))
      await notify([.failed(.collect, reason: error.message, isOffline: false)], at: now)
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

  /// Logs that a run could not even begin.
  func collectFailed(_ error: LedgerError, at now: Timestamp) async {
    record(LogEvent(.collectFailed, at: now, error.message))
    await notify(
      [.failed(.collect, reason: error.message, isOffline: error.isRetryable)], at: now)
  }
}

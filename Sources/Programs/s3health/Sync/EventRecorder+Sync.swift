import CommandLineKit
import HealthEvents
import HealthLedger
import HealthModel
import HealthStreams
import Outbox

extension EventRecorder {
  /// Logs what a sync did, a line for each stream that sent something, and notifies the person of
  /// what is news.
  func took(_ report: SyncReport, at now: Timestamp) async {
    for outcome in report.streams where outcome.requests > 0 {
      record(LogEvent(outcome, at: now))
    }
    let dropped = report.droppedForSpace.failed + report.droppedForSpace.pending
    if dropped > 0 {
      record(
        LogEvent(
          .entriesDropped, at: now, "the disk is nearly full: entries not uploaded were dropped",
          details: ["entries": .number(Double(dropped))]))
    }
    if report.aged.failed > 0 {
      record(
        LogEvent(
          .entriesDropped, at: now, "entries that the receiver refused three days ago were dropped",
          details: ["entries": .number(Double(report.aged.failed))]))
    }
    var events: [NotificationMachine.Event] = [.freeSpace(report.status.space.usable)]
    if let failure = report.failures.first {
      events.append(
        .failed(
          .sync, reason: "\(failure.code): \(failure.message)",
          isOffline: failure.kind == .offline))
    } else if report.requests > 0 {
      events.append(.succeeded(.sync))
    }
    await notify(events, at: now)
  }
}

extension LogEvent {
  /// What came of one stream: with the size of the data and the stream's key.
  fileprivate init(_ outcome: StreamOutcome, at now: Timestamp) {
    var details: [String: JSONValue] = [
      "stream": .string(outcome.stream.rawValue), "entries": .number(Double(outcome.entries)),
      "bytes": .number(Double(outcome.bytes)), "requests": .number(Double(outcome.requests)),
    ]
    if outcome.quarantined > 0 { details["refused"] = .number(Double(outcome.quarantined)) }
    guard let failure = outcome.failure else {
      self.init(.syncSucceeded, at: now, "the batch was confirmed", details: details)
      return
    }
    details["code"] = .string(failure.code)
    self.init(.syncFailed, at: now, failure.message, details: details)
  }
}

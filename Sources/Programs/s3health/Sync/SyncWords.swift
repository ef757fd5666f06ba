import CommandLineKit
import HealthEvents
import HealthLedger
import HealthModel
import HealthStreams
import Outbox

/// What a sync did, as text for people and as the document of docs/OUTPUT.md.
struct SyncWords: CommandResult {
  let report: SyncReport
  let receiver: String

  /// What went well is left out where only errors are wanted.
  func lines(_ terminal: Terminal) -> [String] {
    let (stats, onlyFailures) = (report.status.uploadStats, Diagnostics.isQuiet)
    let shown = report.streams.filter { $0.requests > 0 && !(onlyFailures && $0.isWell) }
    guard !onlyFailures || !shown.isEmpty else { return [] }
    guard report.requests > 0 else {
      let waiting = stats.pending + stats.failed
      guard waiting > 0 else { return ["nothing to upload"] }
      let counts = "\(stats.pending.grouped) pending, \(stats.failed.grouped) failed"
      return [
        stats.pending > 0
          ? "nothing is due: \(counts); what failed is tried again within 5 minutes"
          : "nothing is due: \(counts); `s3health raw sync --retry-failed` tries them again"
      ]
    }
    var lines = shown.map { outcome in
      let mark = terminal.styled(
        outcome.succeeded ? "ok    " : "failed", outcome.succeeded ? .good : .bad)
      return "\(mark)  " + outcome.stream.shortName.padded(to: 10) + "  "
        + outcome.entries.counted("entry", "entries").leftPadded(to: 16) + "  "
        + Self.size(outcome.bytes).leftPadded(to: 9) + "  "
        + outcome.requests.counted("request")
        + (outcome.quarantined > 0 ? "  \(outcome.quarantined.grouped) refused" : "")
        + (outcome.givenUp > 0 ? "  \(outcome.givenUp.grouped) given up for now" : "")
    }
    if stats.pending + stats.failed > 0 {
      lines.append("left    \(stats.pending.grouped) pending, \(stats.failed.grouped) failed")
    }
    return lines
  }

  /// What was dropped, and that the disk runs out of space.
  var warnings: [String] {
    var warnings: [String] = []
    let (space, aged) = (report.droppedForSpace, report.aged)
    if space.failed + space.pending > 0 {
      warnings.append(
        "warning: the disk is nearly full; \((space.failed + space.pending).grouped) entries that "
          + "were not uploaded were dropped, and `s3health status --verbose` shows the gaps")
    }
    if aged.failed > 0 {
      warnings.append(
        "warning: \(aged.failed.grouped) entries that the receiver refused three days ago were "
          + "dropped, and `s3health status --verbose` shows the gaps")
    }
    if report.status.space.level == .critical {
      warnings.append("warning: only \(Self.size(report.status.space.usable)) are left on the disk")
    }
    return warnings
  }

  var document: any Encodable {
    // Whole payloads are of interest to those who queue them.
    let shown = report.streams.filter {
      StreamName.collected.contains($0.stream) || $0.requests > 0 || report.streams.count == 1
    }
    let streams = shown.map { outcome in
      let members: Document = [
        "success": outcome.succeeded, "requests": outcome.requests, "batches": outcome.batches,
        "entries": outcome.entries, "bytes": outcome.bytes, "refused": outcome.quarantined,
        "error": outcome.failure?.document,
      ]
      return (outcome.stream.rawValue, members)
    }
    let status = report.status
    return [
      "receiver": receiver, "started_at": report.startedAt, "finished_at": report.finishedAt,
      "success": report.failures.isEmpty, "streams": Dictionary(uniqueKeysWithValues: streams),
      "dropped_for_space": report.droppedForSpace.failed + report.droppedForSpace.pending,
      "dropped_as_refused": report.aged.failed, "upload_stats": status.uploadStats.document,
    ] as Document
  }

  /// `1.2 MB`.
  static func size(_ bytes: Int) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"]
    var (unit, scale) = (0, 1)
    var tenths: Int { (bytes * 10 + scale / 2) / scale }
    while tenths >= 10_000, unit < units.count - 1 {
      unit += 1
      scale *= 1000
    }
    guard unit > 0 else { return "\(bytes) B" }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}

extension StreamOutcome {
  /// Whether everything that was due was confirmed.
  fileprivate var isWell: Bool { succeeded && quarantined == 0 && givenUp == 0 }
}

extension DeliveryFailure {
  fileprivate var document: JSONValue {
    .object(["code": .string(code), "kind": .string(kind.rawValue), "message": .string(message)])
  }
}

extension SyncStatus.Counts {
  var document: JSONValue {
    .object([
      "pending": .count(pending), "failed": .count(failed), "uploaded": .count(uploaded),
      "total": .count(total),
    ])
  }
}

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

import CommandLineKit
import HealthExports
import HealthModel
import HealthStreams
import Outbox

extension StatusReport {
  /// `--output json`: docs/OUTPUT.md.
  var document: JSONValue {
    let status = outbox ?? SyncStatus()
    var counts: [String: JSONValue] = [:]
    var stats: [String: JSONValue] = [:]
    for stream in Set(StreamName.collected).union(status.streamCounts.keys) {
      let each = status.streamCounts[stream] ?? .init()
      counts[stream.shortName] = .count(each.pending + each.failed)
      stats[stream.shortName] = each.document
    }
    return .object([
      "store": .string(storeName), "newest_day": newest.map(\.document) ?? .null,
      "last_collect": collect?.document ?? .null, "checks": checks.document,
      "healthy": .bool(checks.exitCode == .success), "outbox": .string(outboxPath),
      "last_upload_date": text(status.lastUploadDate),
      "last_successful_sync_date": text(status.lastSuccessfulSyncDate),
      "upload_stats": status.uploadStats.document, "stream_counts": .object(counts),
      "stream_stats": .object(stats),
      "last_error": status.lastError.map {
        .object([
          "code": .string($0.code), "message": .string($0.message), "date": text($0.date),
        ])
      } ?? .null,
      "free_bytes": outbox.map { .count($0.space.usable) } ?? .null,
      "space": .string(status.space.level.rawValue), "gaps": .count(status.gapCount),
      "newest_gaps": .array(
        status.gaps.map { gap in
          .object([
            "stream_name": .string(gap.stream), "feed": gap.feed.map { .string($0) } ?? .null,
            "start": text(gap.start), "end": text(gap.end), "entries": .count(gap.entries),
            "reason": .string(gap.reason), "dropped_at": text(gap.droppedAt),
          ])
        }),
      "push": .array(pushes.map(\.document)), "is_too_old": isTooOld.map { .bool($0) } ?? .null,
    ])
  }
}

private func text(_ moment: Timestamp?) -> JSONValue { moment.map { .string("\($0)") } ?? .null }

extension StatusReport.Newest {
  fileprivate var document: JSONValue {
    .object([
      "date": .string("\(date)"), "generated_at": text(revision?.generatedAt),
      "sources": .array(sources.map { .string($0) }),
    ])
  }
}

extension PushRecord {
  fileprivate var document: JSONValue {
    func moment(_ seconds: Int?) -> JSONValue {
      text(seconds.map { Timestamp(secondsSince1970: $0) })
    }
    return .object([
      "gateway": .string(gateway), "job": .string(job), "instance": .string(instance),
      "last_push": moment(lastAttempt), "last_successful_push": moment(lastSuccess),
      "failures_since": .count(failures), "samples": .count(samples),
      "last_error": lastFailure.map {
        .object([
          "kind": .string($0.kind.rawValue), "message": .string($0.message),
          "date": moment($0.at),
        ])
      } ?? .null,
    ])
  }
}

import CommandLineKit
import HealthExports
import HealthModel
import HealthStreams
import Outbox

extension StatusReport {
  /// `--output json`: docs/OUTPUT.md.
  var document: any Encodable {
    let status = outbox ?? SyncStatus()
    var counts: [String: Int] = [:]
    var stats: [String: JSONValue] = [:]
    for stream in Set(StreamName.collected).union(status.streamCounts.keys) {
      let each = status.streamCounts[stream] ?? .init()
      counts[stream.shortName] = each.pending + each.failed
      stats[stream.shortName] = each.document
    }
    return [
      "store": storeName, "newest_day": newest?.document, "last_collect": collect?.document,
      "checks": checks.document, "healthy": checks.exitCode == .success, "outbox": outboxPath,
      "last_upload_date": status.lastUploadDate,
      "last_successful_sync_date": status.lastSuccessfulSyncDate,
      "upload_stats": status.uploadStats.document, "stream_counts": counts, "stream_stats": stats,
      "last_error": status.lastError.map {
        ["code": $0.code, "message": $0.message, "date": $0.date] as Document
      },
      "free_bytes": outbox?.space.usable, "space": status.space.level.rawValue,
      "gaps": status.gapCount,
      "newest_gaps": status.gaps.map { gap in
        [
          "stream_name": gap.stream, "feed": gap.feed, "start": gap.start, "end": gap.end,
          "entries": gap.entries, "reason": gap.reason, "dropped_at": gap.droppedAt,
        ] as Document
      },
      "push": pushes.map(\.document), "is_too_old": isTooOld,
    ] as Document
  }
}

extension StatusReport.Newest {
  fileprivate var document: Document {
    ["date": date, "generated_at": revision?.generatedAt, "sources": sources]
  }
}

extension PushRecord {
  fileprivate var document: Document {
    func moment(_ seconds: Int?) -> Timestamp? { seconds.map(Timestamp.init(secondsSince1970:)) }
    return [
      "gateway": gateway, "job": job, "instance": instance, "last_push": moment(lastAttempt),
      "last_successful_push": moment(lastSuccess), "failures_since": failures, "samples": samples,
      "last_error": lastFailure.map {
        ["kind": $0.kind.rawValue, "message": $0.message, "date": moment($0.at)] as Document
      },
    ]
  }
}

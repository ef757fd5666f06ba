import CommandLineKit
import HealthModel
import HealthStreams
import Outbox

/// The state of the outbox, as text for people and as the document of docs/OUTPUT.md.
struct StatusWords {
  private let status: SyncStatus
  private let exists: Bool
  private let path: String
  private let now: Timestamp
  private let maximumAge: Int?
  private let push: PushStatusWords

  init(
    _ status: SyncStatus, exists: Bool, path: String, now: Timestamp, maximumAge: Int?,
    push: PushStatusWords
  ) {
    self.push = push
    (self.status, self.exists, self.path) = (status, exists, path)
    (self.now, self.maximumAge) = (now, maximumAge)
  }

  /// Whether the last success is longer ago than was asked for.
  var isTooOld: Bool {
    guard let maximumAge else { return false }
    guard let last = status.lastSuccessfulSyncDate else { return true }
    return now.secondsSince1970 - last.secondsSince1970 > maximumAge
  }

  func lines(_ terminal: Terminal) -> [String] { queue(terminal) + push.lines(terminal) }

  private func queue(_ terminal: Terminal) -> [String] {
    var lines = [terminal.styled(path.printable, .strong)]
    guard exists else { return lines + ["there is no outbox yet; `s3health raw add` creates it"] }
    let success = moment(status.lastSuccessfulSyncDate)
    lines.append("last attempt  " + moment(status.lastUploadDate))
    lines.append("last success  " + (isTooOld ? terminal.styled(success, .bad) : success))
    lines.append("")
    lines.append(
      terminal.styled("stream           pending      failed    uploaded       total", .strong))
    for stream in StreamName.queued
    where StreamName.collected.contains(stream) || status.streamCounts[stream] != nil {
      lines.append(row(stream.shortName, status.streamCounts[stream] ?? .init()))
    }
    lines.append(row("all", status.uploadStats))
    lines.append("")
    if let error = status.lastError {
      let isOver = status.lastSuccessfulSyncDate.map { $0 > error.date } ?? false
      lines.append(
        terminal.styled(
          "last error    \(error.code) \(ago(error.date)): \(error.message.printable)",
          isOver ? .faint : .bad))
    }
    lines.append("free space    \(SyncWords.size(status.space.usable))" + spaceWarning)
    lines += gaps
    return lines
  }

  private func row(_ name: String, _ counts: SyncStatus.Counts) -> String {
    name.padded(to: 12)
      + [counts.pending, counts.failed, counts.uploaded, counts.total].map {
        $0.grouped.leftPadded(to: 12)
      }.joined()
  }

  private var spaceWarning: String {
    switch status.space.level {
    case .enough: ""
    case .low: " (low: the oldest entries are dropped first)"
    case .critical: " (very low: free some space)"
    }
  }

  private var gaps: [String] {
    guard status.gapCount > 0 else { return [] }
    let entries = status.gapCount == 1 ? "1 gap" : "\(status.gapCount.grouped) gaps"
    return ["\(entries): entries that were dropped without an upload"]
      + status.gaps.prefix(10).map { gap in
        "  \(gap.start) to \(gap.end)  \(gap.stream.printable)  \(gap.entries.grouped) entries, "
          + "\(Self.words(gap.reason)) on \(gap.droppedAt)"
      }
      + (status.gapCount > 10 ? ["  (older gaps are omitted; --output json has 100)"] : [])
  }

  private static func words(_ reason: String) -> String {
    switch GapReason(rawValue: reason) {
    case .space: "because the disk was full,"
    case .refused: "because the receiver refused them,"
    case .user, nil: "by the user,"
    }
  }

  private func moment(_ moment: Timestamp?) -> String {
    moment.map { "\($0), \(ago($0))" } ?? "never"
  }

  private func ago(_ moment: Timestamp) -> String { moment.ago(now) }

  var document: JSONValue {
    func text(_ moment: Timestamp?) -> JSONValue { moment.map { .string("\($0)") } ?? .null }
    var counts: [String: JSONValue] = [:]
    var stats: [String: JSONValue] = [:]
    for (stream, each) in status.streamCounts {
      counts[stream.shortName] = .count(each.pending + each.failed)
      stats[stream.shortName] = each.document
    }
    for stream in StreamName.collected where counts[stream.shortName] == nil {
      counts[stream.shortName] = .count(0)
      stats[stream.shortName] = SyncStatus.Counts().document
    }
    return .object([
      "outbox": .string(path), "last_upload_date": text(status.lastUploadDate),
      "last_successful_sync_date": text(status.lastSuccessfulSyncDate),
      "upload_stats": status.uploadStats.document, "stream_counts": .object(counts),
      "stream_stats": .object(stats),
      "last_error": status.lastError.map {
        .object([
          "code": .string($0.code), "message": .string($0.message), "date": text($0.date),
        ])
      } ?? .null,
      "free_bytes": exists ? .count(status.space.usable) : .null,
      "space": .string(status.space.level.rawValue), "gaps": .count(status.gapCount),
      "newest_gaps": .array(
        status.gaps.map { gap in
          .object([
            "stream_name": .string(gap.stream), "feed": gap.feed.map { .string($0) } ?? .null,
            "start": text(gap.start), "end": text(gap.end), "entries": .count(gap.entries),
            "reason": .string(gap.reason), "dropped_at": text(gap.droppedAt),
          ])
        }),
      "push": push.document, "is_too_old": maximumAge == nil ? .null : .bool(isTooOld),
    ])
  }
}

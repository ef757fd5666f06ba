package import HealthModel
package import HealthStreams

/// What the outbox holds and how its last syncs went. Read from the tables, at one moment.
package struct SyncStatus: Hashable, Sendable {
  /// Entries by what became of them.
  package struct Counts: Hashable, Sendable {
    /// Not confirmed and not failed.
    package var pending = 0
    /// Given up, or refused by the receiver.
    package var failed = 0
    /// Confirmed, and kept for three days.
    package var uploaded = 0

    package init() {}

    /// All entries in the outbox.
    package var total: Int { pending + failed + uploaded }
  }

  /// The last failure of a delivery.
  package struct LastError: Hashable, Sendable {
    /// `E001` to `E005`.
    package let code: String
    package let message: String
    package let date: Timestamp
  }

  /// Entries that were dropped although nobody confirmed them.
  package struct Gap: Hashable, Sendable {
    package let stream: String
    package let feed: String?
    package let start: Timestamp
    package let end: Timestamp
    package let entries: Int
    package let reason: String
    package let droppedAt: Timestamp
  }

  /// The most recent attempt to upload, successful or not.
  package internal(set) var lastUploadDate: Timestamp?
  /// The last confirmed upload.
  package internal(set) var lastSuccessfulSyncDate: Timestamp?
  package internal(set) var uploadStats = Counts()
  /// Each stream has its counts, even if it has no entry.
  package internal(set) var streamCounts: [StreamName: Counts] = [:]
  package internal(set) var lastError: LastError?
  /// The newest gaps, at most 100, the newest first.
  package internal(set) var gaps: [Gap] = []
  package internal(set) var gapCount = 0
  /// Bytes that new entries may use: free on the disk, and in free pages.
  package internal(set) var space: SpaceRule.Reading

  package init() { space = SpaceRule.Reading(disk: SpaceRule.warningBytes, pages: 0) }
}

extension Outbox {
  package func status() throws(OutboxError) -> SyncStatus {
    try database.withLock { database throws(OutboxError) in
      try database.reading { () throws(OutboxError) in try Self.status(of: database, file) }
    }
  }

  private static func status(
    of database: Database, _ file: OutboxFile
  ) throws(OutboxError) -> SyncStatus {
    var status = SyncStatus()
    func moment(_ name: OutboxState) throws(OutboxError) -> Timestamp? {
      try database.intState(name).map { Timestamp(secondsSince1970: $0) }
    }
    status.lastUploadDate = try moment(.lastUploadDate)
    status.lastSuccessfulSyncDate = try moment(.lastSuccessfulSyncDate)
    if let code = try database.textState(.lastErrorCode), let date = try moment(.lastErrorDate) {
      status.lastError = .init(
        code: code, message: try database.textState(.lastErrorMessage) ?? "", date: date)
    }
    for stream in StreamName.collected { status.streamCounts[stream] = .init() }
    for channel in try Channel.all(in: database) {
      guard let stream = StreamName(rawValue: channel.stream) else { continue }
      let counts = try counts(of: channel, in: database)
      if counts == .init(), status.streamCounts[stream] == nil { continue }
      status.streamCounts[stream, default: .init()].pending += counts.pending
      status.streamCounts[stream, default: .init()].failed += counts.failed
      status.streamCounts[stream, default: .init()].uploaded += counts.uploaded
      status.uploadStats.pending += counts.pending
      status.uploadStats.failed += counts.failed
      status.uploadStats.uploaded += counts.uploaded
    }
    status.gaps = try gaps(in: database)
    status.gapCount = try database.number("SELECT count(*) FROM gaps")
    status.space = try SpaceMaker(database, file).reading()
    return status
  }

  private static func counts(
    of channel: Channel, in database: Database
  ) throws(OutboxError) -> SyncStatus.Counts {
    var counts = SyncStatus.Counts()
    let all = try database.statement("SELECT count(*) FROM entries WHERE channel = ?")
    all.bind(1, channel.number)
    _ = try all.step()
    counts.pending = all.int(0)
    all.reset()
    let batches = try database.statement(
      """
      SELECT status, sum(record_count) FROM batches WHERE channel = ? AND status <> 'pending'
      GROUP BY status
      """)
    batches.bind(1, channel.number)
    while try batches.step() {
      let count = batches.int(1)
      if batches.text(0) == "failed" { counts.failed = count } else { counts.uploaded = count }
      counts.pending -= count
    }
    return counts
  }

  private static func gaps(in database: Database) throws(OutboxError) -> [SyncStatus.Gap] {
    let select = try database.statement(
      """
      SELECT stream_name, feed, starts_at, ends_at, record_count, reason, dropped_at FROM gaps
      ORDER BY number DESC LIMIT 100
      """)
    var found: [SyncStatus.Gap] = []
    while try select.step() {
      found.append(
        .init(
          stream: select.text(0) ?? "", feed: select.text(1),
          start: Timestamp(secondsSince1970: select.int(2)),
          end: Timestamp(secondsSince1970: select.int(3)), entries: select.int(4),
          reason: select.text(5) ?? "", droppedAt: Timestamp(secondsSince1970: select.int(6))))
    }
    return found
  }
}

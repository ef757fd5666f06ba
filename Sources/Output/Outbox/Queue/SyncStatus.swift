public import HealthModel
public import HealthStreams

/// What the outbox holds and how its last syncs went. Read from the tables, at one moment, so that it
/// is right after a restart too.
///
/// Dates are by this machine's clock, and nil where nothing happened yet. `lastUploadDate` moves with
/// each attempt; `lastSuccessfulSyncDate` only when a receiver has confirmed a batch.
///
/// ```swift
/// func show(_ outbox: Outbox) throws {
///   let status = try outbox.status()
///   let waiting = status.streamCounts[.healthKit]?.pending ?? 0
///   print("\(waiting) samples of \(status.uploadStats.total) entries wait")
///   if let date = status.lastSuccessfulSyncDate { print("last synced \(date)") }
///   if let error = status.lastError { print("\(error.code): \(error.message)") }
/// }
/// ```
public struct SyncStatus: Hashable, Sendable {
  /// Entries by what became of them.
  public struct Counts: Hashable, Sendable {
    /// Not confirmed and not failed.
    public internal(set) var pending = 0
    /// Given up, or refused by the receiver.
    public internal(set) var failed = 0
    /// Confirmed, and kept for three days.
    public internal(set) var uploaded = 0

    package init() {}

    /// All entries in the outbox.
    public var total: Int { pending + failed + uploaded }

    mutating func add(_ other: Counts) {
      pending += other.pending
      failed += other.failed
      uploaded += other.uploaded
    }
  }

  /// The last failure of a delivery.
  public struct LastError: Hashable, Sendable {
    /// `E001` to `E005`.
    public let code: String
    /// One sentence without a secret.
    public let message: String
    /// When.
    public let date: Timestamp
  }

  /// Entries that were dropped although nobody confirmed them.
  public struct Gap: Hashable, Sendable {
    /// The stream's name on the wire.
    public let stream: String
    /// The source's name of what is missing; nil where entries were added without one.
    public let feed: String?
    /// The start of the first entry.
    public let start: Timestamp
    /// The end of the last one.
    public let end: Timestamp
    /// How many were dropped.
    public let entries: Int
    /// Why: `space`, `refused` or `user`.
    public let reason: String
    /// When.
    public let droppedAt: Timestamp
  }

  /// The most recent attempt to upload, successful or not.
  public internal(set) var lastUploadDate: Timestamp?
  /// The last confirmed upload.
  public internal(set) var lastSuccessfulSyncDate: Timestamp?
  /// Of all streams together.
  public internal(set) var uploadStats = Counts()
  /// Each stream has its counts, even if it has no entry.
  public internal(set) var streamCounts: [StreamName: Counts] = [:]
  /// What the last delivery that failed said; kept after a success.
  public internal(set) var lastError: LastError?
  /// The newest gaps, at most 100, the newest first.
  public internal(set) var gaps: [Gap] = []
  /// How many gaps there are.
  public internal(set) var gapCount = 0
  /// Bytes that new entries may use: free on the disk, and in free pages.
  package internal(set) var space: SpaceRule.Reading

  /// Whether the person should be told that the device is nearly full: fewer than 50 MB are left.
  public var needsSpace: Bool { space.level == .critical }

  package init() { space = SpaceRule.Reading(disk: SpaceRule.warningBytes, pages: 0) }
}

extension Outbox {
  /// What is queued and how the last syncs went, counted in the tables at one moment.
  public func status() throws(OutboxError) -> SyncStatus {
    try database.withLock { database throws(OutboxError) in
      try database.reading { () throws(OutboxError) in try Self.status(of: database, file) }
    }
  }

  private static func status(
    of database: Database, _ file: OutboxFile
  ) throws(OutboxError) -> SyncStatus {
    var status = SyncStatus()
    status.lastUploadDate = try database.state(.lastUploadDate) { $0.optionalTime(0) }
    status.lastSuccessfulSyncDate = try database.state(.lastSuccessfulSyncDate) {
      $0.optionalTime(0)
    }
    if let code = try database.state(.lastErrorCode, { $0.text(0) }),
      let date = try database.state(.lastErrorDate, { $0.optionalTime(0) })
    {
      let message = try database.state(.lastErrorMessage) { $0.text(0) } ?? ""
      status.lastError = .init(code: code, message: message, date: date)
    }
    for stream in StreamName.collected { status.streamCounts[stream] = .init() }
    for channel in try Channel.all(in: database) {
      guard let stream = StreamName(rawValue: channel.stream) else { continue }
      let counts = try counts(of: channel, in: database)
      if counts == .init(), status.streamCounts[stream] == nil { continue }
      status.streamCounts[stream, default: .init()].add(counts)
      status.uploadStats.add(counts)
    }
    status.gaps = try database.rows(
      """
      SELECT stream_name, feed, starts_at, ends_at, record_count, reason, dropped_at FROM gaps
      ORDER BY number DESC LIMIT 100
      """
    ) { row in
      .init(
        stream: row.text(0) ?? "", feed: row.text(1), start: row.time(2), end: row.time(3),
        entries: row.int(4), reason: row.text(5) ?? "", droppedAt: row.time(6))
    }
    status.gapCount = try database.number("SELECT count(*) FROM gaps")
    status.space = try SpaceMaker(database, file).reading()
    return status
  }

  private static func counts(
    of channel: Channel, in database: Database
  ) throws(OutboxError) -> SyncStatus.Counts {
    var counts = SyncStatus.Counts()
    counts.pending = try database.number(
      "SELECT count(*) FROM entries WHERE channel = ?", channel.number)
    let batches = """
      SELECT status, sum(record_count) FROM batches WHERE channel = ? AND status <> 'pending'
      GROUP BY status
      """
    try database.each(batches, [channel.number]) { row throws(OutboxError) in
      let count = row.int(1)
      if row.text(0) == "failed" { counts.failed = count } else { counts.uploaded = count }
      counts.pending -= count
      return true
    }
    return counts
  }
}

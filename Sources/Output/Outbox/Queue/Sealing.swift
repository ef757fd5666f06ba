import HealthModel
import HealthStreams

/// Seals, splits and reads batches, within a transaction (R46).
struct Sealing {
  /// A sealed batch as its row has it.
  struct Row {
    var state: BatchState
    var deviceID: String
    var channel: Int
    var entries: ClosedRange<Int>
    var session: String
    var appVersion: String
  }

  private let database: Database
  private let file: OutboxFile

  init(_ database: Database, _ file: OutboxFile) { (self.database, self.file) = (database, file) }

  /// The pending batch that is due, with the fewest attempts, the oldest first.
  ///
  /// - Parameter recent: batches with an entry since then come before all others.
  func due(
    _ stream: StreamName, now: Timestamp, recent: Timestamp? = nil
  ) throws(OutboxError) -> Row? {
    let pending =
      Self.columns + " WHERE status = 'pending' AND stream_name = ? "
      + "ORDER BY latest_start < ?, upload_attempts, batches.number"
    var found: Row?
    try database.each(pending, [stream.rawValue, recent?.secondsSince1970 ?? Int.min]) {
      row throws(OutboxError) in
      let own = Self.row(row, stream)
      if RetryRule.isDue(own.state.nextAttempt, now: now) { found = own }
      return found == nil
    }
    return found
  }

  /// Seals the oldest entries of a stream that are in no batch; nil if there are none.
  func sealNext(
    _ stream: StreamName, now: Timestamp
  ) throws(OutboxError) -> (row: Row, batch: SealedBatch)? {
    for channel in try Channel.all(in: database) where channel.stream == stream.rawValue {
      let waiting = try database.rows(
        "SELECT id, length(payload) FROM entries WHERE channel = ? AND id > ? ORDER BY id LIMIT ?",
        channel.number, channel.sealed, SealingRule.maximumRecords(of: stream)
      ) { (id: $0.int(0), size: $0.int(1)) }
      guard !waiting.isEmpty else { continue }
      let session = Self.session()
      var empty = BatchBody(
        count: 0, entryBytes: 0, session: session, appVersion: file.appVersion)
      let overhead = empty.seal(stream, deviceID: channel.deviceID).body.count
      // The number of records takes up to three digits more.
      let count = SealingRule.count(of: waiting.lazy.map(\.size), overhead: overhead + 3)
      let range = waiting[0].id...waiting[count - 1].id
      let sealed = try seal(
        range, of: channel.number, channel.deviceID, stream, session: session, attempts: 0,
        next: nil, now: now)
      try database.run(
        "UPDATE channels SET sealed = ? WHERE number = ?", range.upperBound, channel.number)
      return sealed
    }
    return nil
  }

  /// Puts two batches in the place of a pending one, each of half its entries and with its attempts.
  /// What the second replaces is not in the first.
  func split(_ id: String, now: Timestamp) throws(OutboxError) {
    guard let row = try row(where: "batch_id = ? AND status = 'pending'", id) else { return }
    let all = try database.rows(
      "SELECT id FROM entries WHERE channel = ? AND id BETWEEN ? AND ? ORDER BY id", row.channel,
      row.entries.lowerBound, row.entries.upperBound
    ) { $0.int(0) }
    guard let (first, _) = SealingRule.halves(of: all.count), let last = all.last else { return }
    try database.run("DELETE FROM batches WHERE batch_id = ?", id)
    func seal(_ range: ClosedRange<Int>) throws(OutboxError) -> Row {
      try self.seal(
        range, of: row.channel, row.deviceID, row.state.stream, session: Self.session(),
        attempts: row.state.attempts, next: row.state.nextAttempt, now: now
      ).row
    }
    _ = try seal(all[0]...all[first - 1])
    // The whole may have been stored before, although its answer was lost.
    try removeReplaced(by: try seal(all[first]...last), now: now)
  }

  /// The batch, byte for byte as it was sealed.
  func content(of row: Row) throws(OutboxError) -> SealedBatch {
    let batch = try build(
      row.entries, of: row.channel, row.deviceID, row.state.stream, session: row.session,
      appVersion: row.appVersion)
    guard batch.id == row.state.id else {
      throw OutboxError(
        .damaged, path: file.path,
        "the entries of batch \(row.state.id) are not those it was sealed from")
    }
    return batch
  }

  // MARK: - What was queued again

  /// Takes out of the older batches what the batch takes the place of (R45). Called before it is sent.
  ///
  /// Batches are not sent in the order in which they were queued: one waits for its next attempt, was
  /// given up, or has no recent entry. What was queued first would be received last, and count. So of
  /// each identity the batches that wait have no entry older than one that was ever sent, whatever order
  /// they go in. A deletion counts in any order, so it stays, and so does its sample.
  ///
  /// It reads every entry of the older batches, of which there are none while the receiver works.
  func removeReplaced(by row: Row, now: Timestamp) throws(OutboxError) {
    let (first, last) = (row.entries.lowerBound, row.entries.upperBound)
    let older = try database.rows(
      """
      SELECT entry_id, starts_at, ends_at, sample_type, payload, entries.id, number
      FROM batches CROSS JOIN entries
        ON entries.channel = batches.channel AND entries.id BETWEEN first_entry AND last_entry
      WHERE batches.channel = ?1 AND status IN ('pending', 'failed') AND first_entry < ?2
        AND is_deletion = 0 AND entry_id IN (
          SELECT entry_id FROM entries
          WHERE channel = ?1 AND id BETWEEN ?2 AND ?3 AND is_deletion = 0)
      ORDER BY entries.id
      """, row.channel, first, last
    ) { (identity: Self.identity($0, row), id: $0.int(5), batch: $0.int(6)) }
    guard !older.isEmpty else { return }
    let newer = Set(
      try database.rows(
        """
        SELECT entry_id, starts_at, ends_at, sample_type, payload FROM entries
        WHERE channel = ? AND id BETWEEN ? AND ? AND is_deletion = 0
        """, row.channel, first, last
      ) { Self.identity($0, row) })
    var batches: [Int] = []
    for entry in older where newer.contains(entry.identity) {
      try database.run("DELETE FROM entries WHERE id = ?", entry.id)
      if batches.last != entry.batch { batches.append(entry.batch) }
    }
    for batch in batches { try sealAnew(batch, now: now) }
  }

  private static func identity(_ found: Statement, _ row: Row) -> EntryIdentity {
    EntryIdentity(
      StreamEntry(
        stream: row.state.stream, id: found.text(0) ?? "", start: found.time(1),
        end: found.time(2), sampleType: found.text(3), isDeletion: false, bytes: found.blob(4)),
      // A receiver gives the feed of an object, the same to all of an outbox.
      device: row.deviceID, feed: "")
  }

  /// Seals what is left of a batch, which keeps its place and its attempts. If nothing is, it goes.
  private func sealAnew(_ number: Int, now: Timestamp) throws(OutboxError) {
    guard let row = try row(where: "batches.number = ?", number) else { return }
    let session = Self.session()
    let batch = try build(
      row.entries, of: row.channel, row.deviceID, row.state.stream, session: session,
      appVersion: file.appVersion)
    guard batch.recordCount > 0 else {
      try database.run("DELETE FROM batches WHERE number = ?", number)
      return
    }
    try database.run(
      """
      UPDATE batches SET batch_id = ?, record_count = ?, byte_count = ?, session = ?,
        app_version = ?, sealed_at = ?, latest_start = ? WHERE number = ?
      """, batch.id, batch.recordCount, batch.body.count, session, file.appVersion, now,
      try latestStart(row.entries, of: row.channel), number)
  }

  // MARK: - Rows

  private static let columns = """
    SELECT batch_id, record_count, upload_attempts, next_attempt_date, device_id, channel,
      first_entry, last_entry, session, app_version, stream_name
    FROM batches JOIN channels ON channels.number = channel
    """

  /// The batch that a condition names; nil if it no longer exists.
  private func row(where condition: String, _ value: any SQLValue) throws(OutboxError) -> Row? {
    var row: Row?
    try database.each(Self.columns + " WHERE " + condition, [value]) { found throws(OutboxError) in
      row = found.text(10).flatMap(StreamName.init(rawValue:)).map { Self.row(found, $0) }
      return false
    }
    return row
  }

  private static func row(_ found: Statement, _ stream: StreamName) -> Row {
    Row(
      state: BatchState(
        id: found.text(0) ?? "", stream: stream, entries: found.int(1), attempts: found.int(2),
        nextAttempt: found.optionalTime(3)),
      deviceID: found.text(4) ?? "", channel: found.int(5),
      entries: found.int(6)...max(found.int(6), found.int(7)), session: found.text(8) ?? "",
      appVersion: found.text(9) ?? "")
  }

  /// Unique to each sealing of a device.
  private static func session() -> String {
    var generator = SystemRandomNumberGenerator()
    return String(UInt64.random(in: 1 << 60 ... .max, using: &generator), radix: 16)
  }

  private func seal(
    _ range: ClosedRange<Int>, of channel: Int, _ device: String, _ stream: StreamName,
    session: String, attempts: Int, next: Timestamp?, now: Timestamp
  ) throws(OutboxError) -> (row: Row, batch: SealedBatch) {
    let batch = try build(
      range, of: channel, device, stream, session: session, appVersion: file.appVersion)
    try database.run(
      """
      INSERT INTO batches (batch_id, channel, first_entry, last_entry, record_count, byte_count,
        session, app_version, sealed_at, upload_attempts, next_attempt_date, latest_start)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, batch.id, channel, range.lowerBound, range.upperBound, batch.recordCount,
      batch.body.count, session, file.appVersion, now, attempts, next,
      try latestStart(range, of: channel))
    let row = Row(
      state: BatchState(
        id: batch.id, stream: stream, entries: batch.recordCount, attempts: attempts,
        nextAttempt: next),
      deviceID: device, channel: channel, entries: range, session: session,
      appVersion: file.appVersion)
    return (row, batch)
  }

  private func latestStart(
    _ range: ClosedRange<Int>, of channel: Int
  ) throws(OutboxError) -> Int {
    try database.number(
      "SELECT max(starts_at) FROM entries WHERE channel = ? AND id BETWEEN ? AND ?", channel,
      range.lowerBound, range.upperBound)
  }

  private func build(
    _ range: ClosedRange<Int>, of channel: Int, _ device: String, _ stream: StreamName,
    session: String, appVersion: String
  ) throws(OutboxError) -> SealedBatch {
    let place = "FROM entries WHERE channel = ? AND id BETWEEN ? AND ?"
    let own: [any SQLValue] = [channel, range.lowerBound, range.upperBound]
    var (count, size) = (0, 0)
    try database.each("SELECT count(*), coalesce(sum(length(payload)), 0) " + place, own) {
      row throws(OutboxError) in
      (count, size) = (row.int(0), row.int(1))
      return false
    }
    var body = BatchBody(
      count: count, entryBytes: size, session: session, appVersion: appVersion)
    // Entries are checked before they are queued, and never change.
    try database.each("SELECT payload, starts_at, ends_at " + place + " ORDER BY id", own) {
      row throws(OutboxError) in
      row.withBlob(0) { body.append($0, row.time(1)...max(row.time(1), row.time(2))) }
      return true
    }
    return body.seal(stream, deviceID: device)
  }
}

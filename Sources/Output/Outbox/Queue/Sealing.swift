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
    let pending = try database.statement(
      Self.columns + " WHERE status = 'pending' AND stream_name = ? "
        + "ORDER BY latest_start < ?, upload_attempts, batches.number")
    pending.bind(1, stream.rawValue)
    pending.bind(2, recent?.secondsSince1970 ?? Int.min)
    defer { pending.reset() }
    while try pending.step() {
      let row = Self.row(pending, stream)
      if RetryRule.isDue(row.state.nextAttempt, now: now) { return row }
    }
    return nil
  }

  /// Seals the oldest entries of a stream that are in no batch; nil if there are none.
  func sealNext(
    _ stream: StreamName, now: Timestamp
  ) throws(OutboxError) -> (row: Row, batch: SealedBatch)? {
    let channels = try database.statement(
      "SELECT number, device_id, sealed FROM channels WHERE stream_name = ? ORDER BY number")
    channels.bind(1, stream.rawValue)
    defer { channels.reset() }
    while try channels.step() {
      let (channel, device) = (channels.int(0), channels.text(1) ?? "")
      let waiting = try database.statement(
        """
        SELECT id, length(payload) FROM entries WHERE channel = ? AND id > ? ORDER BY id LIMIT ?
        """)
      waiting.bind(1, channel)
      waiting.bind(2, channels.int(2))
      waiting.bind(3, SealingRule.maximumRecords(of: stream))
      var found: [(id: Int, size: Int)] = []
      while try waiting.step() { found.append((waiting.int(0), waiting.int(1))) }
      guard !found.isEmpty else { continue }
      let session = Self.session()
      var empty = BatchBody(
        count: 0, entryBytes: 0, session: session, appVersion: file.appVersion)
      let overhead = empty.seal(stream, deviceID: device).body.count
      // The number of records takes up to three digits more.
      let count = SealingRule.count(of: found.lazy.map(\.size), overhead: overhead + 3)
      let range = found[0].id...found[count - 1].id
      let sealed = try seal(
        range, of: channel, device, stream, session: session, attempts: 0, next: nil, now: now)
      let move = try database.statement("UPDATE channels SET sealed = ? WHERE number = ?")
      move.bind(1, range.upperBound)
      move.bind(2, channel)
      try move.run()
      return sealed
    }
    return nil
  }

  /// Puts two batches in the place of a pending one, each of half its entries and with its attempts.
  /// What the second replaces is not in the first.
  func split(_ id: String, now: Timestamp) throws(OutboxError) {
    guard
      let row = try row(where: "batch_id = ? AND status = 'pending'", bind: { $0.bind(1, id) })
    else { return }
    let ids = try database.statement(
      "SELECT id FROM entries WHERE channel = ? AND id BETWEEN ? AND ? ORDER BY id")
    Self.bind(ids, row.channel, row.entries)
    var all: [Int] = []
    while try ids.step() { all.append(ids.int(0)) }
    guard let (first, _) = SealingRule.halves(of: all.count), let last = all.last else { return }
    let remove = try database.statement("DELETE FROM batches WHERE batch_id = ?")
    remove.bind(1, id)
    try remove.run()
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
    let select = try database.statement(
      """
      SELECT entry_id, starts_at, ends_at, sample_type, payload, entries.id, number
      FROM batches CROSS JOIN entries
        ON entries.channel = batches.channel AND entries.id BETWEEN first_entry AND last_entry
      WHERE batches.channel = ?1 AND status IN ('pending', 'failed') AND first_entry < ?2
        AND is_deletion = 0 AND entry_id IN (
          SELECT entry_id FROM entries
          WHERE channel = ?1 AND id BETWEEN ?2 AND ?3 AND is_deletion = 0)
      ORDER BY entries.id
      """)
    Self.bind(select, row.channel, row.entries)
    var older: [(identity: EntryIdentity, id: Int, batch: Int)] = []
    while try select.step() {
      older.append((Self.identity(select, row), select.int(5), select.int(6)))
    }
    guard !older.isEmpty else { return }
    let own = try database.statement(
      """
      SELECT entry_id, starts_at, ends_at, sample_type, payload FROM entries
      WHERE channel = ? AND id BETWEEN ? AND ? AND is_deletion = 0
      """)
    Self.bind(own, row.channel, row.entries)
    var newer: Set<EntryIdentity> = []
    while try own.step() { newer.insert(Self.identity(own, row)) }
    let delete = try database.statement("DELETE FROM entries WHERE id = ?")
    var batches: [Int] = []
    for entry in older where newer.contains(entry.identity) {
      delete.bind(1, entry.id)
      try delete.run()
      if batches.last != entry.batch { batches.append(entry.batch) }
    }
    for batch in batches { try sealAnew(batch, now: now) }
  }

  private static func identity(_ found: Statement, _ row: Row) -> EntryIdentity {
    EntryIdentity(
      StreamEntry(
        stream: row.state.stream, id: found.text(0) ?? "",
        start: Timestamp(secondsSince1970: found.int(1)),
        end: Timestamp(secondsSince1970: found.int(2)), sampleType: found.text(3),
        isDeletion: false, bytes: found.blob(4)),
      // A receiver gives the feed of an object, the same to all of an outbox.
      device: row.deviceID, feed: "")
  }

  /// Seals what is left of a batch, which keeps its place and its attempts. If nothing is, it goes.
  private func sealAnew(_ number: Int, now: Timestamp) throws(OutboxError) {
    guard let row = try row(where: "batches.number = ?", bind: { $0.bind(1, number) }) else {
      return
    }
    let session = Self.session()
    let batch = try build(
      row.entries, of: row.channel, row.deviceID, row.state.stream, session: session,
      appVersion: file.appVersion)
    guard batch.recordCount > 0 else {
      let delete = try database.statement("DELETE FROM batches WHERE number = ?")
      delete.bind(1, number)
      return try delete.run()
    }
    let update = try database.statement(
      """
      UPDATE batches SET batch_id = ?, record_count = ?, byte_count = ?, session = ?,
        app_version = ?, sealed_at = ?, latest_start = ? WHERE number = ?
      """)
    update.bind(1, batch.id)
    update.bind(2, batch.recordCount)
    update.bind(3, batch.body.count)
    update.bind(4, session)
    update.bind(5, file.appVersion)
    update.bind(6, now.secondsSince1970)
    update.bind(7, try latestStart(row.entries, of: row.channel))
    update.bind(8, number)
    try update.run()
  }

  private static func bind(_ statement: Statement, _ channel: Int, _ range: ClosedRange<Int>) {
    statement.bind(1, channel)
    statement.bind(2, range.lowerBound)
    statement.bind(3, range.upperBound)
  }

  // MARK: - Rows

  private static let columns = """
    SELECT batch_id, record_count, upload_attempts, next_attempt_date, device_id, channel,
      first_entry, last_entry, session, app_version, stream_name
    FROM batches JOIN channels ON channels.number = channel
    """

  /// The batch that a condition names; nil if it no longer exists.
  private func row(
    where condition: String, bind: (Statement) -> Void
  ) throws(OutboxError) -> Row? {
    let find = try database.statement(Self.columns + " WHERE " + condition)
    bind(find)
    defer { find.reset() }
    guard try find.step(), let stream = find.text(10).flatMap({ StreamName(rawValue: $0) }) else {
      return nil
    }
    return Self.row(find, stream)
  }

  private static func row(_ found: Statement, _ stream: StreamName) -> Row {
    Row(
      state: BatchState(
        id: found.text(0) ?? "", stream: stream, entries: found.int(1), attempts: found.int(2),
        nextAttempt: found.optionalInt(3).map { Timestamp(secondsSince1970: $0) }),
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
    let insert = try database.statement(
      """
      INSERT INTO batches (batch_id, channel, first_entry, last_entry, record_count, byte_count,
        session, app_version, sealed_at, upload_attempts, next_attempt_date, latest_start)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    insert.bind(1, batch.id)
    insert.bind(2, channel)
    insert.bind(3, range.lowerBound)
    insert.bind(4, range.upperBound)
    insert.bind(5, batch.recordCount)
    insert.bind(6, batch.body.count)
    insert.bind(7, session)
    insert.bind(8, file.appVersion)
    insert.bind(9, now.secondsSince1970)
    insert.bind(10, attempts)
    insert.bind(11, next?.secondsSince1970)
    insert.bind(12, try latestStart(range, of: channel))
    try insert.run()
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
    let select = try database.statement(
      "SELECT max(starts_at) FROM entries WHERE channel = ? AND id BETWEEN ? AND ?")
    Self.bind(select, channel, range)
    defer { select.reset() }
    _ = try select.step()
    return select.int(0)
  }

  private func build(
    _ range: ClosedRange<Int>, of channel: Int, _ device: String, _ stream: StreamName,
    session: String, appVersion: String
  ) throws(OutboxError) -> SealedBatch {
    func entries(_ columns: String) throws(OutboxError) -> Statement {
      let select = try database.statement(
        "SELECT \(columns) FROM entries WHERE channel = ? AND id BETWEEN ? AND ? ORDER BY id")
      Self.bind(select, channel, range)
      return select
    }
    let totals = try entries("count(*), coalesce(sum(length(payload)), 0)")
    _ = try totals.step()
    let (count, size) = (totals.int(0), totals.int(1))
    totals.reset()
    var body = BatchBody(
      count: count, entryBytes: size, session: session, appVersion: appVersion)
    // Entries are checked before they are queued, and never change.
    let payloads = try entries("payload, starts_at, ends_at")
    while try payloads.step() {
      let start = Timestamp(secondsSince1970: payloads.int(1))
      let end = Timestamp(secondsSince1970: max(payloads.int(1), payloads.int(2)))
      payloads.withBlob(0) { body.append($0, start...end) }
    }
    return body.seal(stream, deviceID: device)
  }
}

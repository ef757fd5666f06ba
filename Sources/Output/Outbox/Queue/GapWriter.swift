import HealthModel
import HealthStreams

/// Drops entries that nobody confirmed: records the gap and resets the anchors of their feeds, in
/// the same transaction, so that a collector reads them again (R48).
struct GapWriter {
  private let database: Database
  private let now: Int

  init(_ database: Database, now: Timestamp) {
    (self.database, self.now) = (database, now.secondsSince1970)
  }

  /// Drops a channel's entries with these numbers.
  ///
  /// - Returns: how many there were.
  func drop(_ range: ClosedRange<Int>, of channel: Int, reason: GapReason) throws(OutboxError)
    -> Int
  {
    let record = try database.statement(
      """
      INSERT INTO gaps (stream_name, device_id, feed, starts_at, ends_at, record_count, reason,
        dropped_at)
      SELECT stream_name, device_id, feeds.feed, min(starts_at), max(ends_at), count(*), ?, ?
      FROM entries JOIN channels ON channels.number = channel
      LEFT JOIN feeds ON feeds.number = entries.feed
      WHERE channel = ? AND id BETWEEN ? AND ? GROUP BY entries.feed
      """)
    record.bind(1, reason.rawValue)
    record.bind(2, now)
    record.bind(3, channel)
    record.bind(4, range.lowerBound)
    record.bind(5, range.upperBound)
    try record.run()
    let reset = try database.statement(
      """
      UPDATE feeds SET anchor = NULL WHERE number IN (
        SELECT DISTINCT feed FROM entries WHERE channel = ? AND id BETWEEN ? AND ?)
      """)
    reset.bind(1, channel)
    reset.bind(2, range.lowerBound)
    reset.bind(3, range.upperBound)
    try reset.run()
    return try delete(range, of: channel)
  }

  /// Drops all entries of a batch, and the batch.
  func dropBatch(_ batch: BatchRange, reason: GapReason) throws(OutboxError) -> Int {
    let count = try drop(batch.entries, of: batch.channel, reason: reason)
    try forget(batch)
    return count
  }

  /// Deletes a batch that was confirmed. No gap.
  func deleteUploaded(_ batch: BatchRange) throws(OutboxError) -> Int {
    let count = try delete(batch.entries, of: batch.channel)
    try forget(batch)
    return count
  }

  private func delete(_ range: ClosedRange<Int>, of channel: Int) throws(OutboxError) -> Int {
    let delete = try database.statement(
      "DELETE FROM entries WHERE channel = ? AND id BETWEEN ? AND ?")
    delete.bind(1, channel)
    delete.bind(2, range.lowerBound)
    delete.bind(3, range.upperBound)
    try delete.run()
    return database.changes
  }

  private func forget(_ batch: BatchRange) throws(OutboxError) {
    let delete = try database.statement("DELETE FROM batches WHERE number = ?")
    delete.bind(1, batch.number)
    try delete.run()
  }
}

/// Why entries were dropped that nobody confirmed.
package enum GapReason: String, Hashable, Sendable {
  /// The disk ran out of space.
  case space
  /// The receiver refused them, and three days passed.
  case refused
  /// The user dropped them.
  case user
}

/// Which entries a batch has.
struct BatchRange {
  var number: Int
  var channel: Int
  var entries: ClosedRange<Int>
  var bytes: Int

  /// The batches that a condition selects, with its values, the oldest first.
  static func all(
    _ condition: String, _ values: [Int] = [], in database: Database
  ) throws(OutboxError) -> [BatchRange] {
    let select = try database.statement(
      """
      SELECT number, channel, first_entry, last_entry, byte_count FROM batches
      WHERE \(condition) ORDER BY first_entry
      """)
    for (index, value) in values.enumerated() { select.bind(Int32(index + 1), value) }
    var found: [BatchRange] = []
    while try select.step() {
      found.append(
        BatchRange(
          number: select.int(0), channel: select.int(1),
          entries: select.int(2)...max(select.int(2), select.int(3)), bytes: select.int(4)))
    }
    return found
  }
}

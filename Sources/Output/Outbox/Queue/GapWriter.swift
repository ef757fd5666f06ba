import HealthModel
import HealthStreams

/// Drops entries that nobody confirmed: records the gap and resets the anchors of their feeds, in
/// the same transaction, so that a collector reads them again (R48).
struct GapWriter {
  private let database: Database
  private let now: Timestamp

  init(_ database: Database, now: Timestamp) { (self.database, self.now) = (database, now) }

  /// Drops a channel's entries with these numbers.
  ///
  /// - Returns: how many there were.
  func drop(_ range: ClosedRange<Int>, of channel: Int, reason: GapReason) throws(OutboxError)
    -> Int
  {
    try database.run(
      """
      INSERT INTO gaps (stream_name, device_id, feed, starts_at, ends_at, record_count, reason,
        dropped_at)
      SELECT stream_name, device_id, feeds.feed, min(starts_at), max(ends_at), count(*), ?, ?
      FROM entries JOIN channels ON channels.number = channel
      LEFT JOIN feeds ON feeds.number = entries.feed
      WHERE channel = ? AND id BETWEEN ? AND ? GROUP BY entries.feed
      """, reason.rawValue, now, channel, range.lowerBound, range.upperBound)
    try database.run(
      """
      UPDATE feeds SET anchor = NULL WHERE number IN (
        SELECT DISTINCT feed FROM entries WHERE channel = ? AND id BETWEEN ? AND ?)
      """, channel, range.lowerBound, range.upperBound)
    return try delete(range, of: channel)
  }

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
    try database.run(
      "DELETE FROM entries WHERE channel = ? AND id BETWEEN ? AND ?", channel, range.lowerBound,
      range.upperBound)
  }

  private func forget(_ batch: BatchRange) throws(OutboxError) {
    try database.run("DELETE FROM batches WHERE number = ?", batch.number)
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

  /// The batches that a condition selects, with its value, the oldest first.
  static func all(
    _ condition: String, _ value: any SQLValue..., in database: Database
  ) throws(OutboxError) -> [BatchRange] {
    var found: [BatchRange] = []
    let select = """
      SELECT number, channel, first_entry, last_entry, byte_count FROM batches
      WHERE \(condition) ORDER BY first_entry
      """
    try database.each(select, value) { row throws(OutboxError) in
      found.append(
        BatchRange(
          number: row.int(0), channel: row.int(1),
          entries: row.int(2)...max(row.int(2), row.int(3)),
          bytes: row.int(4)))
      return true
    }
    return found
  }
}

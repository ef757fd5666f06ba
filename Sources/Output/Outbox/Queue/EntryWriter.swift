import HealthModel
import HealthStreams

/// Writes entries in one transaction (R47).
final class EntryWriter {
  private let database: Database
  private let deviceID: String
  private let feed: Int?
  private let now: Timestamp
  private let memory: SampleMemory
  private var next: Int
  private var channels: [StreamName: Int] = [:]

  init(_ database: Database, _ file: OutboxFile, feed: Int?) throws(OutboxError) {
    (self.database, self.feed, deviceID, now) = (database, feed, file.deviceID, file.now())
    memory = SampleMemory(database, now: now)
    // A number is never used again, although the last rows may be deleted: a batch is a range.
    next = try database.number(
      """
      SELECT max(coalesce((SELECT max(id) FROM entries), 0),
        coalesce((SELECT max(sealed) FROM channels), 0)) + 1
      """)
  }

  /// Writes the entries of one call.
  func write(_ entries: [StreamEntry]) throws(OutboxError) {
    for entry in try memory.filed(entries) {
      try database.run(
        """
        INSERT INTO entries (id, channel, feed, created_at, starts_at, ends_at, sample_type,
          is_deletion, entry_id, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, next, try channel(of: entry.stream), feed, now, entry.start, entry.end,
        entry.sampleType, entry.isDeletion ? 1 : 0, entry.id, entry.bytes)
      next += 1
    }
  }

  /// The number of a feed, which is created if it is new.
  static func feed(_ name: String, in database: Database) throws(OutboxError) -> Int {
    try database.run("INSERT OR IGNORE INTO feeds (feed) VALUES (?)", name)
    return try database.number("SELECT number FROM feeds WHERE feed = ?", name)
  }

  private func channel(of stream: StreamName) throws(OutboxError) -> Int {
    if let known = channels[stream] { return known }
    try database.run(
      "INSERT OR IGNORE INTO channels (stream_name, device_id) VALUES (?, ?)", stream.rawValue,
      deviceID)
    let number = try database.number(
      "SELECT number FROM channels WHERE stream_name = ? AND device_id = ?", stream.rawValue,
      deviceID)
    channels[stream] = number
    return number
  }
}

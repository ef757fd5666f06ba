import HealthModel
import HealthStreams

/// Writes entries in one transaction (R47).
final class EntryWriter {
  private let database: Database
  private let deviceID: String
  private let feed: Int?
  private let now: Int
  private let insert: Statement
  private let memory: SampleMemory
  private var next: Int
  private var channels: [StreamName: Int] = [:]

  init(_ database: Database, _ file: OutboxFile, feed: Int?) throws(OutboxError) {
    (self.database, self.feed, deviceID) = (database, feed, file.deviceID)
    let now = file.now()
    self.now = now.secondsSince1970
    memory = try SampleMemory(database, now: now)
    insert = try database.statement(
      """
      INSERT INTO entries (id, channel, feed, created_at, starts_at, ends_at, sample_type,
        is_deletion, entry_id, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    // A number is never used again, although the last rows may be deleted: a batch is a range.
    next = try database.number(
      """
      SELECT max(coalesce((SELECT max(id) FROM entries), 0),
        coalesce((SELECT max(sealed) FROM channels), 0)) + 1
      """)
  }

  /// Writes the entries of one call.
  func write(_ entries: [StreamEntry]) throws(OutboxError) {
    for entry in try memory.filed(entries) { try write(entry) }
  }

  private func write(_ entry: StreamEntry) throws(OutboxError) {
    insert.bind(1, next)
    insert.bind(2, try channel(of: entry.stream))
    insert.bind(3, feed)
    insert.bind(4, now)
    insert.bind(5, entry.start.secondsSince1970)
    insert.bind(6, entry.end.secondsSince1970)
    insert.bind(7, entry.sampleType)
    insert.bind(8, entry.isDeletion ? 1 : 0)
    insert.bind(9, entry.id)
    insert.bind(10, blob: entry.bytes)
    try insert.run()
    next += 1
  }

  /// The number of a feed, which is created if it is new.
  static func feed(_ name: String, in database: Database) throws(OutboxError) -> Int {
    let create = try database.statement("INSERT OR IGNORE INTO feeds (feed) VALUES (?)")
    create.bind(1, name)
    try create.run()
    let find = try database.statement("SELECT number FROM feeds WHERE feed = ?")
    find.bind(1, name)
    defer { find.reset() }
    _ = try find.step()
    return find.int(0)
  }

  private func channel(of stream: StreamName) throws(OutboxError) -> Int {
    if let known = channels[stream] { return known }
    let find = try database.statement(
      "SELECT number FROM channels WHERE stream_name = ? AND device_id = ?")
    find.bind(1, stream.rawValue)
    find.bind(2, deviceID)
    if try find.step() {
      let number = find.int(0)
      find.reset()
      channels[stream] = number
      return number
    }
    let create = try database.statement(
      "INSERT INTO channels (stream_name, device_id) VALUES (?, ?)")
    create.bind(1, stream.rawValue)
    create.bind(2, deviceID)
    try create.run()
    return try channel(of: stream)
  }
}

import HealthModel
import HealthStreams

/// Remembers the times of samples, because HealthKit gives only the id of a deleted one (R47).
final class SampleMemory {
  private let database: Database
  private let oldest: Timestamp
  /// Samples of this call that are too old to be remembered after it.
  private var older: [UInt128: SampleTimes] = [:]

  /// - Parameter now: by this machine's clock.
  init(_ database: Database, now: Timestamp) {
    (self.database, oldest) = (database, MemoryRule.oldest(at: now))
  }

  /// The entries of one call; each deletion has the times of its sample.
  func filed(_ entries: [StreamEntry]) throws(OutboxError) -> [StreamEntry] {
    let deletes = entries.contains(where: \.isDeletion)
    var new: [UInt128: SampleTimes] = [:]
    for entry in entries where entry.stream == .healthKit && !entry.isDeletion {
      guard let sample = RememberedSample(entry.bytes) else { continue }
      if entry.end >= oldest {
        new[sample.uuid] = sample.times
      } else if deletes {
        older[sample.uuid] = sample.times
      }
    }
    // Sorted, so that each page of the table is written once.
    for (uuid, times) in new.sorted(by: { $0.key < $1.key }) {
      try Self.remember(uuid, times, in: database)
    }
    guard deletes else { return entries }
    defer { older = [:] }
    var filed: [StreamEntry] = []
    for entry in entries { filed.append(try self.filed(entry)) }
    return filed
  }

  private func filed(_ entry: StreamEntry) throws(OutboxError) -> StreamEntry {
    guard entry.isDeletion, let deletion = RememberedSample(entry.bytes) else { return entry }
    if let times = older[deletion.uuid] { return entry.filed(at: times) }
    return try times(of: deletion.uuid).map { entry.filed(at: $0) } ?? entry
  }

  private func times(of uuid: UInt128) throws(OutboxError) -> SampleTimes? {
    try database.row(
      "SELECT starts_at, length FROM samples WHERE uuid = ?", Self.bytes(uuid)
    ) { SampleTimes(start: $0.int(0), length: $0.optionalInt(1)) }
  }

  // MARK: - The table

  private static func remember(
    _ uuid: UInt128, _ times: SampleTimes, in database: Database
  ) throws(OutboxError) {
    try database.run(
      """
      INSERT INTO samples (uuid, starts_at, length) VALUES (?, ?, ?)
      ON CONFLICT (uuid) DO UPDATE SET starts_at = excluded.starts_at, length = excluded.length
      WHERE starts_at <> excluded.starts_at OR length IS NOT excluded.length
      """, bytes(uuid), times.start, times.length)
  }

  private static func bytes(_ uuid: UInt128) -> [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: uuid >> (120 - 8 * UInt128($0))) }
  }

  /// Remembers the newest samples of an outbox that did not remember any. Not more, because that may
  /// be where the disk is full.
  static func rememberNewest(in database: Database) throws(OutboxError) {
    let newest = """
      SELECT payload, created_at FROM entries
      WHERE id > (SELECT max(id) FROM entries) - 50000
        AND sample_type IS NOT NULL AND is_deletion = 0
      ORDER BY id
      """
    try database.each(newest, []) { row throws(OutboxError) in
      if let sample = RememberedSample(row.blob(0)),
        sample.times.end >= MemoryRule.oldest(at: row.time(1))
      {
        try remember(sample.uuid, sample.times, in: database)
      }
      return true
    }
  }

  /// About how many bytes the memory takes.
  static func bytes(in database: Database) throws(OutboxError) -> Int {
    try database.number("SELECT count(*) FROM samples") * 36
  }

  /// Forgets the old samples in one part of the table.
  static func forget(_ rule: MemoryRule, in database: Database) throws(OutboxError) {
    try database.run(
      """
      DELETE FROM samples WHERE uuid BETWEEN ? AND ?
        AND starts_at + coalesce(length, 0) < ?
      """, rule.part.first, rule.part.last, rule.oldest.secondsSince1970 * 1000)
  }
}

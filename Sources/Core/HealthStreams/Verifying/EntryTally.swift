import HealthModel

/// The entries of one UTC date, each counted once (R45). The result depends on what was added, never
/// on the order.
public struct EntryTally: Sendable {
  private struct Counted {
    let entry: StreamEntry
    let order: PreciseMoment
    /// Its place in the batch.
    let place: Int

    /// A deletion is final, because an earlier send of the sample may be retried after it. Else the
    /// newest receipt counts, and of one batch the later entry.
    func replaces(_ other: Counted) -> Bool {
      if entry.isDeletion != other.entry.isDeletion { return entry.isDeletion }
      if order != other.order { return order > other.order }
      if place != other.place { return place > other.place }
      return other.entry.bytes.lexicographicallyPrecedes(entry.bytes)
    }
  }

  private var counted: [EntryIdentity: Counted] = [:]
  /// What was added, each identity with its bytes, as hashes: a day has too few entries for two of
  /// 64 bits to meet.
  private var seen: Set<Int> = []
  /// How many bytes the counted entries have together.
  public private(set) var bytes = 0
  /// How many entries were added that an equal one had been added before.
  public private(set) var duplicates = 0

  /// No entries.
  public init() {}

  /// Adds the entries of a batch.
  public mutating func add(_ batch: StoredBatch) {
    for (place, entry) in batch.entries.enumerated() {
      let identity = EntryIdentity(
        entry, device: batch.request.deviceID, feed: batch.feed)
      let new = Counted(entry: entry, order: batch.order, place: place)
      var hasher = Hasher()
      hasher.combine(identity)
      hasher.combine(entry.bytes)
      if !seen.insert(hasher.finalize()).inserted { duplicates += 1 }
      if let known = counted[identity] {
        guard new.replaces(known) else { continue }
        bytes -= known.entry.bytes.count
      }
      bytes += entry.bytes.count
      counted[identity] = new
    }
  }

  /// The entries that count, without those that were deleted, by start, then by id.
  public var entries: [StreamEntry] {
    counted.values.lazy.map(\.entry).filter { !$0.isDeletion }.sorted { a, b in
      if a.start != b.start { return a.start < b.start }
      if a.id != b.id { return a.id < b.id }
      return a.bytes.lexicographicallyPrecedes(b.bytes)
    }
  }
}

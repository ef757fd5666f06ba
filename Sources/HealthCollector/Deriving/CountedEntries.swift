package import HealthModel
package import HealthStreams

/// The entries of batches, each counted once (R45).
///
/// A batch may be stored twice under two ids, a sample may be sent in several batches, corrected or
/// deleted, and all of that may arrive in any order. The result depends on the set of what was
/// added, never on the order.
package struct CountedEntries: Sendable {
  /// An entry with what its batch says of it. Copies share it: a server keeps many.
  package struct Entry: Sendable {
    private let contents: Contents
    private let hash: Int

    private final class Contents: Sendable {
      let entry: StreamEntry
      let feed: String
      let receivedAt: Timestamp
      let value: Double
      let unit: String
      let source: String
      let hardware: String
      let isUserEntered: Bool
      let identity: EntryIdentity

      init(
        _ entry: StreamEntry, _ members: JSONValue, device: String, feed: String,
        receivedAt: Timestamp
      ) {
        (self.entry, self.receivedAt) = (entry, receivedAt)
        self.feed = members["feed"]?.stringValue ?? feed
        value = members["value"]?.numberValue ?? 0
        unit = members["unit"]?.stringValue ?? ""
        source = members["source"]?.stringValue ?? ""
        hardware = members["hardware"]?.stringValue ?? ""
        isUserEntered = members["user_entered"] == .bool(true)
        identity = EntryIdentity(entry, device: device, feed: feed)
      }
    }

    package var entry: StreamEntry { contents.entry }
    /// The feed that the entry names, else that of its batch: an outbox sends the entries of several
    /// feeds in one batch.
    package var feed: String { contents.feed }
    /// When the first create of the batch was made, by the writer's clock.
    package var receivedAt: Timestamp { contents.receivedAt }
    /// The sample's number, unit and source; 0 and empty for a deletion.
    package var value: Double { contents.value }
    package var unit: String { contents.unit }
    package var source: String { contents.source }
    /// The model of the device, such as `Watch6,2`; empty where the entry names none.
    package var hardware: String { contents.hardware }
    /// Whether the person typed it in.
    package var isUserEntered: Bool { contents.isUserEntered }

    /// An entry of a batch; nil if its bytes are not a JSON object.
    ///
    /// - Parameters:
    ///   - device: the device of its batch.
    ///   - feed: the feed of its object.
    package init?(
      _ entry: StreamEntry, device: String, feed: String, receivedAt: Timestamp
    ) {
      guard let members = try? JSONValue(parsing: entry.bytes), case .object = members else {
        return nil
      }
      contents = Contents(entry, members, device: device, feed: feed, receivedAt: receivedAt)
      hash = contents.identity.hashValue
    }

    /// Whether this takes the place of another of the same key.
    fileprivate func replaces(_ other: Entry) -> Bool {
      let (entry, others) = (contents.entry, other.contents.entry)
      // A deletion is final: an earlier send of the sample may be retried after it.
      if entry.isDeletion != others.isDeletion { return entry.isDeletion }
      if receivedAt != other.receivedAt { return receivedAt > other.receivedAt }
      // Two of one second: whatever decides must not depend on the order.
      if entry.bytes != others.bytes {
        return others.bytes.lexicographicallyPrecedes(entry.bytes)
      }
      return other.feed.utf8.lexicographicallyPrecedes(feed.utf8)
    }

    /// An entry as a key: by what it is counted by.
    fileprivate struct Counted: Hashable, Sendable {
      let entry: Entry

      static func == (a: Counted, b: Counted) -> Bool {
        a.entry.hash == b.entry.hash && a.entry.contents.identity == b.entry.contents.identity
      }

      func hash(into hasher: inout Hasher) { hasher.combine(entry.hash) }
    }
  }

  private var entries: Set<Entry.Counted> = []
  /// How many were added, whatever became of them.
  package private(set) var added = 0

  /// No entries.
  package init() {}

  /// What adding an entry did.
  package enum Addition: Hashable, Sendable {
    /// Nothing of this identity was there.
    case new
    /// It took the place of another.
    case replacement
    /// What was there stays.
    case known
  }

  /// Adds an entry.
  @discardableResult
  package mutating func add(_ entry: Entry) -> Addition {
    added += 1
    let counted = Entry.Counted(entry: entry)
    let (isNew, known) = entries.insert(counted)
    if isNew { return .new }
    guard entry.replaces(known.entry) else { return .known }
    entries.update(with: counted)
    return .replacement
  }

  /// How many there are of one identity each.
  package var count: Int { entries.count }

  /// Calls `body` with each entry that counts, without those that were deleted, in no particular
  /// order.
  package func forEachAlive(_ body: (Entry) -> Void) {
    for counted in entries where !counted.entry.entry.isDeletion { body(counted.entry) }
  }

  /// How many were deleted.
  package var deleted: Int { entries.count { $0.entry.entry.isDeletion } }
}

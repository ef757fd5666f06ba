package import HealthModel
package import HealthStreams

/// The entries of batches, each counted once (R45).
///
/// A batch may be stored twice under two ids, a sample may be sent in several batches, corrected or
/// deleted, and all of that may arrive in any order. The result depends on the set of what was
/// added, never on the order.
package struct CountedEntries: Sendable {
  /// An entry with what its batch says of it.
  package struct Entry: Hashable, Sendable {
    package let entry: StreamEntry
    /// The feed that the entry names, else that of its batch: an outbox sends the entries of several
    /// feeds in one batch.
    package let feed: String
    /// When the first create of the batch was made, by the writer's clock.
    package let receivedAt: Timestamp
    /// The sample's number, unit and source; 0 and empty for a deletion.
    package let value: Double
    package let unit: String
    package let source: String
    /// The model of the device, such as `Watch6,2`; empty where the entry names none.
    package let hardware: String
    /// Whether the person typed it in.
    package let isUserEntered: Bool
    fileprivate let identity: EntryIdentity

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
      (self.entry, self.receivedAt) = (entry, receivedAt)
      self.feed = members["feed"]?.stringValue ?? feed
      value = members["value"]?.numberValue ?? 0
      unit = members["unit"]?.stringValue ?? ""
      source = members["source"]?.stringValue ?? ""
      hardware = members["hardware"]?.stringValue ?? ""
      isUserEntered = members["user_entered"] == .bool(true)
      identity = EntryIdentity(entry, device: device, feed: feed)
    }

    /// Whether this takes the place of another of the same key.
    fileprivate func replaces(_ other: Entry) -> Bool {
      // A deletion is final: an earlier send of the sample may be retried after it.
      if entry.isDeletion != other.entry.isDeletion { return entry.isDeletion }
      if receivedAt != other.receivedAt { return receivedAt > other.receivedAt }
      // Two of one second: whatever decides must not depend on the order.
      if entry.bytes != other.entry.bytes {
        return other.entry.bytes.lexicographicallyPrecedes(entry.bytes)
      }
      return other.feed.utf8.lexicographicallyPrecedes(feed.utf8)
    }
  }

  private var entries: [EntryIdentity: Entry] = [:]
  /// How many were added, whatever became of them.
  package private(set) var added = 0

  /// No entries.
  package init() {}

  /// Adds an entry.
  package mutating func add(_ entry: Entry) {
    added += 1
    if let known = entries[entry.identity], !entry.replaces(known) { return }
    entries[entry.identity] = entry
  }

  /// The entries that count, without those that were deleted, in no particular order.
  package var alive: [Entry] { entries.values.filter { !$0.entry.isDeletion } }

  /// How many were deleted.
  package var deleted: Int { entries.values.count { $0.entry.isDeletion } }
}

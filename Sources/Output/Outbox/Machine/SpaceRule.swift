package import HealthModel

/// What is dropped when the disk runs out of space (R48). Pure.
///
/// Deleting rows does not make the file smaller: it makes pages free, which new rows use first. So
/// free pages count as free space. A rule that looked at the disk alone would empty the queue.
package struct SpaceRule: Hashable, Sendable {
  /// Below it, the outbox makes room, and keeps the most recent entries (R48).
  package static let warningBytes = 100_000_000
  /// Below it, the user is notified (R48).
  package static let criticalBytes = 50_000_000
  /// The most recent entries that have this size together are never dropped for space.
  package static let keptBytes = 20_000_000
  /// One deletion takes about so much at most, because it needs room for its own journal.
  package static let stepBytes = 16_000_000
  /// About so much at least, however little room there is. Rows that are small are journalled whole.
  package static let leastStepBytes = 500_000

  package enum Level: String, Hashable, Sendable {
    case enough, low, critical
  }

  /// What the outbox holds, in bytes, as read before each step.
  package struct Reading: Hashable, Sendable {
    /// Free on the file system, for this user.
    package var disk: Int
    /// In free pages of the database.
    package var pages: Int
    package var uploaded: Int
    package var failed: Int
    /// Unconfirmed and not failed.
    package var pending: Int

    package init(disk: Int, pages: Int, uploaded: Int = 0, failed: Int = 0, pending: Int = 0) {
      (self.disk, self.pages) = (disk, pages)
      (self.uploaded, self.failed, self.pending) = (uploaded, failed, pending)
    }

    package var usable: Int { disk + pages }

    package var level: Level {
      usable < SpaceRule.criticalBytes
        ? .critical : usable < SpaceRule.warningBytes ? .low : .enough
    }
  }

  /// A deletion of the oldest of their kind, until they had at least so many bytes together.
  ///
  /// **One transaction each**, with the gaps of all that was not confirmed and the reset of their
  /// feeds' anchors. A sealed batch goes whole or not at all.
  package enum Step: Hashable, Sendable {
    case dropUploaded(bytes: Int)
    case dropFailed(bytes: Int)
    case dropPending(bytes: Int)
  }

  /// The next deletion; nil if there is room enough or nothing more may go.
  package static func next(_ reading: Reading) -> Step? {
    guard reading.usable < warningBytes else { return nil }
    let step = min(stepBytes, max(reading.disk / 4, leastStepBytes))
    let missing = min(warningBytes - reading.usable, step)
    if reading.uploaded > 0 { return .dropUploaded(bytes: min(missing, reading.uploaded)) }
    if reading.failed > 0 { return .dropFailed(bytes: min(missing, reading.failed)) }
    let spare = reading.pending - keptBytes
    return spare > 0 ? .dropPending(bytes: min(missing, spare)) : nil
  }
}

/// What leaves the outbox because of its age (R48). Pure.
///
/// By the receiver's clock alone: this machine's may be wrong by years. So nothing ages in a sync
/// that heard no receiver.
package struct RetentionRule: Hashable, Sendable {
  /// Three days.
  package static let seconds = 259_200

  /// The receiver's time at its last confirmation in this sync.
  package let receiverTime: Timestamp

  package init(receiverTime: Timestamp) { self.receiverTime = receiverTime }

  /// An uploaded entry leaves if the receiver confirmed it at this time or earlier. A refused entry
  /// leaves if a sync first saw it so at this time or earlier; its gap is recorded and its feed's
  /// anchor reset in the same transaction.
  ///
  /// Pending entries don't age. Entries that were given up because of 429, 5xx or a time-out don't
  /// leave either: those end in a revival, never in a deletion (R48).
  package var deadline: Timestamp { receiverTime.adding(seconds: -Self.seconds) }
}

/// Which samples an outbox remembers, so that it can file their deletions (R47). Pure.
struct MemoryRule: Hashable, Sendable {
  /// 400 days.
  static let seconds = 34_560_000
  /// How many parts the memory has.
  static let parts = 64

  /// The receiver's time at its last confirmation: this machine's clock may be wrong by years.
  let receiverTime: Timestamp

  /// Samples that ended before this moment are not remembered.
  static func oldest(at time: Timestamp) -> Timestamp { time.adding(seconds: -seconds) }

  var oldest: Timestamp { Self.oldest(at: receiverTime) }

  /// The first and the last id of the part that is searched on this day. So a sync
  /// reads little of a large memory, and all of it is searched in 64 days.
  var part: (first: [UInt8], last: [UInt8]) {
    let day = receiverTime.secondsSince1970 / 86_400
    let width = 256 / Self.parts
    let first = (day % Self.parts + Self.parts) % Self.parts * width
    return (
      [UInt8(first)], [UInt8(first + width - 1)] + [UInt8](repeating: 0xFF, count: 15)
    )
  }
}

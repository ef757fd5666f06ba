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

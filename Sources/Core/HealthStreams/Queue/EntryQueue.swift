/// What a collector needs of a queue: entries and the anchor that covers them, in one step (R47).
///
/// `Outbox` keeps them in SQLite. A phone may bring its own.
public protocol EntryQueue: Sendable {
  /// The anchor of a feed; nil before the first.
  func anchor(of feed: String) async throws -> [UInt8]?

  /// Queues entries and moves the feed's anchor, both or neither.
  ///
  /// Durable when it returns. Throws `AnchorMoved` if the anchor is no longer `old`, because
  /// another collector was faster: then nothing was queued.
  func enqueue(
    _ entries: [StreamEntry], feed: String, movingAnchorFrom old: [UInt8]?, to new: [UInt8]
  ) async throws
}

/// Another collector moved a feed's anchor first. Read the source again from the new anchor.
public struct AnchorMoved: Error, Hashable, Sendable {
  /// The feed.
  public let feed: String

  /// The error for this feed.
  public init(feed: String) { self.feed = feed }
}

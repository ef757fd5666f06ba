public import HealthStreams

/// Moves what a source finds into a queue, each change once (R47).
///
/// The entries and the anchor that covers them go into the queue in one step. So whatever ends the
/// program, no change is lost and none is queued again. If another collector moves the anchor first,
/// this one queues nothing and reads again from the new anchor.
public struct ChangeMover: Sendable {
  private let source: any SampleSource
  private let queue: any EntryQueue

  /// How often another collector may be faster, one time after another, before a move gives up. Each
  /// time it has moved a part, so this is for a queue that never lets anybody.
  public static let maximumRetries = 1000

  /// A mover from a source into a queue.
  public init(from source: any SampleSource, to queue: any EntryQueue) {
    (self.source, self.queue) = (source, queue)
  }

  /// What a move has queued.
  public struct Result: Hashable, Sendable {
    /// Samples.
    public var added = 0
    /// Deletions.
    public var deleted = 0

    /// Nothing yet.
    public init() {}
  }

  /// Moves everything that the source has found since the feed's anchor.
  ///
  /// Memory holds one answer of the source at a time, so a source that answers in parts may hold any
  /// number of samples.
  ///
  /// - Parameters:
  ///   - feed: the source's name of what is moved, such as an identifier of HealthKit.
  ///   - progress: called with the totals after each part was queued, on the caller's actor. The source
  ///     and the queue do their work elsewhere.
  /// - Throws: what the source or the queue throws. What was queued before stays queued, and the
  ///   next move goes on from there. `AnchorMoved` if other collectors were faster too often.
  public nonisolated(nonsending) func move(
    feed: String, progress: (Result) throws -> Void = { _ in }
  ) async throws -> Result {
    var result = Result()
    var retries = 0
    while true {
      let anchor = try await queue.anchor(of: feed)
      let changes = try await source.changes(of: feed, since: anchor)
      let entries = changes.added + changes.deleted
      if !entries.isEmpty || changes.newAnchor != anchor {
        do {
          try await queue.enqueue(
            entries, feed: feed, movingAnchorFrom: anchor, to: changes.newAnchor)
        } catch let moved as AnchorMoved {
          retries += 1
          guard retries <= Self.maximumRetries else { throw moved }
          continue
        }
        retries = 0
        result.added += changes.added.count
        result.deleted += changes.deleted.count
        try progress(result)
      }
      if changes.isComplete { return result }
    }
  }
}

public import HealthStreams

/// Where samples come from: the shape of HealthKit's anchored query (R47).
///
/// An anchor says how far a source was read. It is the source's own bytes; a collector keeps it and
/// hands it back. What comes back is everything that was added or deleted since, by when it was
/// added and not by when it was measured. So a sample that a watch delivers late is found.
///
/// ```swift
/// struct Steps: SampleSource {
///   func changes(of feed: String, since anchor: [UInt8]?) async throws -> SampleChanges {
///     let found = try await query(type: feed, anchor: anchor)  // HKAnchoredObjectQuery
///     return SampleChanges(
///       added: found.added, deleted: found.deleted, newAnchor: found.anchor, isComplete: true)
///   }
/// }
/// ```
public protocol SampleSource: Sendable {
  /// What was added to a feed and deleted from it since an anchor.
  ///
  /// - Parameters:
  ///   - feed: usually a type of samples, such as `HKQuantityTypeIdentifierStepCount`.
  ///   - anchor: where the last call ended; nil for everything.
  /// - Returns: changes that together with the old anchor lead to the new one. A source that holds
  ///   millions of samples returns a part of them, with the anchor of that part.
  func changes(of feed: String, since anchor: [UInt8]?) async throws -> SampleChanges
}

/// What a source found since an anchor.
public struct SampleChanges: Sendable {
  /// Samples that were added, as entries of a stream.
  public var added: [StreamEntry]
  /// Deletions, as entries with `"deleted": true` and the type, start and end of the sample. A source
  /// that knows only the id, as HealthKit, gives the time of the report: `Outbox` puts the times that
  /// it remembers of the sample in its place (R47). Another queue has to do the same.
  public var deleted: [StreamEntry]
  /// Where the changes end.
  public var newAnchor: [UInt8]
  /// Whether the source has nothing more at the moment. If false, ask again from the new anchor.
  public var isComplete: Bool

  /// Changes.
  public init(
    added: [StreamEntry], deleted: [StreamEntry], newAnchor: [UInt8], isComplete: Bool
  ) {
    (self.added, self.deleted) = (added, deleted)
    (self.newAnchor, self.isComplete) = (newAnchor, isComplete)
  }
}

/// A source that says when it has something new, as HealthKit's update handler does.
public protocol AnnouncingSampleSource: SampleSource {
  /// An element whenever a feed may have changed. It ends when nobody reads it any more.
  func announcements(of feed: String) -> AsyncStream<Void>
}

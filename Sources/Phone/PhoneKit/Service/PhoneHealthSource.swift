public import HealthCollector
public import HealthModel
public import HealthStreams

/// HealthKit, as the app reads it: what is new since an anchor, and what lies in a stretch of time. A type
/// that this version of iOS does not have has no samples.
///
/// Feeds are the identifiers of `SampleKind`, and `HealthKitWorkout.feed`, whose entries say when workouts were.
public protocol PhoneHealthSource: AnnouncingSampleSource, HealthAuthorization {
  /// The samples of a kind that touch a stretch of time. None without permission: HealthKit does not
  /// say which it is.
  func samples(
    of kind: SampleKind, from start: Timestamp, to end: Timestamp
  ) async throws -> [StreamEntry]

  /// The workouts that begin in a stretch of time.
  func workouts(from start: Timestamp, to end: Timestamp) async throws -> [Workout]

  /// When the oldest sample of a kind begins, or, for nil, the oldest workout; nil without any.
  func first(of kind: SampleKind?) async throws -> Timestamp?
}

/// A source without samples that ended before a moment. Of a phone that has years of data, the first
/// sync so has the last days alone, and the anchor moves over all others.
struct RecentSource: SampleSource {
  let source: any SampleSource
  let since: Timestamp

  func changes(of feed: String, since anchor: [UInt8]?) async throws -> SampleChanges {
    var changes = try await source.changes(of: feed, since: anchor)
    changes.added.removeAll { $0.end < since }
    return changes
  }
}

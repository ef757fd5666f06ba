import Foundation
import HealthCollector
import HealthKit
import HealthModel
import HealthStreams
import PhoneKit

/// HealthKit as the app's source: what is new since an anchor, what lies in a stretch of time, and a
/// notice of news. It decides nothing.
final class HealthKitSource: PhoneHealthSource {
  private let store = HKHealthStore()
  /// Makes the predicate of anchored queries; today's samples alone for live totals.
  private let predicate: @Sendable () -> NSPredicate?
  private static let limit = 1000

  init(_ predicate: @escaping @Sendable () -> NSPredicate? = { nil }) {
    self.predicate = predicate
  }

  /// A source that sees only the samples of today.
  static func today() -> HealthKitSource {
    HealthKitSource {
      HKQuery.predicateForSamples(
        withStart: Calendar.current.startOfDay(for: .now), end: nil, options: .strictEndDate)
    }
  }

  // MARK: - Samples

  func changes(of feed: String, since anchor: [UInt8]?) async throws -> SampleChanges {
    guard let type = HealthKitTypes.sampleType(feed) else {
      return SampleChanges(added: [], deleted: [], newAnchor: anchor ?? [], isComplete: true)
    }
    let old = try HealthKitTypes.anchor(anchor)
    let predicate = predicate()
    return try await withCheckedThrowingContinuation { continuation in
      store.execute(
        HKAnchoredObjectQuery(type: type, predicate: predicate, anchor: old, limit: Self.limit) {
          _, added, deleted, anchor, error in
          continuation.resume(
            with: Result {
              try HealthKitTypes.changes(feed, added, deleted, anchor, error, Self.limit)
            })
        })
    }
  }

  func announcements(of feed: String) -> AsyncStream<Void> {
    AsyncStream { [store] continuation in
      guard let type = HealthKitTypes.sampleType(feed) else { return continuation.finish() }
      // HealthKit accepts an update handler only for a query without a limit.
      let query = HKAnchoredObjectQuery(
        type: type, predicate: predicate(), anchor: nil, limit: HKObjectQueryNoLimit
      ) { _, _, _, _, _ in continuation.yield() }
      query.updateHandler = { _, _, _, _, _ in continuation.yield() }
      continuation.onTermination = { _ in store.stop(query) }
      store.execute(query)
    }
  }

  func samples(
    of kind: SampleKind, from start: Timestamp, to end: Timestamp
  ) async throws -> [StreamEntry] {
    guard let type = HealthKitTypes.sampleType(kind.identifier) else { return [] }
    return try await all(type, from: start, to: end).map {
      try HealthKitTypes.entry($0, kind.identifier)
    }
  }

  func workouts(from start: Timestamp, to end: Timestamp) async throws -> [Workout] {
    try await all(.workoutType(), from: start, to: end, options: .strictStartDate)
      .compactMap { $0 as? HKWorkout }.map(HealthKitTypes.workout)
  }

  func first(of kind: SampleKind?) async throws -> Timestamp? {
    guard let type = HealthKitTypes.sampleType(kind?.identifier ?? HealthKitWorkout.feed) else {
      return nil
    }
    return try await samples(of: type, nil, limit: 1).first.map {
      Timestamp(secondsSince1970: Int($0.startDate.timeIntervalSince1970))
    }
  }

  private func all(
    _ type: HKSampleType, from start: Timestamp, to end: Timestamp, options: HKQueryOptions = []
  ) async throws -> [HKSample] {
    try await samples(
      of: type,
      HKQuery.predicateForSamples(withStart: Date(start), end: Date(end), options: options),
      limit: HKObjectQueryNoLimit)
  }

  /// In the order of their starts.
  private func samples(
    of type: HKSampleType, _ predicate: NSPredicate?, limit: Int
  ) async throws -> [HKSample] {
    try await withCheckedThrowingContinuation { continuation in
      store.execute(
        HKSampleQuery(
          sampleType: type, predicate: predicate, limit: limit,
          sortDescriptors: [NSSortDescriptor(keyPath: \HKSample.startDate, ascending: true)]
        ) { _, samples, error in
          continuation.resume(with: Result { try HealthKitTypes.found(samples, error) })
        })
    }
  }

  // MARK: - Background delivery

  /// Says when a type changes. HealthKit waits for `done` before it wakes the app again. A query that
  /// starts before Health is allowed never reports anything.
  func observe(
    _ type: HKSampleType, _ news: @escaping @Sendable (_ done: @escaping () -> Void) -> Void
  ) -> HKObserverQuery {
    let query = HKObserverQuery(sampleType: type, predicate: nil) { _, done, _ in news(done) }
    store.execute(query)
    return query
  }

  /// Wakes the app for a type that is observed.
  func wake(for type: HKSampleType, _ frequency: HKUpdateFrequency) async throws {
    try await store.enableBackgroundDelivery(for: type, frequency: frequency)
  }

  func endDelivery(_ queries: [HKObserverQuery]) async throws {
    for query in queries { store.stop(query) }
    try await store.disableAllBackgroundDelivery()
  }

  // MARK: - Permission

  var status: HealthAuthorizationStatus {
    HealthKitTypes.status(isAvailable: HKHealthStore.isHealthDataAvailable())
  }

  func request() async throws -> HealthAuthorizationStatus {
    try await store.requestAuthorization(toShare: [], read: HealthKitTypes.all)
    HealthKitTypes.wasAsked()
    return status
  }
}

extension Date {
  init(_ moment: Timestamp) {
    self.init(timeIntervalSince1970: TimeInterval(moment.secondsSince1970))
  }
}

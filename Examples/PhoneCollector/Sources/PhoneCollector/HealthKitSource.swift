#if canImport(HealthKit)
  import Foundation
  import HealthCollector
  import HealthKit
  import HealthModel
  import HealthStreams

  /// HealthKit as a `SampleSource`: one anchored query for each question, and one with an update
  /// handler that rings when there is something new. With it a `HealthKitLiveTrackingService` follows
  /// the day, and a `ChangeMover` fills a queue.
  final class HealthKitSource: AnnouncingSampleSource, HealthAuthorization {
    private let store = HKHealthStore()

    /// The feeds that are read, by HealthKit's identifiers, with the unit of each.
    static let units: [String: HKUnit] = [
      HKQuantityTypeIdentifier.stepCount.rawValue: .count(),
      HKQuantityTypeIdentifier.distanceWalkingRunning.rawValue: .meter(),
      HKQuantityTypeIdentifier.activeEnergyBurned.rawValue: .kilocalorie(),
    ]

    private static var types: Set<HKObjectType> {
      Set(units.keys.map { HKQuantityType(HKQuantityTypeIdentifier(rawValue: $0)) })
    }

    // MARK: - Samples

    func changes(of feed: String, since anchor: [UInt8]?) async throws -> SampleChanges {
      let type = HKQuantityType(HKQuantityTypeIdentifier(rawValue: feed))
      let old = try anchor.flatMap {
        try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: Data($0))
      }
      let limit = 1000
      let query = HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: type)], anchor: old, limit: limit)
      let found = try await query.result(for: store)
      let new = try NSKeyedArchiver.archivedData(
        withRootObject: found.newAnchor, requiringSecureCoding: true)
      return SampleChanges(
        added: try found.addedSamples.map { try Self.entry($0, feed) },
        // HealthKit gives only the id of what was deleted. Live totals need no more, and an outbox
        // puts the sample's times in the place of the report's (R47).
        deleted: try found.deletedObjects.map { try Self.deletion($0, feed) },
        newAnchor: [UInt8](new),
        isComplete: found.addedSamples.count + found.deletedObjects.count < limit)
    }

    func announcements(of feed: String) -> AsyncStream<Void> {
      AsyncStream { continuation in
        let type = HKQuantityType(HKQuantityTypeIdentifier(rawValue: feed))
        let query = HKAnchoredObjectQuery(
          type: type, predicate: nil, anchor: nil, limit: 1
        ) { _, _, _, _, _ in continuation.yield() }
        query.updateHandler = { _, _, _, _, _ in continuation.yield() }
        continuation.onTermination = { [store] _ in store.stop(query) }
        store.execute(query)
      }
    }

    private static func entry(_ sample: HKQuantitySample, _ feed: String) throws -> StreamEntry {
      let unit = units[feed] ?? .count()
      var members: [String: JSONValue] = [
        "sample_type": .string(feed), "uuid": .string(sample.uuid.uuidString),
        "timestamp": .string(sample.startDate.ISO8601Format()),
        "end_timestamp": .string(sample.endDate.ISO8601Format()),
        "value": .number(sample.quantity.doubleValue(for: unit)),
        "unit": .string(unit.unitString),
        "source": .string(sample.sourceRevision.source.name),
      ]
      if let hardware = sample.sourceRevision.productType {
        members["hardware"] = .string(hardware)
      }
      if sample.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true {
        members["user_entered"] = .bool(true)
      }
      return try StreamEntry(.object(members), of: .healthKit)
    }

    private static func deletion(_ object: HKDeletedObject, _ feed: String) throws -> StreamEntry {
      try StreamEntry(
        .object([
          "sample_type": .string(feed), "uuid": .string(object.uuid.uuidString),
          "timestamp": .string(Date.now.ISO8601Format()), "deleted": .bool(true),
        ]), of: .healthKit)
    }

    // MARK: - Permission

    var status: HealthAuthorizationStatus {
      guard HKHealthStore.isHealthDataAvailable() else { return .unavailable }
      // HealthKit does not say whether reading was refused, only whether the person was asked.
      return Self.wasAsked ? .authorized : .notDetermined
    }

    func request() async throws -> HealthAuthorizationStatus {
      guard HKHealthStore.isHealthDataAvailable() else { return .unavailable }
      try await store.requestAuthorization(toShare: [], read: Self.types)
      UserDefaults.standard.set(true, forKey: Self.askedKey)
      return status
    }

    private static let askedKey = "health.was_asked"
    private static var wasAsked: Bool { UserDefaults.standard.bool(forKey: askedKey) }
  }
#endif

#if canImport(HealthKit) && canImport(SwiftUI)
  import SwiftUI

  /// The least view of the model: steps with their goal, the LIVE sign, and what went wrong.
  struct DashboardView: View {
    @State var model: HealthDashboardViewModel

    var body: some View {
      VStack(alignment: .leading) {
        if model.isTracking { Label("LIVE", systemImage: "circle.fill").foregroundStyle(.red) }
        Text("\(model.formattedDailySteps) of \(model.formattedStepGoal) steps")
        ProgressView(value: min(1, model.stepProgressPercentage))
        if model.hasReachedStepGoal { Text("Goal reached!") }
        Text(model.formattedDistance)
        Text(model.formattedActiveEnergy)
        Text("Last updated \(model.formattedLastUpdated)")
        if let message = model.errorMessage { Text(message) }
        if !model.isTracking {
          Button("Enable") { Task { await model.requestAuthorizationAndStart() } }
        }
      }
      .task { await model.requestAuthorizationAndStart() }
      .onDisappear { model.stopLiveTracking() }
    }
  }
#endif

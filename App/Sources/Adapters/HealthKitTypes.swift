import Foundation
import HealthCollector
import HealthKit
import HealthModel
import HealthStreams
import PhoneKit

/// HealthKit's names for what the catalogue has, and its samples as entries.
enum HealthKitTypes {
  struct NoAnchor: Error, CustomStringConvertible {
    let description = "Health gave no anchor"
  }

  /// The type of a feed; nil where this version of iOS does not have it.
  static func sampleType(_ feed: String) -> HKSampleType? {
    switch feed {
    case HealthKitWorkout.feed: .workoutType()
    case _ where feed.hasPrefix("HKCategoryType"):
      HKObjectType.categoryType(forIdentifier: HKCategoryTypeIdentifier(rawValue: feed))
    default: HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: feed))
    }
  }

  private static let kinds = Dictionary(
    uniqueKeysWithValues: SampleKind.allCases.map { ($0.identifier, $0) })

  /// Every type of the catalogue, and workouts.
  static var all: Set<HKObjectType> {
    Set(SampleKind.allCases.compactMap { sampleType($0.identifier) }).union([.workoutType()])
  }

  /// Those that wake the app, with how soon.
  static var observed: [(HKSampleType, HKUpdateFrequency)] {
    func types(_ kinds: [SampleKind]) -> [HKSampleType] {
      kinds.compactMap { sampleType($0.identifier) }
    }
    return types(HealthNews.atOnce).map { ($0, .immediate) }
      + (types(HealthNews.hourly) + [.workoutType()]).map { ($0, .hourly) }
  }

  // MARK: - Answers

  static func found(_ samples: [HKSample]?, _ error: (any Error)?) throws -> [HKSample] {
    if let error { throw error }
    return samples ?? []
  }

  static func anchor(_ bytes: [UInt8]?) throws -> HKQueryAnchor? {
    guard let bytes, !bytes.isEmpty else { return nil }
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: Data(bytes))
  }

  static func changes(
    _ feed: String, _ added: [HKSample]?, _ deleted: [HKDeletedObject]?,
    _ anchor: HKQueryAnchor?, _ error: (any Error)?, _ limit: Int
  ) throws -> SampleChanges {
    let samples = try found(added, error)
    guard let anchor else { throw NoAnchor() }
    let bytes = try NSKeyedArchiver.archivedData(
      withRootObject: anchor, requiringSecureCoding: true)
    return SampleChanges(
      added: try samples.map { try entry($0, feed) },
      deleted: try (deleted ?? []).map { try deletion($0, feed) },
      newAnchor: [UInt8](bytes), isComplete: samples.count + (deleted ?? []).count < limit)
  }

  /// A sample as an entry: checked and normalised by the library.
  static func entry(_ sample: HKSample, _ feed: String) throws -> StreamEntry {
    let unit = kinds[feed]?.unit.rawValue ?? "s"
    let (value, unitName): (Double, String) =
      switch sample {
      case let sample as HKQuantitySample:
        (sample.quantity.doubleValue(for: HKUnit(from: unit)), unit)
      case let sample as HKCategorySample: (Double(sample.value), "")
      default: (sample.endDate.timeIntervalSince(sample.startDate), "s")
      }
    var members: [String: JSONValue] = [
      "sample_type": .string(feed), "uuid": .string(sample.uuid.uuidString),
      "timestamp": .string(WireDate.text(sample.startDate)),
      "end_timestamp": .string(WireDate.text(sample.endDate)),
      "value": .number(value), "unit": .string(unitName),
      "source": .string(sample.sourceRevision.source.name),
    ]
    members["hardware"] = sample.sourceRevision.productType.map { .string($0) }
    members["user_entered"] = (sample.metadata?[HKMetadataKeyWasUserEntered] as? Bool)
      .map { .bool($0) }
    return try StreamEntry(.object(members), of: .healthKit)
  }

  /// HealthKit gives only the id of a deleted sample. The time is that of the report; the outbox puts
  /// the sample's own times in its place (R47).
  private static func deletion(
    _ object: HKDeletedObject, _ feed: String
  ) throws -> StreamEntry {
    try StreamEntry(
      .object([
        "sample_type": .string(feed), "uuid": .string(object.uuid.uuidString),
        "timestamp": .string(WireDate.text(.now)), "deleted": .bool(true),
      ]), of: .healthKit)
  }

  static func workout(_ workout: HKWorkout) -> Workout {
    var made = HealthKitWorkout(
      id: workout.uuid.uuidString, activity: workout.workoutActivityType.rawValue,
      start: workout.startDate.timeIntervalSince1970, end: workout.endDate.timeIntervalSince1970,
      duration: workout.duration, source: workout.sourceRevision.source.name)
    for (type, statistics) in workout.allStatistics {
      guard let kind = kinds[type.identifier] else { continue }
      let unit = HKUnit(from: kind.unit.rawValue)
      made.sums[kind] = statistics.sumQuantity()?.doubleValue(for: unit)
      made.means[kind] = statistics.averageQuantity()?.doubleValue(for: unit)
      made.highest[kind] = statistics.maximumQuantity()?.doubleValue(for: unit)
    }
    func metadata(_ key: String, _ unit: String) -> Double? {
      (workout.metadata?[key] as? HKQuantity)?.doubleValue(for: HKUnit(from: unit))
    }
    made.averageSpeed = metadata(HKMetadataKeyAverageSpeed, "m/s")
    made.maximumSpeed = metadata(HKMetadataKeyMaximumSpeed, "m/s")
    made.elevationAscended = metadata(HKMetadataKeyElevationAscended, "m")
    made.elevationDescended = metadata(HKMetadataKeyElevationDescended, "m")
    return made.workout
  }

  // MARK: - Permission

  /// HealthKit does not reveal whether reading was refused, only whether the person was asked.
  static func status(isAvailable: Bool) -> HealthAuthorizationStatus {
    guard isAvailable else { return .unavailable }
    return UserDefaults.standard.bool(forKey: askedKey) ? .authorized : .notDetermined
  }

  static func wasAsked() { UserDefaults.standard.set(true, forKey: askedKey) }

  private static let askedKey = "health.was_asked"
}

import Foundation
import HealthCollector
import HealthKit
import HealthModel
import HealthStreams
import PhoneKit

/// HealthKit's names for what the catalogue has, and its samples as entries.
enum HealthKitTypes {
  struct Unknown: Error, CustomStringConvertible {
    let name: String
    var description: String { "this version of iOS has no \(name)" }
  }

  static func kind(_ feed: String) throws -> SampleKind {
    guard let kind = SampleKind.allCases.first(where: { $0.identifier == feed }) else {
      throw Unknown(name: feed)
    }
    return kind
  }

  static func sampleType(_ kind: SampleKind) throws -> HKSampleType {
    let name = kind.identifier
    let type: HKSampleType? =
      kind.isCategory
      ? HKObjectType.categoryType(forIdentifier: HKCategoryTypeIdentifier(rawValue: name))
      : HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: name))
    guard let type else { throw Unknown(name: name) }
    return type
  }

  /// Every type of the catalogue, and workouts.
  static var all: Set<HKObjectType> {
    Set(SampleKind.allCases.compactMap { try? sampleType($0) }).union([.workoutType()])
  }

  /// Those that wake the app, with how soon.
  static var observed: [(HKSampleType, HKUpdateFrequency)] {
    func types(_ kinds: [SampleKind]) -> [HKSampleType] {
      kinds.compactMap { try? sampleType($0) }
    }
    return types(HealthNews.atOnce).map { ($0, .immediate) }
      + (types(HealthNews.hourly) + [.workoutType()]).map { ($0, .hourly) }
  }

  // MARK: - Answers

  static func found(_ samples: [HKSample]?, _ error: (any Error)?) throws -> [HKSample] {
    if let error { throw error }
    return samples ?? []
  }

  static func changes(
    _ kind: SampleKind, _ added: [HKSample]?, _ deleted: [HKDeletedObject]?,
    _ anchor: HKQueryAnchor?, _ error: (any Error)?, _ limit: Int
  ) throws -> SampleChanges {
    let samples = try found(added, error)
    guard let anchor else { throw Unknown(name: "anchor") }
    let bytes = try NSKeyedArchiver.archivedData(
      withRootObject: anchor, requiringSecureCoding: true)
    return SampleChanges(
      added: try samples.map { try entry($0, kind) },
      deleted: try (deleted ?? []).map { try deletion($0, kind) },
      newAnchor: [UInt8](bytes), isComplete: samples.count + (deleted ?? []).count < limit)
  }

  /// A sample as an entry: checked and normalised by the library.
  static func entry(_ sample: HKSample, _ kind: SampleKind) throws -> StreamEntry {
    let unit = kind.unit.rawValue
    let value: Double =
      switch sample {
      case let sample as HKQuantitySample:
        sample.quantity.doubleValue(for: HKUnit(from: unit))
      case let sample as HKCategorySample: Double(sample.value)
      default: 0
      }
    var members: [String: JSONValue] = [
      "sample_type": .string(kind.identifier), "uuid": .string(sample.uuid.uuidString),
      "timestamp": .string(WireDate.text(sample.startDate)),
      "end_timestamp": .string(WireDate.text(sample.endDate)),
      "value": .number(value), "unit": .string(kind.isCategory ? "" : unit),
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
    _ object: HKDeletedObject, _ kind: SampleKind
  ) throws -> StreamEntry {
    try StreamEntry(
      .object([
        "sample_type": .string(kind.identifier), "uuid": .string(object.uuid.uuidString),
        "timestamp": .string(WireDate.text(.now)), "deleted": .bool(true),
      ]), of: .healthKit)
  }

  static func workout(_ workout: HKWorkout) -> Workout {
    func sum(_ id: HKQuantityTypeIdentifier, _ unit: HKUnit) -> Double? {
      workout.statistics(for: HKQuantityType(id))?.sumQuantity()?.doubleValue(for: unit)
    }
    let heart = workout.statistics(for: HKQuantityType(.heartRate))
    let beats = HKUnit(from: SampleUnit.countPerMinute.rawValue)
    var figures: [WorkoutFigure: Double] = [:]
    figures[.distance] = sum(.distanceWalkingRunning, .meter())
    figures[.activeEnergy] = sum(.activeEnergyBurned, .kilocalorie())
    figures[.steps] = sum(.stepCount, .count())
    figures[.swimmingStrokes] = sum(.swimmingStrokeCount, .count())
    figures[.averageHeartRate] = heart?.averageQuantity()?.doubleValue(for: beats)
    figures[.maximumHeartRate] = heart?.maximumQuantity()?.doubleValue(for: beats)
    return Workout(
      id: workout.uuid.uuidString.lowercased(),
      activity: WorkoutNames.name(ofActivity: workout.workoutActivityType.rawValue),
      start: Int64(workout.startDate.timeIntervalSince1970),
      end: Int64(workout.endDate.timeIntervalSince1970), duration: workout.duration,
      source: workout.sourceRevision.source.name, figures: figures)
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

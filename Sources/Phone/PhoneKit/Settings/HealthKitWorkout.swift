public import HealthModel

/// What HealthKit says of a workout, as the app hands it over; what its figures are made of is decided
/// here.
public struct HealthKitWorkout: Sendable {
  /// HealthKit's name for the type of workouts.
  public static let feed = "HKWorkoutTypeIdentifier"

  /// The workout without figures.
  private let bare: Workout
  /// Of types that add up, each in its kind's unit.
  public var sums: [SampleKind: Double] = [:]
  /// Of the others, the means.
  public var means: [SampleKind: Double] = [:]
  /// Of the others, the highest.
  public var highest: [SampleKind: Double] = [:]
  /// Of the metadata, in metres a second; some apps write it in place of samples.
  public var averageSpeed: Double?
  /// Of the metadata, in metres a second.
  public var maximumSpeed: Double?
  /// Of the metadata, in metres.
  public var elevationAscended: Double?
  /// Of the metadata, in metres.
  public var elevationDescended: Double?

  /// A workout without figures.
  ///
  /// - Parameters:
  ///   - id: its UUID.
  ///   - activity: HealthKit's number of the activity.
  ///   - start: seconds since 1970.
  ///   - end: seconds since 1970.
  ///   - duration: seconds without pauses.
  ///   - source: who wrote it.
  public init(
    id: String, activity: UInt, start: Double, end: Double, duration: Double, source: String
  ) {
    bare = Workout(
      id: id.lowercased(), activity: WorkoutNames.name(ofActivity: activity),
      start: Int64(start.rounded(.down)), end: Int64(end.rounded(.down)), duration: duration,
      source: source)
  }

  /// The workout with its figures; those without data are left out.
  public var workout: Workout {
    var workout = bare
    let types = WorkoutTypes(of: workout.activity)
    let active = sums[.activeEnergyBurned]
    let distance = types.distance(named(sums, "Distance", in: .metre))
    func speed(_ samples: [SampleKind: Double], _ metadata: Double?) -> Double? {
      types.own(named(samples, "Speed", in: .kilometrePerHour))
        ?? metadata.flatMap { SampleUnit.metrePerSecond.convert($0, to: .kilometrePerHour) }
    }
    workout.figures[.distance] = distance
    workout.figures[.activeEnergy] = active
    workout.figures[.totalEnergy] = active.flatMap { active in
      sums[.basalEnergyBurned].map { active + $0 }
    }
    workout.figures[.averageHeartRate] = means[.heartRate]
    workout.figures[.maximumHeartRate] = highest[.heartRate]
    workout.figures[.averageSpeed] = speed(means, averageSpeed) ?? meanSpeed(distance)
    workout.figures[.maximumSpeed] = speed(highest, maximumSpeed)
    workout.figures[.steps] = sums[.stepCount]
    workout.figures[.swimmingStrokes] = sums[.swimmingStrokeCount]
    workout.figures[.elevationAscended] = elevationAscended
    workout.figures[.elevationDescended] = elevationDescended
    return workout
  }

  private func meanSpeed(_ metres: Double?) -> Double? {
    guard let metres, let seconds = bare.duration, seconds > 0 else { return nil }
    return SampleUnit.metrePerSecond.convert(metres / seconds, to: .kilometrePerHour)
  }

  /// The numbers of the types with a word in their names, by these.
  private func named(
    _ numbers: [SampleKind: Double], _ word: String, in unit: SampleUnit
  ) -> [String: Double] {
    let prefix = "HKQuantityTypeIdentifier"
    var named: [String: Double] = [:]
    for (kind, number) in numbers {
      let name = kind.identifier.dropFirst(prefix.count)
      guard name.hasPrefix(word) || name.hasSuffix(word) else { continue }
      named[String(name)] = kind.unit.convert(number, to: unit)
    }
    return named
  }
}

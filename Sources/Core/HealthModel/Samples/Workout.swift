/// One workout, from whatever source.
public struct Workout: Hashable, Sendable {
  /// Its own UUID where the source gives one, else `SampleIdentity.uuid`; lower case.
  public var id: String
  /// What was done, as HealthKit names it without `HKWorkoutActivityType`, such as `Running`.
  public var activity: String
  /// Seconds since 1970.
  public var start: Int64
  /// Seconds since 1970, never before `start`.
  public var end: Int64
  /// Seconds without pauses; nil where the source does not say.
  public var duration: Double?
  /// The name of the app or device that wrote it.
  public var source: String
  /// Its numbers, each in the unit of the figure; those without data are left out.
  public var figures: [WorkoutFigure: Double]

  /// A workout.
  public init(
    id: String, activity: String, start: Int64, end: Int64, duration: Double? = nil,
    source: String, figures: [WorkoutFigure: Double] = [:]
  ) {
    (self.id, self.activity, self.start, self.end) = (id, activity, start, end)
    (self.duration, self.source, self.figures) = (duration, source, figures)
  }
}

/// A number that a workout can have; the raw value is its key in documents and tables.
public enum WorkoutFigure: String, CaseIterable, Hashable, Sendable {
  /// Distance of whatever kind the activity has.
  case distance
  /// Active and resting energy.
  case totalEnergy = "total_energy"
  /// Active energy.
  case activeEnergy = "active_energy"
  /// Mean heart rate.
  case averageHeartRate = "heart_rate_avg"
  /// Highest heart rate.
  case maximumHeartRate = "heart_rate_max"
  /// Mean speed.
  case averageSpeed = "speed_avg"
  /// Highest speed.
  case maximumSpeed = "speed_max"
  /// Steps.
  case steps
  /// Strokes swum.
  case swimmingStrokes = "swimming_strokes"
  /// Metres climbed.
  case elevationAscended = "elevation_ascended"
  /// Metres descended.
  case elevationDescended = "elevation_descended"

  /// The unit of the number.
  public var unit: SampleUnit { row.unit }

  /// The key in the column `metrics` of PostgreSQL's table of workouts, as it is given.
  public var recordKey: String { row.recordKey }

  /// The unit of the number under that key.
  public var recordUnit: SampleUnit { row.recordUnit }

  private var row: (unit: SampleUnit, recordKey: String, recordUnit: SampleUnit) {
    switch self {
    case .distance: (.metre, "Distance (mi)", .mile)
    case .totalEnergy: (.kilocalorie, "Total Energy (kcal)", .kilocalorie)
    case .activeEnergy: (.kilocalorie, "Active Energy (kcal)", .kilocalorie)
    case .averageHeartRate: (.countPerMinute, "Avg Heart Rate (bpm)", .countPerMinute)
    case .maximumHeartRate: (.countPerMinute, "Max Heart Rate (bpm)", .countPerMinute)
    // No blank before the bracket: the table is written so.
    case .averageSpeed: (.kilometrePerHour, "Avg Speed(mi/hr)", .milePerHour)
    case .maximumSpeed: (.kilometrePerHour, "Max Speed(mi/hr)", .milePerHour)
    case .steps: (.count, "Step Count (count)", .count)
    case .swimmingStrokes: (.count, "Swimming Strokes Count (count)", .count)
    case .elevationAscended: (.metre, "Elevation Ascended (m)", .metre)
    case .elevationDescended: (.metre, "Elevation Descended (m)", .metre)
    }
  }
}

/// Which of a workout's distances and speeds are its own: a workout of several sports has several. They are
/// given by HealthKit's names of their types, such as `DistanceWalkingRunning` and `RunningSpeed`.
package struct WorkoutTypes {
  private let activity: String

  package init(of activity: String) { self.activity = activity }

  /// The distance of the activity's own kind; of several others their sum, because each was covered
  /// in its own way. Sorted, so that the sum does not depend on their order.
  package func distance(_ distances: [String: Double]) -> Double? {
    if let own = own(distances) { return own }
    return distances.isEmpty ? nil : distances.values.sorted().reduce(0, +)
  }

  /// The number of the one type there is, or of the type that fits the activity.
  package func own(_ numbers: [String: Double]) -> Double? {
    if numbers.count < 2 { return numbers.values.first }
    return numbers.first { fits($0.key) }?.value
  }

  private func fits(_ type: String) -> Bool {
    switch activity {
    case "Running", "Walking":
      type == "DistanceWalkingRunning" || type == activity + "Speed"
    case "Hiking": type == "DistanceWalkingRunning" || type == "WalkingSpeed"
    case "HandCycling": type == "DistanceCycling"
    case "DownhillSkiing", "Snowboarding": type == "DistanceDownhillSnowSports"
    case "WheelchairWalkPace", "WheelchairRunPace": type == "DistanceWheelchair"
    default: type == "Distance" + activity || type == activity + "Speed"
    }
  }
}

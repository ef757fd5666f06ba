internal import AppleExport
import HealthModel

/// The workouts of an export, the oldest first, handed out day by day.
struct WorkoutLine {
  private let workouts: [Workout]
  private var index = 0
  /// Workouts that stood there again.
  let duplicates: Int

  /// Takes them in any order; a repeated one counts once.
  init(_ workouts: [ExportWorkout], _ sources: [ExportSource]) {
    var known: [String: Workout] = [:]
    for workout in workouts {
      let workout = Workout(workout, from: sources[Int(workout.source)])
      // Of two records of one workout, the one that says more, whatever their order.
      if let other = known[workout.id], !other.tellsLess(than: workout) { continue }
      known[workout.id] = workout
    }
    duplicates = workouts.count - known.count
    self.workouts = known.values.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
  }

  /// When the next one begins; seconds since 1970.
  var nextStart: Int? { index < workouts.count ? Int(workouts[index].start) : nil }

  /// Those that begin before a moment and were not handed out yet.
  mutating func take(before end: Int) -> [Workout] {
    let first = index
    while index < workouts.count, Int(workouts[index].start) < end { index += 1 }
    return Array(workouts[first..<index])
  }
}

extension Workout {
  /// A workout of an export, which gives it no UUID.
  init(_ workout: ExportWorkout, from source: ExportSource) {
    let identity = SampleIdentity(
      type: workout.type, source: source.name, hardware: source.hardware, start: workout.start,
      end: workout.end)
    self.init(
      id: identity.uuid, activity: workout.activity, start: workout.start, end: workout.end,
      duration: workout.duration, source: source.name, figures: workout.figures)
  }

  fileprivate func tellsLess(than other: Workout) -> Bool {
    func numbers(_ workout: Workout) -> [Double] {
      [Double(workout.figures.count), workout.duration ?? -1]
        + WorkoutFigure.allCases.map { workout.figures[$0] ?? -1 }
    }
    return numbers(self).lexicographicallyPrecedes(numbers(other))
  }
}

extension SleepSegment {
  /// A sample of sleep of an export, which gives it no UUID.
  ///
  /// The value stands in the identity as exports write it now: what they wrote before iOS 16 as
  /// `Asleep` they write as `AsleepUnspecified` since, and it is the same sample.
  init(_ value: SleepValue, _ sample: QuantitySample, from source: ExportSource) {
    let identity = SampleIdentity(
      type: SampleKind.sleepAnalysis.identifier, source: source.name, hardware: source.hardware,
      start: Int64(sample.start), end: Int64(sample.end), value: value.exportName)
    self.init(
      id: identity.uuid, value: value, start: Int64(sample.start), end: Int64(sample.end),
      source: source.name)
  }
}

extension SleepValue {
  /// The value as an export writes it.
  fileprivate var exportName: String {
    let name =
      switch self {
      case .inBed: "InBed"
      case .asleepUnspecified: "AsleepUnspecified"
      case .awake: "Awake"
      case .asleepCore: "AsleepCore"
      case .asleepDeep: "AsleepDeep"
      case .asleepREM: "AsleepREM"
      }
    return "HKCategoryValueSleepAnalysis" + name
  }
}

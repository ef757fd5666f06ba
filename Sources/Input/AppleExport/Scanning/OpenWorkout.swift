internal import HealthModel

/// A workout whose end tag has not been read, and what its children say.
struct OpenWorkout {
  private(set) var workout: ExportWorkout
  private var basalEnergy: Double?
  /// By type: a workout of several sports has several.
  private var distances: [String: Double] = [:]
  private var averageSpeeds: [String: Double] = [:]
  private var maximumSpeeds: [String: Double] = [:]
  /// When it was paused or resumed; seconds since 1970.
  private var pauses: [(moment: Int64, isPause: Bool)] = []

  init(_ workout: ExportWorkout) { self.workout = workout }

  var start: Int64 { workout.start }

  /// What a number of a workout says.
  enum Number {
    case absent
    case value(Double)
    /// It is below 0, or no number.
    case invalid
    case unknownUnit
  }

  /// Most pauses that are kept, and most types of distance and speed: far more than any workout
  /// has.
  private static var mostPauses: Int { 4096 }
  private static var mostTypes: Int { 16 }

  /// Takes a figure.
  mutating func add(_ number: Number, as figure: WorkoutFigure) {
    if let value = value(number) { workout.figures[figure] = value }
  }

  mutating func addDuration(_ number: Number) {
    if let value = value(number) { workout.duration = value }
  }

  mutating func addBasalEnergy(_ number: Number) {
    if let value = value(number) { basalEnergy = value }
  }

  mutating func addDistance(_ number: Number, type: String) {
    guard let value = value(number), distances.count < Self.mostTypes else { return }
    distances[type] = value
  }

  mutating func addSpeed(average: Number, maximum: Number, type: String) {
    guard averageSpeeds.count < Self.mostTypes, maximumSpeeds.count < Self.mostTypes else { return }
    if let value = value(average) { averageSpeeds[type] = value }
    if let value = value(maximum) { maximumSpeeds[type] = value }
  }

  mutating func addPause(at moment: Int64, isPause: Bool) {
    if pauses.count < Self.mostPauses { pauses.append((moment, isPause)) }
  }

  /// The number, counted where it can't be used.
  private mutating func value(_ number: Number) -> Double? {
    switch number {
    case .absent: return nil
    case .value(let value): return value
    case .invalid: workout.invalidNumbers += 1
    case .unknownUnit: workout.unknownUnits += 1
    }
    return nil
  }

  /// The workout, now that all of its children are read.
  var closed: ExportWorkout {
    var workout = workout
    if let active = workout.figures[.activeEnergy], let basalEnergy {
      workout.figures[.totalEnergy] = active + basalEnergy
    }
    let types = WorkoutTypes(of: workout.activity)
    if let distance = types.distance(distances) { workout.figures[.distance] = distance }
    if let speed = types.own(averageSpeeds) { workout.figures[.averageSpeed] = speed }
    if let speed = types.own(maximumSpeeds) { workout.figures[.maximumSpeed] = speed }
    if workout.duration == nil, !pauses.isEmpty, workout.end >= workout.start {
      workout.duration = Double(workout.end - workout.start - pausedSeconds)
    }
    return workout
  }

  /// Seconds of the workout in which it was paused; a pause without an end lasts to the workout's.
  private var pausedSeconds: Int64 {
    var (paused, since): (Int64, Int64?) = (0, nil)
    // Those of one moment stay in the order of the file.
    let sorted = pauses.enumerated()
      .sorted { ($0.element.moment, $0.offset) < ($1.element.moment, $1.offset) }.map(\.element)
    for pause in sorted {
      let moment = min(max(pause.moment, workout.start), workout.end)
      if pause.isPause {
        since = since ?? moment
      } else if let begin = since {
        paused += moment - begin
        since = nil
      }
    }
    return paused + (since.map { workout.end - $0 } ?? 0)
  }
}

package import HealthSamples

/// What the day's samples say for the labels (R57): each source's part of a sum, the newest heart
/// rates, and the day's workouts. Kept between pushes, so that an export is read once.
package struct PushedDetail: Hashable, Sendable {
  /// One heart rate.
  package struct HeartRate: Hashable, Sendable {
    package var source: String
    package var value: Double
    /// Seconds since 1970.
    package var at: Int

    package init(source: String, value: Double, at: Int) {
      (self.source, self.value, self.at) = (source, value, at)
    }
  }

  /// What one kind of workout adds to the day.
  package struct Workouts: Hashable, Sendable {
    package var minutes = 0.0
    /// Nil if no workout says it.
    package var calories: Double?

    package init(minutes: Double = 0, calories: Double? = nil) {
      (self.minutes, self.calories) = (minutes, calories)
    }
  }

  /// The day that it is about.
  package var date: String
  /// By the metric's key and the source.
  package var shares: [String: [String: Double]] = [:]
  /// By the metric's key, the sources that have samples of it.
  package var sources: [String: Set<String>] = [:]
  /// By `TimeOfDay`, the newest of each.
  package var heartRates: [String: HeartRate] = [:]
  /// By activity and source.
  package var workouts: [String: [String: Workouts]] = [:]

  package init(date: String) { self.date = date }

  /// Adds a share of a sum.
  package mutating func add(_ counted: Double, to metric: DailyMetric, from source: String) {
    shares[metric.rawValue, default: [:]][source, default: 0] += counted
  }

  /// Adds a heart rate of an hour of the clock, 0 to 23; the newest of each time of day counts.
  package mutating func add(_ rate: HeartRate, hour: Int) {
    let time = TimeOfDay(hour: hour).rawValue
    if let known = heartRates[time], known.at >= rate.at { return }
    heartRates[time] = rate
  }

  /// Adds a workout.
  package mutating func add(_ workout: Workout) {
    let source = SourceLabel.text(name: workout.source)
    var sum = workouts[workout.activity]?[source] ?? Workouts()
    sum.minutes += (workout.duration ?? Double(workout.end - workout.start)) / 60
    if let energy = workout.figures[.activeEnergy] ?? workout.figures[.totalEnergy] {
      sum.calories = (sum.calories ?? 0) + energy
    }
    workouts[workout.activity, default: [:]][source] = sum
  }

  /// The shares of a metric, if they are those of a number, rounded so that they add up to it.
  ///
  /// Nil if they are of other samples than the number: then it stands without its sources.
  func shares(of metric: DailyMetric, addingUpTo number: Double) -> [(
    source: String, value: Double
  )]? {
    guard let found = shares[metric.rawValue], !found.isEmpty else { return nil }
    let sum = found.values.sorted().reduce(0, +)
    let unit = metric.kind == .stepCount ? 1.0 : 1e-6
    guard abs(sum - number) <= unit * 0.5 + abs(number) * 1e-9 else { return nil }
    return Self.rounded(found, to: unit, addingUpTo: number)
  }

  /// The largest remainder's method: each share is rounded down or up, and the sum is kept.
  private static func rounded(
    _ shares: [String: Double], to unit: Double, addingUpTo number: Double
  ) -> [(source: String, value: Double)] {
    let sources = shares.sorted { $0.key < $1.key }
    var floors = sources.map { ($0.value / unit).rounded(.down) }
    let missing = (number / unit).rounded() - floors.reduce(0, +)
    let byRemainder = sources.indices.sorted { a, b in
      let (first, second) = (
        sources[a].value / unit - floors[a], sources[b].value / unit - floors[b]
      )
      return first == second ? a < b : first > second
    }
    // As many as are missing, which is less than there are sources but for the last bit.
    for index in byRemainder.prefix(max(0, Int(missing))) { floors[index] += 1 }
    let isWhole = unit == 1
    return zip(sources, floors).map { source, count in
      (source.key, isWhole ? count : count / 1e6)
    }
  }
}

/// The part of the day, by the hour of the clock on the wall (PR-6).
package enum TimeOfDay: String, CaseIterable, Sendable {
  case night, morning, afternoon, evening

  /// - Parameter hour: 0 to 23.
  package init(hour: Int) {
    self =
      switch hour {
      case ..<6: .night
      case ..<12: .morning
      case ..<18: .afternoon
      default: .evening
      }
  }
}

/// The value of the label `source` (PR-13): what kind of device, or the name of an app.
package enum SourceLabel {
  /// Of numbers whose sources are not known one by one.
  package static let all = "all"
  /// The longest value, in characters.
  private static let longest = 64

  /// - Parameters:
  ///   - name: as the source names itself: `Ann's Apple Watch`.
  ///   - hardware: such as `Watch6,2`; empty where unknown.
  package static func text(
    name: String, hardware: String = "", isUserEntered: Bool = false
  ) -> String {
    if isUserEntered { return "Health" }
    for (prefix, label) in [("Watch", "Apple Watch"), ("iPhone", "iPhone"), ("iPad", "iPad")]
    where hardware.hasPrefix(prefix) { return label }
    // Several names joined are those of numbers that HealthKit has merged.
    if name.unicodeScalars.contains("|") { return all }
    let lower = name.lowercased()
    if hardware.isEmpty {
      for (word, label) in [("watch", "Apple Watch"), ("iphone", "iPhone"), ("ipad", "iPad")]
      where lower.firstRange(of: word) != nil { return label }
    }
    if name.isEmpty { return "unknown" }
    return name.count > longest ? String(name.prefix(longest - 1)) + "…" : name
  }
}

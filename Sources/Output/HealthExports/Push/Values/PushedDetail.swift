package import HealthModel

/// What a day's samples say for the labels (R57): each source's own totals, the latest samples, and
/// the day's workouts. Kept between pushes, so that an export is read once.
package struct PushedDetail: Hashable, Sendable, Codable {
  package struct Newest: Hashable, Sendable, Codable {
    package var source: String
    package var value: Double
    /// Seconds since 1970.
    package var at: Int

    package init(source: String, value: Double, at: Int) {
      (self.source, self.value, self.at) = (source, value, at)
    }
  }

  /// What one kind of workout adds to the day.
  package struct Workouts: Hashable, Sendable, Codable {
    package var minutes = 0.0
    /// Nil if no workout says it.
    package var calories: Double?

    package init(minutes: Double = 0, calories: Double? = nil) {
      (self.minutes, self.calories) = (minutes, calories)
    }
  }

  package var date: String
  /// When the revision of the day was generated with which the samples were read.
  package var generatedAt = 0
  /// Of the file that they were read from, as it was then.
  package var fingerprint: String?
  /// By the metric's key, the number that these samples give.
  package var numbers: [String: Double] = [:]
  /// By the metric's key and the source, what the source has by itself.
  package var totals: [String: [String: Double]] = [:]
  package var latest: [String: Newest] = [:]
  /// By the metric's key, the sources that have samples of it.
  package var sources: [String: Set<String>] = [:]
  /// By `TimeOfDay`, the newest of each.
  package var heartRates: [String: Newest] = [:]
  /// By activity and source.
  package var workouts: [String: [String: Workouts]] = [:]

  package init(date: String) { self.date = date }

  /// Adds a heart rate of an hour of the clock, 0 to 23; the newest of each time of day counts.
  package mutating func add(_ rate: Newest, hour: Int) {
    let time = TimeOfDay(hour: hour).rawValue
    if let known = heartRates[time], known.at >= rate.at { return }
    heartRates[time] = rate
  }

  package mutating func add(_ workout: Workout) {
    let source = SourceLabel.text(name: workout.source)
    var sum = workouts[workout.activity]?[source] ?? Workouts()
    sum.minutes += (workout.duration ?? Double(workout.end - workout.start)) / 60
    if let energy = workout.figures[.activeEnergy] ?? workout.figures[.totalEnergy] {
      sum.calories = (sum.calories ?? 0) + energy
    }
    workouts[workout.activity, default: [:]][source] = sum
  }

  /// Whether a number of the ledger is one of these samples', and not of others.
  private static func isSame(_ own: Double?, _ number: Double, of metric: DailyMetric) -> Bool {
    let unit = metric.kind == .stepCount ? 1.0 : 1e-6
    return own.map { abs($0 - number) <= unit * 0.5 + abs(number) * 1e-9 } ?? false
  }

  /// What each source has by itself of a total, in the order of their names; nil if the samples do not
  /// give the ledger's number. Their sum is more than the total where two saw the same.
  func totals(of metric: DailyMetric, _ number: Double) -> [(source: String, value: Double)]? {
    guard Self.isSame(numbers[metric.rawValue], number, of: metric) else { return nil }
    return (totals[metric.rawValue] ?? [:]).filter { $0.key != SourceLabel.all }
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Who has measured what a gauge says, if it is of these samples: the source of the latest one, or the
  /// only source with samples of its kind.
  func source(of gauge: NewestValues.Gauge, _ key: String) -> String? {
    guard let metric = DailyMetric(rawValue: key) else { return nil }
    if gauge.isLatest {
      guard let latest = latest[key], Self.isSame(latest.value, gauge.value, of: metric) else {
        return nil
      }
      return latest.source
    }
    guard Self.isSame(numbers[key], gauge.value, of: metric), let sources = sources[key] else {
      return nil
    }
    return sources.count == 1 ? sources.first : SourceLabel.all
  }
}

extension PushedDetail {
  /// What a day's samples say.
  package init(_ detail: DayDetail, on date: CalendarDate) {
    self.init(date: "\(date)")
    func keyed<Value>(_ values: [DailyMetric: Value]) -> [String: Value] {
      Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
    }
    func newest(_ sample: DayDetail.Newest) -> Newest {
      Newest(source: sample.source, value: sample.value, at: sample.end)
    }
    (numbers, totals) = (keyed(detail.numbers), keyed(detail.totals))
    latest = keyed(detail.latest).mapValues(newest)
    for metric in DailyMetric.allCases { sources[metric.rawValue] = detail.sources[metric.kind] }
    for (hour, rate) in detail.heartRates { add(newest(rate), hour: hour) }
  }
}

/// The part of the day, by the hour of the clock on the wall (R57).
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

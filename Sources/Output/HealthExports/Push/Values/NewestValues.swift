package import HealthModel

/// What a push needs of one day of the ledger.
package struct PushedDay: Hashable, Sendable {
  package let date: CalendarDate
  /// Midnight in the day's zone; seconds since 1970.
  package let start: Int
  /// The midnight after it.
  package let end: Int
  /// When its newest revision was generated.
  package let generatedAt: Int
  package let numbers: [DailyMetric: Double]
  /// Until when numbers of a part of the day reach that do not reach its end (R33).
  package var partial: [DailyMetric: Int] = [:]
  /// The source whose number the day shows, of the metrics where it is known.
  var shown: [DailyMetric: String] = [:]
  /// By metric, what each source says of it by itself.
  var bySource: [DailyMetric: [String: Double]] = [:]

  package init(
    date: CalendarDate, start: Int, end: Int, generatedAt: Int, numbers: [DailyMetric: Double]
  ) {
    (self.date, self.start, self.end) = (date, start, end)
    (self.generatedAt, self.numbers) = (generatedAt, numbers)
  }

  /// A day as its revision has it. What has no number is left out, and so are the names of sources that
  /// the revision does not name.
  package init(_ revision: DailyRevision) {
    self.init(
      date: revision.date, start: revision.day.start.timestamp.secondsSince1970,
      end: revision.day.end.timestamp.secondsSince1970,
      generatedAt: revision.generatedAt.secondsSince1970, numbers: revision.readings.numbers)
    partial = PartialNumbers(revision).parts.compactMapValues {
      $0.to?.timestamp.secondsSince1970
    }
    let words = revision.allWords
    let sources = Dictionary(grouping: words.all, by: \.source)
    let figures = sources.count > 1 ? Fold(words).figures : [:]
    let alone = sources.filter { $0.key != .unknown }
      .mapValues { sources.count > 1 ? Fold(DayWords($0)).readings.numbers : numbers }
    for metric in numbers.keys {
      let source = sources.count > 1 ? figures[WordGroup(of: metric)]?.source : sources.keys.first
      if let source, source != .unknown { shown[metric] = source.rawValue }
      for (source, numbers) in alone {
        bySource[metric, default: [:]][source.rawValue] = numbers[metric]
      }
    }
  }

  /// The last moment that its numbers can be of.
  var moment: Int { min(generatedAt, end) }

  /// What a gauge says of the day: the latest value, where the day has one; else the day's number; nil
  /// without either.
  func gauge(_ metric: DailyMetric) -> NewestValues.Gauge? {
    let start = Timestamp(secondsSince1970: start)
    let latest = LatestValue(of: metric, from: start, { numbers[$0] })
    guard let value = latest?.value ?? numbers[metric] else { return nil }
    return NewestValues.Gauge(
      value: value, at: latest?.at?.secondsSince1970 ?? moment, date: "\(date)",
      source: shown[metric.latest?.value ?? metric] ?? shown[metric] ?? SourceLabel.all,
      isLatest: latest != nil)
  }
}

/// What days say that a push can need: the newest day, of each gauge the newest day's that has it, and
/// the newest days with a heart rate (R57). A function of the days, in whatever order they are added.
package struct NewestValues: Hashable, Sendable {
  package struct Gauge: Hashable, Sendable, Codable {
    package let value: Double
    /// The moment that it is about; seconds since 1970.
    package let at: Int
    package let date: String
    /// The value of the label `source`.
    package internal(set) var source: String
    /// Whether it is the latest value of the day, and not the day's number.
    package let isLatest: Bool

    /// Whether it says the same, whoever has measured it.
    func isSame(as other: Gauge) -> Bool {
      (date, value, at) == (other.date, other.value, other.at)
    }
  }

  /// By the metric's key.
  package private(set) var gauges: [String: Gauge] = [:]
  package private(set) var newest: PushedDay?
  /// Those with a mean heart rate, the newest first: two, because one may have begun just now.
  private var rateDays: [PushedDay] = []

  package init(_ days: [PushedDay] = []) {
    for day in days { add(day) }
  }

  package mutating func add(_ day: PushedDay) {
    for metric in Set(day.numbers.keys.map { $0.latestOf ?? $0 })
    where metric.prometheusType == .gauge {
      if let gauge = day.gauge(metric) { add(gauge, metric.rawValue) }
    }
    add(newest: day)
    if day.numbers[.heartRateMean] != nil { add(rateDay: day) }
  }

  package mutating func add(_ other: NewestValues) {
    for (key, gauge) in other.gauges { add(gauge, key) }
    if let day = other.newest { add(newest: day) }
    for day in other.rateDays { add(rateDay: day) }
  }

  private mutating func add(_ gauge: Gauge, _ key: String) {
    if gauges[key].map({ $0.date <= gauge.date }) ?? true { gauges[key] = gauge }
  }

  private mutating func add(newest day: PushedDay) {
    if newest.map({ $0.date <= day.date }) ?? true { newest = day }
  }

  private mutating func add(rateDay day: PushedDay) {
    rateDays.removeAll { $0.date == day.date }
    rateDays = Array((rateDays + [day]).sorted { $0.date > $1.date }.prefix(2))
  }

  /// The days whose samples a push reads: today, and those with the newest heart rates.
  package func daysToRead(_ today: CalendarDate) -> [PushedDay] {
    [newest].compactMap { $0?.date == today ? $0 : nil } + rateDays.filter { $0.date < today }
  }

  /// Adds what is remembered of days that are not at hand. Of a day that is, only who has measured what it
  /// still says.
  package mutating func remember(_ gauges: [String: Gauge], besides days: [PushedDay]) {
    let dates = Set(days.map { "\($0.date)" })
    for (key, gauge) in gauges {
      if self.gauges[key]?.isSame(as: gauge) == true {
        self.gauges[key]?.source = gauge.source
      } else if !dates.contains(gauge.date) {
        add(gauge, key)
      }
    }
  }

  /// Names who has measured the gauges of a day whose samples are at hand.
  package mutating func name(by detail: PushedDetail) {
    for (key, gauge) in gauges where gauge.date == detail.date {
      if let source = detail.source(of: gauge, key) { gauges[key]?.source = source }
    }
  }
}

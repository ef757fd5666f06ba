package import HealthModel

/// The newest value of each gauge, and which samples were read for it: they are read again only when
/// their day changes (R57).
package struct ValueCache: Hashable, Sendable {
  package struct Value: Hashable, Sendable {
    package var value: Double
    /// The moment that it is about; seconds since 1970.
    package var at: Int
    /// The date of its day.
    package var date: String
    /// The value of the label `source`.
    package var source: String
    /// The day's number, if the value is the newest sample of the day and not that number.
    package var dayNumber: Double?
    /// When the revision of the day was generated with which its samples were read; nil if they were
    /// not.
    package var samplesOf: Int?
  }

  /// The heart rates of one day.
  package struct HeartRates: Hashable, Sendable {
    /// When the revision of the day was generated with which they were read.
    package var generatedAt: Int
    /// By `TimeOfDay`.
    package var rates: [String: PushedDetail.Newest]
  }

  /// By the metric's key.
  package private(set) var gauges: [String: Value] = [:]
  /// By date.
  private(set) var ratesByDate: [String: HeartRates] = [:]
  /// The days whose heart rates count, the newest first.
  private var rateDays: [PushedDay] = []

  /// How many days with a mean heart rate: one may have begun just now.
  static let heartRateDays = 2

  package init() {}

  init(gauges: [String: Value], ratesByDate: [String: HeartRates]) {
    (self.gauges, self.ratesByDate) = (gauges, ratesByDate)
  }

  /// By `TimeOfDay`, the newest of each.
  package var heartRates: [String: PushedDetail.Newest] {
    ratesByDate.values.reduce(into: [:]) { newest, day in
      newest.merge(day.rates) { $0.at < $1.at ? $1 : $0 }
    }
  }

  /// The dates before today whose samples were not read yet, the latest first.
  package func datesToRead(before today: CalendarDate) -> [CalendarDate] {
    let dates =
      gauges.values.filter { $0.samplesOf == nil }.compactMap { CalendarDate($0.date) }
      + rateDays.map(\.date).filter { ratesByDate["\($0)"] == nil }
    return Set(dates).filter { $0 < today }.sorted(by: >)
  }

  /// Takes the newest numbers that the ledger has: nothing else stays. What the samples of a day
  /// say is kept while its revision is the same.
  ///
  /// - Parameter detail: what the samples of one of the days say, if they were read now.
  package mutating func take(_ days: [PushedDay], _ detail: PushedDetail?) {
    let before = gauges
    gauges = [:]
    let days = days.sorted { $0.date > $1.date }
    for day in days {
      for (metric, number) in day.numbers where metric.prometheusType == .gauge {
        let key = metric.rawValue
        guard gauges[key] == nil else { continue }
        gauges[key] = Self.value(metric, number, day, detail, before[key])
      }
    }
    rateDays = Array(days.filter { $0.numbers[.heartRateMean] != nil }.prefix(Self.heartRateDays))
    if let newest = days.first, !rateDays.contains(newest) { rateDays.append(newest) }
    let ratesBefore = ratesByDate
    ratesByDate = [:]
    for day in rateDays {
      let date = "\(day.date)"
      if let detail, detail.date == date {
        ratesByDate[date] = HeartRates(generatedAt: day.generatedAt, rates: detail.heartRates)
      } else if let known = ratesBefore[date], known.generatedAt == day.generatedAt {
        ratesByDate[date] = known
      }
    }
  }

  private static func value(
    _ metric: DailyMetric, _ number: Double, _ day: PushedDay, _ detail: PushedDetail?,
    _ known: Value?
  ) -> Value {
    let date = "\(day.date)"
    guard let detail, detail.date == date else {
      if let known, known.date == date, known.samplesOf == day.generatedAt { return known }
      return Value(value: number, at: day.moment, date: date, source: SourceLabel.all)
    }
    if let latest = detail.latest(metric, of: day, number) {
      return Value(
        value: latest.value, at: latest.at, date: date, source: latest.source, dayNumber: number,
        samplesOf: day.generatedAt)
    }
    let sources = detail.sources[metric.rawValue] ?? []
    return Value(
      value: number, at: day.moment, date: date,
      source: sources.count == 1 ? sources.first ?? SourceLabel.all : SourceLabel.all,
      samplesOf: day.generatedAt)
  }
}

/// How old a cached value is, as the label `data_age` says it: few words, so that there are few
/// series.
package enum DataAge {
  private static let words: [(seconds: Int, word: String)] = [
    (300, "5m"), (3600, "1h"), (21_600, "6h"), (86_400, "1d"), (604_800, "7d"),
  ]

  /// The first of `5m 1h 6h 1d 7d` that is not exceeded, else `older`.
  package static func word(_ seconds: Int) -> String {
    words.first { seconds <= $0.seconds }?.word ?? "older"
  }

  /// All words.
  package static var all: [String] { words.map(\.word) + ["older"] }
}

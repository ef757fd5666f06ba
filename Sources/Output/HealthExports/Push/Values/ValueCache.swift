package import HealthModel

/// The newest value of each gauge, and which samples were read for who measured it: they are read again only
/// when their day changes (R57).
package struct ValueCache: Hashable, Sendable {
  package struct Value: Hashable, Sendable {
    package let value: Double
    /// The moment that it is about; seconds since 1970.
    package let at: Int
    /// The date of its day.
    package let date: String
    /// The value of the label `source`.
    package let source: String
    /// Whether it is the latest value of the day, and not the day's number.
    package let isLatest: Bool
  }

  /// Who measured a value, as the samples of its day say.
  package struct Origin: Hashable, Sendable {
    /// The date of the day.
    package var date: String
    /// The value of the label `source`.
    package var source: String
    /// When the revision of the day was generated with which its samples were read.
    package var samplesOf: Int
  }

  /// The heart rates of one day.
  package struct HeartRates: Hashable, Sendable {
    /// When the revision of the day was generated with which they were read.
    package var generatedAt: Int
    /// By `TimeOfDay`.
    package var rates: [String: PushedDetail.Newest]
  }

  /// By the metric's key: a function of the days, but for the sources.
  package private(set) var gauges: [String: Value] = [:]
  /// By the metric's key, of the values whose samples were read.
  private(set) var origins: [String: Origin] = [:]
  /// By date.
  private(set) var ratesByDate: [String: HeartRates] = [:]
  /// The days whose heart rates count, the newest first.
  private var rateDays: [PushedDay] = []

  /// How many days with a mean heart rate: one may have begun just now.
  static let heartRateDays = 2

  package init() {}

  init(origins: [String: Origin], ratesByDate: [String: HeartRates]) {
    (self.origins, self.ratesByDate) = (origins, ratesByDate)
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
      gauges.filter { origins[$0.key] == nil }.compactMap { CalendarDate($0.value.date) }
      + rateDays.map(\.date).filter { ratesByDate["\($0)"] == nil }
    return Set(dates).filter { $0 < today }.sorted(by: >)
  }

  /// Takes the newest numbers that the ledger has: nothing else stays. What the samples of a day
  /// say is kept while its revision is the same.
  ///
  /// - Parameter detail: what the samples of one of the days say, if they were read now.
  package mutating func take(_ days: [PushedDay], _ detail: PushedDetail?) {
    let before = origins
    (gauges, origins) = ([:], [:])
    let days = days.sorted { $0.date > $1.date }
    for day in days {
      let metrics = day.numbers.keys.filter { $0.prometheusType == .gauge }.map {
        $0.latestOf ?? $0
      }
      for metric in Set(metrics) where gauges[metric.rawValue] == nil {
        guard let gauge = day.gauge(metric) else { continue }
        let (key, date) = (metric.rawValue, "\(day.date)")
        if let detail, detail.date == date {
          origins[key] = Origin(
            date: date, source: detail.source(of: gauge, metric), samplesOf: day.generatedAt)
        } else if let known = before[key], known.date == date, known.samplesOf == day.generatedAt {
          origins[key] = known
        }
        gauges[key] = Value(
          value: gauge.value, at: gauge.at, date: date,
          source: origins[key]?.source ?? SourceLabel.all, isLatest: gauge.isLatest)
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

package import HealthModel

/// The last value of each gauge, kept for the time when there is no fresh one (R57).
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
    /// Whether the day's samples were read for the newest one, and had none.
    package var samplesRead = false
  }

  /// By the metric's key.
  package private(set) var gauges: [String: Value] = [:]
  /// By `TimeOfDay`.
  package private(set) var heartRates: [String: PushedDetail.Newest] = [:]

  package init() {}

  init(gauges: [String: Value], heartRates: [String: PushedDetail.Newest]) {
    (self.gauges, self.heartRates) = (gauges, heartRates)
  }

  package var isEmpty: Bool { gauges.isEmpty && heartRates.isEmpty }

  /// The dates before today whose samples may have the newest value and were not read yet, the latest
  /// first.
  package func datesToRead(before today: CalendarDate) -> [CalendarDate] {
    let dates = gauges.compactMap { key, value -> CalendarDate? in
      guard value.dayNumber == nil, !value.samplesRead,
        DailyMetric(rawValue: key)?.saysLatest == true
      else { return nil }
      return CalendarDate(value.date)
    }
    return Set(dates).filter { $0 < today }.sorted(by: >)
  }

  /// Notes that the samples of a date were read.
  package mutating func markRead(_ date: CalendarDate) {
    for (key, value) in gauges where value.date == "\(date)" && value.dayNumber == nil {
      gauges[key]?.samplesRead = true
    }
  }

  /// Takes the ledger's values of some days. What was kept of these days before is forgotten: it
  /// may have been corrected since. Only the newest sample of a day stays while the day's number does.
  package mutating func take(_ days: [PushedDay], _ detail: PushedDetail?) {
    let dates = Set(days.map { "\($0.date)" })
    let before = gauges
    gauges = gauges.filter { !dates.contains($0.value.date) }
    for day in days {
      for (metric, number) in day.numbers where metric.prometheusType == .gauge {
        let (key, date) = (metric.rawValue, "\(day.date)")
        if let known = gauges[key], known.date >= date { continue }
        if let latest = detail?.latest(metric, of: day, number) {
          gauges[key] = Value(
            value: latest.value, at: latest.at, date: date, source: latest.source,
            dayNumber: number)
        } else if let known = before[key], known.date == date,
          known.dayNumber == number
            || known.samplesRead && known.value == number && known.at == day.moment
        {
          gauges[key] = known
        } else {
          let sources = detail?.date == date ? detail?.sources[key] ?? [] : []
          gauges[key] = Value(
            value: number, at: day.moment, date: date,
            source: sources.count == 1 ? sources.first ?? SourceLabel.all : SourceLabel.all)
        }
      }
    }
    for (time, rate) in detail?.heartRates ?? [:] {
      if let known = heartRates[time], known.at > rate.at { continue }
      heartRates[time] = rate
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

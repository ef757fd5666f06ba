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
  /// The metrics that have a number.
  package let numbers: [DailyMetric: Double]

  package init(
    date: CalendarDate, start: Int, end: Int, generatedAt: Int, numbers: [DailyMetric: Double]
  ) {
    (self.date, self.start, self.end) = (date, start, end)
    (self.generatedAt, self.numbers) = (generatedAt, numbers)
  }

  /// A day as its revision has it. What has no number is left out.
  package init(_ revision: DailyRevision) {
    self.init(
      date: revision.date, start: revision.day.start.timestamp.secondsSince1970,
      end: revision.day.end.timestamp.secondsSince1970,
      generatedAt: revision.generatedAt.secondsSince1970, numbers: revision.readings.numbers)
  }

  /// The last moment that its numbers can be of.
  var moment: Int { min(generatedAt, end) }

  /// What a gauge says of the day.
  struct Gauge {
    let value: Double
    /// The moment that it is about; seconds since 1970.
    let at: Int
    /// Whether it is the latest value of the day, and not the day's number.
    let isLatest: Bool
  }

  /// The latest value, where the day has one; else the day's number; nil without either.
  func gauge(_ metric: DailyMetric) -> Gauge? {
    let start = Timestamp(secondsSince1970: start)
    if let latest = LatestValue(of: metric, from: start, { numbers[$0] }) {
      return Gauge(
        value: latest.value, at: latest.at?.secondsSince1970 ?? moment, isLatest: true)
    }
    return numbers[metric].map { Gauge(value: $0, at: moment, isLatest: false) }
  }
}

/// What pushes keep of the days of one month: as much as another push can need of them (R57).
package struct PushedMonth: Hashable, Sendable {
  /// What the store's listing showed of the month when its days were read.
  package let fingerprint: String
  /// The newest day, and of the others the gauges that no later day of the month has, and the mean
  /// heart rate that one later day has. The newest first.
  package let days: [PushedDay]

  /// - Parameter days: those that the month has.
  package init(_ fingerprint: String, of days: [PushedDay]) {
    self.fingerprint = fingerprint
    var counts: [DailyMetric: Int] = [:]
    var kept: [PushedDay] = []
    for day in days.sorted(by: { $0.date > $1.date }) {
      let numbers = day.numbers.filter { metric, _ in
        metric.prometheusType == .gauge
          && counts[metric, default: 0] < (metric == .heartRateMean ? ValueCache.heartRateDays : 1)
      }
      for metric in numbers.keys { counts[metric, default: 0] += 1 }
      if kept.isEmpty {
        kept.append(day)
      } else if !numbers.isEmpty {
        kept.append(
          PushedDay(
            date: day.date, start: day.start, end: day.end, generatedAt: day.generatedAt,
            numbers: numbers))
      }
    }
    self.days = kept
  }

  init(fingerprint: String, days: [PushedDay]) {
    (self.fingerprint, self.days) = (fingerprint, days)
  }
}

import HealthLedger
import HealthModel

/// How long the periods of a summary are.
package enum SummaryPeriod: String, CaseIterable, Sendable {
  /// From Monday to Sunday.
  case week
  case month

  /// The periods of a range, oldest first. The first and the last may be cut by the range.
  func periods(of range: DateRange) -> [ClosedRange<CalendarDate>] {
    var periods: [ClosedRange<CalendarDate>] = []
    for date in range.dates {
      if let last = periods.last, !begins(date) {
        periods[periods.count - 1] = last.lowerBound...date
      } else {
        periods.append(date...date)
      }
    }
    return periods
  }

  private func begins(_ date: CalendarDate) -> Bool {
    switch self {
    // 1970-01-05 was a Monday.
    case .week: (date.daysSince1970 - 4) % 7 == 0
    case .month: date.day == 1
    }
  }
}

/// The numbers of a range that count, collected date by date (R61).
struct RangeFigures {
  let range: DateRange
  let metrics: [DailyMetric]
  private let now: Timestamp
  /// Numbers of whole days that nothing casts doubt on, oldest first.
  private var numbers: [DailyMetric: [(date: CalendarDate, number: Double)]] = [:]
  /// The dates of numbers that are doubtful (R42). The numbers do not count, and the dates are listed.
  private var doubtful: [DailyMetric: DateRuns] = [:]
  private var days: RangeAnswer

  init(_ range: DateRange, _ metrics: [DailyMetric], now: Timestamp) {
    (self.range, self.metrics, self.now) = (range, metrics, now)
    days = RangeAnswer(range, metrics, .compact)
  }

  /// Adds the next date.
  mutating func add(_ resolution: Resolution) {
    days.add(resolution)
    guard let revision = resolution.latest?.revision, revision.day.isOver(at: now) else { return }
    let partial = PartialNumbers(revision)
    for metric in metrics {
      guard partial[metric] == nil, let number = revision.reading(of: metric).number else {
        continue
      }
      if metric.isDoubtful(number) {
        doubtful[metric, default: DateRuns()].add(revision.date)
      } else {
        numbers[metric, default: []].append((revision.date, number))
      }
    }
  }

  /// The statistics of some of the dates; nil where none of them has a number.
  func statistics(
    of metric: DailyMetric, in dates: ClosedRange<CalendarDate>
  ) -> DayStatistics? {
    DayStatistics((numbers[metric] ?? []).filter { dates.contains($0.date) }.map(\.number))
  }

  /// The members that a summary and what it is compared with both have.
  var members: [String: JSONValue] {
    var members = days.common(now: now)
    members["metrics"] = json(range.from...range.to)
    members["doubtful"] = .object(
      Dictionary(uniqueKeysWithValues: doubtful.map { ($0.rawValue, $1.json) }))
    return members
  }

  /// The figures of each metric, with null and 0 days where there is no number.
  func json(_ dates: ClosedRange<CalendarDate>) -> JSONValue {
    .object(
      Dictionary(
        uniqueKeysWithValues: metrics.map { metric in
          let found = statistics(of: metric, in: dates)
          return (
            metric.rawValue,
            [
              "days": .number(Double(found?.count ?? 0)), "mean": .rounded(found?.mean),
              "median": .rounded(found?.median), "least": .rounded(found?.least),
              "most": .rounded(found?.greatest),
            ]
          )
        }))
  }
}

/// The answer of `summarize_range` (R61).
struct SummaryAnswer {
  let figures: RangeFigures
  let periods: [ClosedRange<CalendarDate>]?
  let compared: RangeFigures?
  let now: Timestamp

  var content: JSONValue {
    var members = figures.members
    members["metric_units"] = DailyMetric.units(figures.metrics)
    if let periods {
      members["periods"] = .array(
        periods.map { dates in
          [
            "start_date": .string("\(dates.lowerBound)"),
            "end_date": .string("\(dates.upperBound)"), "metrics": figures.json(dates),
          ]
        })
    }
    if let compared {
      members["compared"] = .object(compared.members)
      members["change"] = change(since: compared)
    }
    return .object(members)
  }

  /// How the means differ, where both ranges have one.
  private func change(since compared: RangeFigures) -> JSONValue {
    var changes: [String: JSONValue] = [:]
    for metric in figures.metrics {
      let new = figures.statistics(of: metric, in: figures.range.from...figures.range.to)?.mean
      let old = compared.statistics(of: metric, in: compared.range.from...compared.range.to)?.mean
      let difference = new.flatMap { new in old.map { new - $0 } }
      let percent = difference.flatMap { difference in
        old.flatMap { $0 == 0 || !metric.hasShares ? nil : difference / abs($0) * 100 }
      }
      changes[metric.rawValue] = ["mean": .rounded(difference), "percent": .rounded(percent)]
    }
    return .object(changes)
  }
}

extension JSONValue {
  /// A number with at most six decimals; null for none, or for one that has no value.
  static func rounded(_ number: Double?) -> JSONValue {
    guard let number, number.isFinite else { return .null }
    return .number(number.roundedToMillionths)
  }
}

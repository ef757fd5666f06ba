import HealthLedger
import HealthModel

/// The answer of `list_metrics`, collected date by date (R61).
struct MetricListAnswer {
  let range: DateRange
  private let held: Holdings
  private var coverage = Coverage()
  private var found: [DailyMetric: (first: CalendarDate, last: CalendarDate, days: Int)] = [:]

  init(_ range: DateRange, _ held: Holdings) { (self.range, self.held) = (range, held) }

  /// Adds the next date.
  mutating func add(_ resolution: Resolution) {
    coverage.add(resolution)
    guard let revision = resolution.latest?.revision else { return }
    for metric in DailyMetric.inOrder where revision.reading(of: metric).number != nil {
      let old = found[metric]
      found[metric] = (old?.first ?? revision.date, revision.date, (old?.days ?? 0) + 1)
    }
  }

  /// The complete answer, once every date was added.
  var content: JSONValue {
    func extent(_ first: CalendarDate, _ last: CalendarDate, _ days: Int) -> [String: JSONValue] {
      ["first_date": "\(first)", "last_date": "\(last)", "days": .number(Double(days))]
    }
    let holdings = held.extent.map { extent($0.lowerBound, $0.upperBound, held.days) }
    return [
      "start_date": "\(range.from)", "end_date": "\(range.to)",
      "metrics": .byMetric(found.keys) { metric in
        found[metric].map {
          .object(extent($0.first, $0.last, $0.days).merging(metric.wordsForAgents) { $1 })
        }
      },
      "held": holdings.map(JSONValue.object) ?? .null,
      "coverage": coverage.json(showing: DailyMetric.inOrder),
    ]
  }
}

extension DailyMetric {
  /// What an agent reads about the metric, whatever the data.
  fileprivate var wordsForAgents: [String: JSONValue] {
    [
      "unit": .string(unitLabel), "meaning": .string(label), "made": aggregation.wordsForAgents,
    ]
  }

  /// All metrics of the catalogue, whether or not there is data.
  static var catalogue: JSONValue { .byMetric(inOrder) { .object($0.wordsForAgents) } }
}

extension DailyAggregation {
  /// How a day's number is made of its samples.
  fileprivate var wordsForAgents: JSONValue {
    switch self {
    case .sum: "sum of the day; what several devices saw at once counts once"
    case .entries: "sum of all entries of the day"
    case .mean: "mean of the day's samples"
    case .least: "lowest sample of the day"
    case .greatest: "highest sample of the day"
    case .latest: "latest sample of the day"
    case .latestTime: "when the latest sample of the day ended, in minutes from the day's start"
    case .level: "mean of the sound's energy, weighted by time"
    case .hours: "number of hours of the day"
    case .duration: "time of the day that any sample covers"
    case .night: "time in the night that ends on the day, from 18:00 to 18:00"
    }
  }
}

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

/// The numbers of a range that count, collected date by date, and the answer of `summarize_range` (R61).
struct RangeFigures {
  private let range: DateRange
  private let metrics: [DailyMetric]
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

  /// The complete answer, once every date was added.
  func summary(
    _ periods: [ClosedRange<CalendarDate>]?, comparedWith compared: RangeFigures?
  ) -> JSONValue {
    var members = members
    members["metric_units"] = DailyMetric.units(metrics)
    members["periods"] = periods.map { periods in
      .array(
        periods.map { dates in
          [
            "start_date": "\(dates.lowerBound)", "end_date": "\(dates.upperBound)",
            "metrics": figures(of: dates),
          ]
        })
    }
    if let compared {
      members["compared"] = .object(compared.members)
      members["change"] = change(since: compared)
    }
    return .object(members)
  }

  /// The members that a summary and what it is compared with both have.
  private var members: [String: JSONValue] {
    var members = days.common(now: now)
    members["metrics"] = figures(of: range.from...range.to)
    members["doubtful"] = .byMetric(doubtful.keys) { doubtful[$0]?.json }
    return members
  }

  /// The statistics of some of the dates; nil where none of them has a number.
  private func statistics(
    of metric: DailyMetric, in dates: ClosedRange<CalendarDate>
  ) -> DayStatistics? {
    DayStatistics((numbers[metric] ?? []).filter { dates.contains($0.date) }.map(\.number))
  }

  /// The figures of each metric, with null and 0 days where there is no number.
  private func figures(of dates: ClosedRange<CalendarDate>) -> JSONValue {
    .byMetric(metrics) { metric in
      let found = statistics(of: metric, in: dates)
      return [
        "days": .number(Double(found?.count ?? 0)), "mean": .rounded(found?.mean),
        "median": .rounded(found?.median), "least": .rounded(found?.least),
        "most": .rounded(found?.greatest),
      ]
    }
  }

  /// How the means differ, where both ranges have one.
  private func change(since compared: RangeFigures) -> JSONValue {
    .byMetric(metrics) { metric in
      func mean(_ figures: RangeFigures) -> Double? {
        figures.statistics(of: metric, in: figures.range.from...figures.range.to)?.mean
      }
      guard let new = mean(self), let old = mean(compared) else {
        return ["mean": .null, "percent": .null]
      }
      let share = old == 0 || !metric.hasShares ? nil : (new - old) / abs(old) * 100
      return ["mean": .rounded(new - old), "percent": .rounded(share)]
    }
  }
}

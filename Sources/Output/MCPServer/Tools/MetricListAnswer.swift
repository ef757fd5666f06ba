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
    var metrics: [String: JSONValue] = [:]
    for (metric, days) in found {
      metrics[metric.rawValue] = .object(
        metric.wordsForAgents.merging([
          "first_date": .string("\(days.first)"), "last_date": .string("\(days.last)"),
          "days": .number(Double(days.days)),
        ]) { mine, _ in mine })
    }
    return [
      "start_date": .string("\(range.from)"), "end_date": .string("\(range.to)"),
      "metrics": .object(metrics), "held": holdings,
      "coverage": coverage.json(showing: DailyMetric.inOrder),
    ]
  }

  private var holdings: JSONValue {
    guard let extent = held.extent else { return .null }
    return [
      "first_date": .string("\(extent.lowerBound)"), "last_date": .string("\(extent.upperBound)"),
      "days": .number(Double(held.days)),
    ]
  }
}

extension DailyMetric {
  /// What an agent reads about the metric, whatever the data.
  var wordsForAgents: [String: JSONValue] {
    [
      "unit": .string(unitLabel), "meaning": .string(label),
      "made": .string(aggregation.wordsForAgents),
    ]
  }

  /// All metrics of the catalogue, whether or not there is data.
  static var catalogue: JSONValue {
    .object(
      Dictionary(
        uniqueKeysWithValues: inOrder.map { ($0.rawValue, .object($0.wordsForAgents)) }))
  }
}

extension DailyAggregation {
  /// How a day's number is made of its samples.
  fileprivate var wordsForAgents: String {
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

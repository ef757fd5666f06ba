import HealthLedger
import HealthModel

/// What `read_range_metrics` answers, gathered date by date (R51).
struct RangeAnswer {
  private let range: DateRange
  private let metrics: [Metric]
  private var coverage = Coverage()
  private var days: [String: JSONValue] = [:]
  private var reasons: [Metric: [MetricStatus: DateSpans]] = [:]
  private var timeZones: [String: DateSpans] = [:]
  private var newest: StoredRevision?
  private var newestDate: CalendarDate?

  init(_ range: DateRange, _ metrics: [Metric]) {
    (self.range, self.metrics) = (range, metrics)
  }

  /// Adds the next date.
  mutating func add(_ resolution: Resolution) {
    coverage.add(resolution)
    guard let latest = resolution.latest else { return }
    let date = resolution.date
    var row: [JSONValue] = []
    for metric in metrics {
      let reading = latest.revision.readings[metric] ?? .noData
      row.append(reading.number.map(JSONValue.number) ?? .null)
      if reading.number == nil {
        reasons[metric, default: [:]][reading.status, default: DateSpans()].add(date)
      }
    }
    days["\(date)"] = .array(row)
    timeZones[latest.revision.day.timeZoneName, default: DateSpans()].add(date)
    newestDate = date
    if newest.map({ $0.id < latest.id }) ?? true { newest = latest }
  }

  /// The whole answer, once every date was added.
  func content(now: Timestamp) -> JSONValue {
    let reasons = reasons.map { metric, spans in
      (
        metric.rawValue,
        JSONValue.object(
          Dictionary(uniqueKeysWithValues: spans.map { ($0.key.rawValue, $0.value.json) }))
      )
    }
    return [
      "from": .string("\(range.from)"), "to": .string("\(range.to)"),
      "metrics": .array(metrics.map { .string($0.rawValue) }), "units": Metric.units(metrics),
      "days": .object(days), "null_reasons": .object(Dictionary(uniqueKeysWithValues: reasons)),
      "timezones": .object(timeZones.mapValues(\.json)), "freshness": freshness(now: now),
      "coverage": coverage.json,
    ]
  }

  private func freshness(now: Timestamp) -> JSONValue {
    guard let newest, let newestDate else { return .null }
    var members = Freshness(newest: newest).members(now: now)
    members["newest_date"] = .string("\(newestDate)")
    return .object(members)
  }
}

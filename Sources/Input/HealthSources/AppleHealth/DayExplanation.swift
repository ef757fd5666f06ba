package import HealthModel

/// Where each number of one day came from.
package struct DayExplanation: Hashable, Sendable {
  package let date: CalendarDate
  package let zone: ZoneChoice
  /// The day, half-open.
  package let start: ReportingDay.LocalMoment
  package let end: ReportingDay.LocalMoment
  /// The night whose sleep is the day's, half-open.
  package let nightStart: ReportingDay.LocalMoment
  package let nightEnd: ReportingDay.LocalMoment
  /// The required metrics, in their order; then the optional ones of which the day has any sample,
  /// be it one that was left out.
  package let metrics: [MetricExplanation]
  /// Remarks for a person.
  package let notes: [String]
  /// What the samples say beyond the numbers.
  package let detail: DayDetail
}

/// How one metric of a day was made.
package struct MetricExplanation: Hashable, Sendable {
  package let metric: DailyMetric
  package let reading: MetricReading
  /// The best first.
  package let sources: [SourceContribution]
  /// Apple's own figure beside ours, for the metrics that have one.
  package let apple: ActivityComparison?
}

/// What one source had to say about one metric of a day.
package struct SourceContribution: Hashable, Sendable {
  package let name: String
  /// Such as `Watch6,2`; empty where unknown.
  package let hardware: String
  /// Why it has its place: `by_hand`, `preferred`, `watch`, `phone`, `other`, `unnamed`.
  package let place: String
  /// Samples that bear on the day and were counted, wholly or in part.
  package let samples: Int
  /// The metric's number if this were the only source; nil where it would be none.
  package let alone: Double?
  /// Its part of a sum; nil for metrics that are not sums.
  package let counted: Double?
  /// Seconds of its samples within the day or night.
  package let seconds: Int
  /// How many of these better sources covered: they did not count again.
  package let coveredSeconds: Int
  /// Samples that were left out, by reason.
  package let leftOut: [LeftOut: Int]
}

extension DayExplanation {
  /// The same as JSON: members in snake case, null where there is nothing.
  package var json: JSONValue {
    .object([
      "date": .string("\(date)"), "timezone": .string(zone.zones.name(on: date)),
      "timezone_because": .string("\(zone)"), "start": .string("\(start)"),
      "end": .string("\(end)"), "night_start": .string("\(nightStart)"),
      "night_end": .string("\(nightEnd)"), "metrics": .array(metrics.map(\.json)),
      "notes": .array(notes.map { .string($0) }),
    ])
  }
}

extension MetricExplanation {
  package var json: JSONValue {
    .object([
      "metric": .string(metric.rawValue), "status": .string(reading.status.rawValue),
      "value": .number(reading.number), "unit": .string(metric.unitLabel),
      "sources": .array(sources.map(\.json)), "apple": .number(apple?.apple),
      "difference": .number(apple?.difference),
      "agrees_with_apple": apple.map { .bool($0.agrees) } ?? .null,
    ])
  }
}

extension SourceContribution {
  package var json: JSONValue {
    let reasons = leftOut.map { ($0.key.rawValue, JSONValue.number(Double($0.value))) }
    return .object([
      "name": .string(name), "hardware": .string(hardware), "place": .string(place),
      "samples": .number(Double(samples)), "alone": .number(alone), "counted": .number(counted),
      "seconds": .number(Double(seconds)), "covered_seconds": .number(Double(coveredSeconds)),
      "left_out": .object(Dictionary(uniqueKeysWithValues: reasons)),
    ])
  }
}

extension JSONValue {
  fileprivate static func number(_ number: Double?) -> JSONValue {
    number.map { JSONValue.number($0) } ?? .null
  }
}

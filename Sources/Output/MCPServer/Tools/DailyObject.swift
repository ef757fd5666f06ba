import HealthLedger
import HealthModel

/// One day as both tools report it: a daily object of the Health Module Spec (R51).
///
/// Every member is built from parsed values. The only text taken from a stored document is the
/// zone's name, and only if the time zone database has it. So a document can't pass text to an
/// agent.
struct DailyObject {
  let revision: DailyRevision
  /// The metrics to report.
  var metrics = DailyMetric.required

  var members: [String: JSONValue] {
    let readings = metrics.map { (metric: $0, reading: revision.reading(of: $0)) }
    return [
      "date": .string("\(revision.date)"), "generated_at": .string("\(revision.generatedAt)"),
      "day": [
        "timezone": revision.day.knownZone.map(JSONValue.string) ?? .null,
        "start": .string("\(revision.day.start)"), "end": .string("\(revision.day.end)"),
      ],
      "metrics": Self.object(readings) { $0.reading.json },
      "metric_status": Self.object(readings) { .string($0.reading.status.rawValue) },
      "metric_units": DailyMetric.units(metrics),
    ]
  }

  private static func object(
    _ readings: [(metric: DailyMetric, reading: MetricReading)],
    _ value: ((metric: DailyMetric, reading: MetricReading)) -> JSONValue
  ) -> JSONValue {
    .object(
      Dictionary(uniqueKeysWithValues: readings.map { ($0.metric.rawValue, value($0)) }))
  }
}

extension ReportingDay {
  /// The zone's name if the time zone database has it, otherwise nil.
  var knownZone: String? { TimeZoneDatabase.current.knows(timeZoneName) ? timeZoneName : nil }
}

extension MetricReading {
  /// The number with at most six decimals, or null.
  var json: JSONValue { number.map { .number($0.roundedToMillionths) } ?? .null }
}

extension DailyMetric {
  /// The units of some metrics, by their keys.
  static func units(_ metrics: [DailyMetric]) -> JSONValue {
    .object(
      Dictionary(uniqueKeysWithValues: metrics.map { ($0.rawValue, .string($0.unitLabel)) }))
  }
}

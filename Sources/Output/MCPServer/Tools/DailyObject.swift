import HealthLedger
import HealthModel

/// One day as both tools report it: a daily object of the Health Module Spec (R51).
///
/// Every member is built from parsed values. The only text taken from a stored document is the
/// zone's name, and only if the time zone database has it, and names of sources that the program
/// itself gives. So a document can't pass text to an agent.
struct DailyObject {
  let revision: DailyRevision
  /// The metrics to report.
  var metrics = DailyMetric.required
  /// Whether to say where the numbers come from.
  var hasSources = false

  var members: [String: JSONValue] {
    let readings = metrics.map { (metric: $0, reading: revision.reading(of: $0)) }
    var members: [String: JSONValue] = [
      "date": .string("\(revision.date)"), "generated_at": .string("\(revision.generatedAt)"),
      "day": [
        "timezone": revision.day.knownZone.map(JSONValue.string) ?? .null,
        "start": .string("\(revision.day.start)"), "end": .string("\(revision.day.end)"),
      ],
      "metrics": Self.object(readings) { $0.reading.json },
      "metric_status": Self.object(readings) { .string($0.reading.status.rawValue) },
      "metric_units": DailyMetric.units(metrics),
    ]
    if hasSources { members["sources"] = sources }
    return members
  }

  /// An entry for each source, moment and extent, with the metrics whose numbers come from it.
  private var sources: JSONValue {
    let wanted = Set(metrics.filter { revision.reading(of: $0).number != nil })
    var entries: [(said: [String: JSONValue], metrics: [JSONValue])] = []
    for row in revision.metricSources where wanted.contains(row.metric) {
      for word in row.shown where word.reading(of: row.metric).number != nil {
        let (said, metric) = (word.said(of: revision.date), JSONValue.string(row.metric.rawValue))
        if let place = entries.firstIndex(where: { $0.said == said }) {
          entries[place].metrics.append(metric)
        } else {
          entries.append((said, [metric]))
        }
      }
    }
    return .array(
      entries.map { entry in
        .object(entry.said.merging(["metrics": .array(entry.metrics)]) { mine, _ in mine })
      })
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

extension Word {
  /// Who has said it, when, and from when until when of a date or its night; without these where this machine
  /// does not know the zone.
  fileprivate func said(of date: CalendarDate) -> [String: JSONValue] {
    let isKnown = DataSource.known.contains(source)
    var said: [String: JSONValue] = [
      "source": .string(isKnown ? source.rawValue : "other"),
      "captured_at": .string("\(capturedAt)"),
    ]
    if let moments = moments(on: date) {
      said["from"] = .string("\(Timestamp(secondsSince1970: moments.lowerBound))")
      said["to"] = .string("\(Timestamp(secondsSince1970: moments.upperBound))")
    }
    return said
  }
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

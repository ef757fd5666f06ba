import HealthLedger
import HealthModel

/// What `read_daily_metrics` answers of a resolved date (R51).
struct DailyAnswer {
  let resolution: Resolution
  let now: Timestamp

  /// - Throws: DATA_NOT_FOUND where no revision is valid.
  var content: JSONValue {
    get throws(ToolFault) {
      var coverage = Coverage()
      coverage.add(resolution)
      guard let latest = resolution.latest else {
        throw ToolFault(notFound, coverage: coverage.json)
      }
      let revision = latest.revision
      var values: [String: JSONValue] = [:]
      var reasons: [String: JSONValue] = [:]
      for (metric, reading) in revision.readings {
        values[metric.rawValue] = reading.number.map(JSONValue.number) ?? .null
        if reading.number == nil {
          reasons[metric.rawValue] = .string(reading.status.rawValue)
        }
      }
      return [
        "date": .string("\(resolution.date)"), "revision_id": .string(latest.id.rawValue),
        "day": [
          "timezone": .string(revision.day.timeZoneName),
          "start": .string("\(revision.day.start)"), "end": .string("\(revision.day.end)"),
        ],
        "metrics": .object(values), "units": Metric.units(Metric.allCases),
        "null_reasons": .object(reasons),
        "freshness": .object(Freshness(newest: latest).members(now: now)),
        "coverage": coverage.json,
      ]
    }
  }

  private var notFound: LedgerError {
    let date = resolution.date
    if let broken = resolution.rejected.first(where: { $0.reason != .missing }) {
      return LedgerError(
        .dataNotFound, "no revision of \(date) is valid: the newest is \(broken.code)",
        remedy: "the person can look: s3health get --date \(date) --history")
    }
    return LedgerError(
      .dataNotFound, "there is no data for \(date)",
      remedy: "ask for another date, or for a range to see which dates have data")
  }
}

extension Metric {
  /// The units of some metrics, by their keys.
  static func units(_ metrics: [Metric]) -> JSONValue {
    .object(
      Dictionary(uniqueKeysWithValues: metrics.map { ($0.rawValue, .string($0.unit)) }))
  }
}

import HealthLedger
import HealthModel

/// The answer of `read_daily_metrics` for a resolved date (R51).
struct DailyAnswer {
  let resolution: Resolution
  let now: Timestamp
  let hasSources: Bool

  /// DATA_NOT_FOUND if no revision is readable.
  var answer: ToolAnswer {
    var coverage = Coverage()
    coverage.add(resolution)
    guard let latest = resolution.latest else {
      return ToolAnswer(notFound, coverage: coverage.json())
    }
    var reasons: [String: JSONValue] = [:]
    for (metric, reading) in latest.revision.readings where reading.number == nil {
      reasons[metric.rawValue] = .string(reading.status.rawValue)
    }
    var members = DailyObject(revision: latest.revision, hasSources: hasSources).members
    members["revision_id"] = .string(latest.id.rawValue)
    members["day_over"] = .bool(latest.revision.day.isOver(at: now))
    let partial = PartialNumbers(latest.revision)
    members["partial"] = .object(
      DailyMetric.required.reduce(into: [:]) { moments, metric in
        moments[metric.rawValue] = partial[metric].map { .string("\($0.moment)") }
      })
    members["null_reasons"] = .object(reasons)
    members["freshness"] = .object(Freshness(newest: latest).members(now: now))
    members["coverage"] = coverage.json()
    return ToolAnswer(.object(members))
  }

  private var notFound: LedgerError {
    let date = resolution.date
    if let broken = resolution.rejected.first {
      return LedgerError(
        .dataNotFound,
        "no revision of \(date) can be read: the newest has the fault \(broken.code)",
        remedy: .listRevisions(of: date))
    }
    return LedgerError(
      .dataNotFound, "there is no data for \(date)",
      remedy: "ask for another date, or for a range to see which dates have data")
  }
}

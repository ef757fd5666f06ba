import HealthLedger
import HealthModel

/// Which of the requested dates have data, and why the others have none (R51).
struct Coverage {
  private var asked = 0
  private var found = 0
  /// Dates for which nothing was published, oldest first.
  private(set) var missing: [CalendarDate] = []
  /// For each date, the code of what is wrong with the newest revision.
  private var invalid: [String: JSONValue] = [:]
  private var fellBack: [String: JSONValue] = [:]
  private var nonconforming: [String: JSONValue] = [:]
  /// The metrics that any of the days has: of the optional ones those with a number (R42).
  private var metrics: Set<DailyMetric> = []

  /// Adds the date of a resolution. It must be later than all earlier ones.
  mutating func add(_ resolution: Resolution) {
    asked += 1
    if let latest = resolution.latest {
      found += 1
      metrics.formUnion(latest.revision.readings.keys)
      // Damage is graver than any other fault.
      let fault = latest.violations.first { $0.rule == "R60" } ?? latest.violations.first
      if let code = fault?.code ?? latest.revision.day.boundaryFault?.rawValue {
        nonconforming["\(resolution.date)"] = .string(code)
      }
      if let code = resolution.rejected.first?.code {
        fellBack["\(resolution.date)"] = .string(code)
      }
    } else if let broken = resolution.rejected.first {
      invalid["\(resolution.date)"] = .string(broken.code)
    } else {
      missing.append(resolution.date)
    }
  }

  /// With the missing dates, as intervals.
  func json(showing metrics: [DailyMetric] = DailyMetric.required) -> JSONValue {
    .object(
      members(showing: metrics).merging(["missing": DateRuns(missing).json]) { mine, _ in mine })
  }

  /// Without the missing dates, for an answer that lists them elsewhere.
  func jsonWithoutMissing(showing metrics: [DailyMetric]) -> JSONValue {
    .object(members(showing: metrics))
  }

  /// - Parameter shown: the metrics of the answer, so that an agent learns which others there are.
  private func members(showing shown: [DailyMetric]) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "asked": .number(Double(asked)), "found": .number(Double(found)),
      "invalid": .object(invalid), "fell_back": .object(fellBack),
    ]
    let others = DailyMetric.optional.filter { metrics.contains($0) && !shown.contains($0) }
    if !others.isEmpty { members["further_metrics"] = .array(others.map { .string($0.rawValue) }) }
    if !nonconforming.isEmpty { members["nonconforming"] = .object(nonconforming) }
    return members
  }
}

extension RejectedRevision {
  /// The reason, as a code of `verify`.
  var code: String {
    switch reason {
    case .missing: "pointer_dangling"
    case .invalid(let violations): violations.first?.code ?? "invalid"
    }
  }
}

extension DateRuns {
  /// Runs as ISO 8601 intervals, single dates as they are: `["2026-02-01/2026-02-07", "2026-02-09"]`.
  var json: JSONValue {
    .array(
      runs.map { run in
        .string(run.first == run.last ? "\(run.first)" : "\(run.first)/\(run.last)")
      })
  }
}

extension ReportingDay {
  /// How a day that was read as it stands differs from that of its zone (R4); nil where it does not
  /// differ, or where this machine has no time zone database.
  fileprivate var boundaryFault: ViolationCode? {
    do throws(Failure) {
      let day = try ReportingDay(date: date, timeZoneName: timeZoneName)
      if start != day.start { return .startNotInZone }
      return end == day.end ? nil : .endNotInZone
    } catch {
      switch error {
      case .unknownTimeZone: return .unknownTimeZone
      case .skippedDate: return .skippedDate
      case .noTimeZoneDatabase: return nil
      }
    }
  }
}

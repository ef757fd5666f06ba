import HealthLedger
import HealthModel

/// The format of a range's answer (R50).
enum RangeFormat: String, CaseIterable {
  /// A daily object for each date.
  case daily
  /// A row of values for each date: less than a tenth of the size.
  case compact
}

/// The answer of `read_range_metrics`, collected date by date (R51).
struct RangeAnswer {
  private let range: DateRange
  private let metrics: [DailyMetric]
  private let format: RangeFormat
  private let hasSources: Bool
  private var coverage = Coverage()
  /// Oldest first.
  private var found: [DailyRevision] = []
  private var newest: StoredRevision?

  /// - Parameter metrics: the metrics to report, in the order of the columns.
  init(
    _ range: DateRange, _ metrics: [DailyMetric], _ format: RangeFormat, hasSources: Bool = false
  ) {
    (self.range, self.metrics, self.format) = (range, metrics, format)
    self.hasSources = hasSources
  }

  /// Adds the next date.
  mutating func add(_ resolution: Resolution) {
    coverage.add(resolution)
    guard let latest = resolution.latest else { return }
    found.append(latest.revision)
    if newest.map({ $0.id < latest.id }) ?? true { newest = latest }
  }

  /// What every answer about a range says, whatever it shows of the days.
  func common(now: Timestamp) -> [String: JSONValue] {
    [
      "start_date": "\(range.from)", "end_date": "\(range.to)",
      "days_not_over": .strings(found.filter { !$0.day.isOver(at: now) }.map { "\($0.date)" }),
      "partial_dates": partialDates, "null_reasons": nullReasons,
      "freshness": freshness(now: now), "coverage": coverage.json(showing: metrics),
    ]
  }

  /// The complete answer, once every date was added.
  func content(now: Timestamp) -> JSONValue {
    var members = common(now: now)
    switch format {
    case .daily:
      members["data"] = .array(
        found.map {
          .object(DailyObject(revision: $0, metrics: metrics, hasSources: hasSources).members)
        })
      members["missing_dates"] = .strings(coverage.missing.map { "\($0)" })
      members["coverage"] = coverage.json(showing: metrics, listsMissing: false)
    case .compact:
      members["columns"] = .strings(metrics.map(\.rawValue))
      members["metric_units"] = DailyMetric.units(metrics)
      members["days"] = byDate { revision in
        .array(metrics.map { .rounded(revision.reading(of: $0).number) })
      }
      var zones: [String: DateRuns] = [:]
      for revision in found {
        zones[revision.day.knownZone ?? "unknown", default: DateRuns()].add(revision.date)
      }
      members["timezones"] = .object(zones.mapValues(\.json))
    }
    return .object(members)
  }

  private func byDate(_ value: (DailyRevision) -> JSONValue?) -> JSONValue {
    .object(found.reduce(into: [:]) { $0["\($1.date)"] = value($1) })
  }

  /// By date with a number of a part of it, how far these reach.
  private var partialDates: JSONValue {
    byDate { revision in PartialNumbers(revision).furthest(of: metrics).map { "\($0)" } }
  }

  private var nullReasons: JSONValue {
    var reasons: [String: [String: DateRuns]] = [:]
    for revision in found {
      for metric in metrics {
        let reading = revision.reading(of: metric)
        guard reading.number == nil else { continue }
        reasons[metric.rawValue, default: [:]][reading.status.rawValue, default: DateRuns()]
          .add(revision.date)
      }
    }
    return .object(reasons.mapValues { .object($0.mapValues(\.json)) })
  }

  private func freshness(now: Timestamp) -> JSONValue {
    guard let newest, let last = found.last else { return .null }
    return .object(newest.freshness(now: now).merging(["newest_date": "\(last.date)"]) { $1 })
  }
}

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
    let date = "\(resolution.date)"
    if let latest = resolution.latest {
      found += 1
      metrics.formUnion(latest.revision.readings.keys)
      // Damage is graver than any other fault.
      let fault = latest.violations.first { $0.rule == "R60" } ?? latest.violations.first
      nonconforming[date] = (fault?.code ?? latest.revision.day.boundaryFault?.rawValue)
        .map(JSONValue.string)
      fellBack[date] = resolution.rejected.first.map { .string($0.code) }
    } else if let broken = resolution.rejected.first {
      invalid[date] = .string(broken.code)
    } else {
      missing.append(resolution.date)
    }
  }

  /// - Parameters:
  ///   - shown: the metrics of the answer, so that an agent learns which others there are.
  ///   - listsMissing: false for an answer that lists the missing dates elsewhere.
  func json(
    showing shown: [DailyMetric] = DailyMetric.required, listsMissing: Bool = true
  ) -> JSONValue {
    var members: [String: JSONValue] = [
      "asked": .number(Double(asked)), "found": .number(Double(found)),
      "invalid": .object(invalid), "fell_back": .object(fellBack),
    ]
    if listsMissing { members["missing"] = DateRuns(missing).json }
    let others = DailyMetric.optional.filter { metrics.contains($0) && !shown.contains($0) }
    if !others.isEmpty { members["further_metrics"] = .strings(others.map(\.rawValue)) }
    if !nonconforming.isEmpty { members["nonconforming"] = .object(nonconforming) }
    return .object(members)
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
    .strings(runs.map { $0.first == $0.last ? "\($0.first)" : "\($0.first)/\($0.last)" })
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

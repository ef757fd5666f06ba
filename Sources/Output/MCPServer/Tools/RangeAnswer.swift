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
      "start_date": .string("\(range.from)"), "end_date": .string("\(range.to)"),
      "days_not_over": .array(
        found.filter { !$0.day.isOver(at: now) }.map { .string("\($0.date)") }),
      "partial_dates": partialDates,
      "null_reasons": nullReasons, "freshness": freshness(now: now),
      "coverage": coverage.json(showing: metrics),
    ]
  }

  /// The complete answer, once every date was added.
  func content(now: Timestamp) -> JSONValue {
    var members = common(now: now)
    switch format {
    case .daily:
      members["data"] = .array(
        found.map { revision in
          let day = DailyObject(revision: revision, metrics: metrics, hasSources: hasSources)
          return .object(day.members)
        })
      members["missing_dates"] = .array(coverage.missing.map { .string("\($0)") })
      members["coverage"] = coverage.jsonWithoutMissing(showing: metrics)
    case .compact:
      members["columns"] = .array(metrics.map { .string($0.rawValue) })
      members["metric_units"] = DailyMetric.units(metrics)
      members["days"] = rows
      members["timezones"] = timeZones
    }
    return .object(members)
  }

  private var rows: JSONValue {
    .object(
      Dictionary(
        uniqueKeysWithValues: found.map { revision in
          let row = metrics.map { revision.reading(of: $0).json }
          return ("\(revision.date)", .array(row))
        }))
  }

  /// By date with a number of a part of it, when the last of these was captured.
  private var partialDates: JSONValue {
    var dates: [String: JSONValue] = [:]
    for revision in found {
      let partial = PartialNumbers(revision)
      let last = metrics.compactMap { partial[$0] }.max()
      dates["\(revision.date)"] = last.map { .string("\($0.moment)") }
    }
    return .object(dates)
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

  private var timeZones: JSONValue {
    var zones: [String: DateRuns] = [:]
    for revision in found {
      zones[revision.day.knownZone ?? "unknown", default: DateRuns()].add(revision.date)
    }
    return .object(zones.mapValues(\.json))
  }

  private func freshness(now: Timestamp) -> JSONValue {
    guard let newest, let last = found.last else { return .null }
    var members = Freshness(newest: newest).members(now: now)
    members["newest_date"] = .string("\(last.date)")
    return .object(members)
  }
}

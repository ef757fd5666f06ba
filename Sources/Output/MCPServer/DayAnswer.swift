import HealthLedger
import HealthModel

extension ToolAnswer {
  /// The answer of `read_daily_metrics` for a resolved date (R51): DATA_NOT_FOUND if no revision is
  /// readable.
  ///
  /// - Parameter now: this machine's clock.
  init(_ resolution: Resolution, hasSources: Bool, now: Timestamp) {
    var coverage = Coverage()
    coverage.add(resolution)
    guard let latest = resolution.latest else {
      self.init(Self.notFound(resolution), coverage: coverage.json())
      return
    }
    let revision = latest.revision
    var reasons: [String: JSONValue] = [:]
    for (metric, reading) in revision.readings where reading.number == nil {
      reasons[metric.rawValue] = .string(reading.status.rawValue)
    }
    let partial = PartialNumbers(revision)
    var members = DailyObject(revision: revision, hasSources: hasSources).members
    members["revision_id"] = .string(latest.id.rawValue)
    members["day_over"] = .bool(revision.day.isOver(at: now))
    members["partial"] = .byMetric(DailyMetric.required) { partial[$0].map { "\($0)" } }
    members["null_reasons"] = .object(reasons)
    members["freshness"] = .object(latest.freshness(now: now))
    members["coverage"] = coverage.json()
    self.init(.object(members))
  }

  private static func notFound(_ resolution: Resolution) -> LedgerError {
    let date = resolution.date
    if let broken = resolution.rejected.first {
      return LedgerError(
        .dataNotFound,
        "no revision of \(date) can be read: the newest has the fault \(broken.code)",
        remedy: .listRevisions(of: date))
    }
    return LedgerError(
      .dataNotFound, "no data for \(date)",
      remedy: "ask for another date, or for a range to see which dates have data")
  }
}

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
    let day = revision.day
    var members: [String: JSONValue] = [
      "date": "\(revision.date)", "generated_at": "\(revision.generatedAt)",
      "day": [
        "timezone": day.knownZone.map(JSONValue.string) ?? .null, "start": "\(day.start)",
        "end": "\(day.end)",
      ],
      "metrics": .byMetric(metrics) { .rounded(revision.reading(of: $0).number) },
      "metric_status": .byMetric(metrics) { .string(revision.reading(of: $0).status.rawValue) },
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
      entries.map { .object($0.said.merging(["metrics": .array($0.metrics)]) { $1 }) })
  }
}

extension ReportingDay {
  /// The zone's name if the time zone database has it, otherwise nil.
  var knownZone: String? { TimeZoneDatabase.current.knows(timeZoneName) ? timeZoneName : nil }
}

extension Word {
  /// Who has said it, when, and from when until when of a date or its night; without these where this
  /// machine does not know the zone.
  fileprivate func said(of date: CalendarDate) -> [String: JSONValue] {
    let isKnown = DataSource.known.contains(source)
    var said: [String: JSONValue] = [
      "source": isKnown ? .string(source.rawValue) : "other", "captured_at": "\(capturedAt)",
    ]
    if let moments = moments(on: date) {
      said["from"] = "\(Timestamp(secondsSince1970: moments.lowerBound))"
      said["to"] = "\(Timestamp(secondsSince1970: moments.upperBound))"
    }
    return said
  }
}

extension StoredRevision {
  /// How old the data is (R51), by this machine's clock.
  ///
  /// The age counts from the older of the two moments, so that old data that was published late
  /// does not look fresh. If that moment is in the future, the age is 0 and a member says so.
  func freshness(now: Timestamp) -> [String: JSONValue] {
    let (generated, captured) = (revision.generatedAt, revision.capturedAt)
    let oldest = min(generated, captured ?? generated)
    let age = now.secondsSince1970 - oldest.secondsSince1970
    var members: [String: JSONValue] = [
      "generated_at": "\(generated)", "age_seconds": .number(Double(max(0, age))),
    ]
    members["captured_at"] = captured.map { "\($0)" }
    if age < 0 { members["clock_behind"] = true }
    return members
  }
}

extension DailyMetric {
  /// The units of some metrics, by their keys.
  static func units(_ metrics: [DailyMetric]) -> JSONValue {
    .byMetric(metrics) { .string($0.unitLabel) }
  }
}

import AppleExport
import CommandLineKit
import HealthModel
import HealthSources

/// The report for programs (docs/OUTPUT.md).
extension ImportReport {
  var document: JSONValue {
    var members: [String: JSONValue] = [
      "store": .string(opened.name), "dry_run": .bool(isDryRun),
      "run": outcomes.storedRun.map { .string($0.rawValue) } ?? .null,
      "source": .string(source.name), "kind": .string(source.kind.rawValue),
      "timezone": .string(source.zone.name), "timezone_reason": .string(source.zone.word),
      "timezones": .array(
        source.zone.zones.periods.map { period in
          .object([
            "timezone": .string(period.name),
            "from": period.from.map { .string("\($0)") } ?? .null,
          ])
        }),
      "days": .number(Double(span.days.count)),
      "days_without_data": .number(Double(span.emptyDays)),
      "further_metrics": .array(
        DailyMetric.optional(in: span.days.map(\.readings)).map { .string($0.rawValue) }),
      "left_out": .array(span.leftOut.map(\.document)),
      "notes": .array(allNotes.map { .string($0) }),
      "counts": .object(
        Dictionary(
          grouping: outcomes.rows, by: \.outcome.rawValue
        ).mapValues { .number(Double($0.count)) }),
      "results": .array(results),
      "new_days": .number(Double(outcomes.newDays)),
      "changed_days": .number(Double(outcomes.changedDays)),
    ]
    if let moment = source.exportedAt { members["exported_at"] = .string("\(moment)") }
    if let export = source.export {
      members["records"] = .number(Double(source.units))
      members.merge(export.members) { _, new in new }
    } else {
      members["files"] = .number(Double(source.units))
    }
    return .object(members)
  }

  private var results: [JSONValue] {
    let results = outcomes.rows.map { $0.members(opened.ledger.layout) }
    guard isDryRun else { return results.map { .object($0) } }
    let days = Dictionary(uniqueKeysWithValues: span.days.map { ($0.date, $0) })
    return zip(outcomes.rows, results).map { row, members in
      var members = members
      var metrics: [String: JSONValue] = [:]
      var status: [String: JSONValue] = [:]
      for (metric, reading) in (days[row.date]?.readings ?? [:]).documented {
        metrics[metric.rawValue] = reading.number.map { .number($0) } ?? .null
        status[metric.rawValue] = .string(reading.status.rawValue)
      }
      members["metrics"] = .object(metrics)
      members["metric_status"] = .object(status)
      return .object(members)
    }
  }
}

extension ZoneChoice {
  /// `given`, `export`, `machine` or `none`.
  var word: String {
    switch reason {
    case .asked: "given"
    case .mostFrequent, .byPeriod: "export"
    case .kept: "store"
    case .system: "machine"
    case .none: "none"
    }
  }
}

extension ImportedSource.Export {
  fileprivate var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "xml_bytes": .number(Double(xmlBytes)),
      "samples": Self.counts(tally.samples.map { ("\($0.key)", $0.value) }),
      "skipped": Self.counts(tally.skipped.map { ($0.key.rawValue, $0.value) }),
      "skipped_examples": .object(
        Dictionary(uniqueKeysWithValues: examples.map { ($0.key.rawValue, $0.value.document) })),
      "unread_types": .array(
        tally.unreadByCount.map {
          .object([
            "type": .string(String($0.type.prefix(256))), "records": .number(Double($0.count)),
          ])
        }),
      "unread_records": .number(Double(tally.unread.values.reduce(0, +))),
      "other_contents": Self.counts(others.map { ($0.key, $0.value) }),
      "dropped": Self.counts(tally.leftOut.map { ($0.key.rawValue, $0.value) }),
      "activity_check": .object([
        "days": crossCheck.days.document,
        "metrics": .object(
          Dictionary(
            uniqueKeysWithValues: crossCheck.metrics.map { ($0.key.rawValue, $0.value.document) })),
      ]),
    ]
    if let locale { members["locale"] = .string(locale) }
    if let entry { members["entry"] = .string(entry) }
    return members
  }

  private static func counts(_ counts: [(String, Int)]) -> JSONValue {
    .object(Dictionary(uniqueKeysWithValues: counts.map { ($0.0, .number(Double($0.1))) }))
  }
}

extension SkippedExample {
  fileprivate var document: JSONValue {
    .object(["line": line.map { .number(Double($0)) } ?? .null, "text": .string(text)])
  }
}

extension ActivityCrossCheck.Count {
  fileprivate var document: JSONValue {
    .object([
      "compared": .number(Double(compared)), "within": .number(Double(within)),
      "beyond": .number(Double(beyond)), "missing": .number(Double(missing)),
    ])
  }
}

extension ImportSpan.LeftOut {
  var document: JSONValue {
    .object([
      "from": .string("\(from)"), "to": .string("\(to)"), "reason": .string(reason.rawValue),
      "days_with_data": .number(Double(daysWithData)),
    ])
  }
}

import HealthModel
import HealthSources

/// The report for programs (docs/OUTPUT.md).
extension ImportReport {
  var document: JSONValue {
    var members: [String: JSONValue] = [
      "store": .string(opened.name), "dry_run": .bool(isDryRun),
      "source": .string(source.name), "kind": .string(source.kind.rawValue),
      "timezone": .string(source.timeZoneName),
      "timezone_origin": .string(source.timeZoneOrigin.rawValue),
      "days": .number(Double(span.days.count)),
      "days_without_data": .number(Double(span.emptyDays)),
      "left_out": .array(span.leftOut.map(\.document)),
      "notes": .array(allNotes.map { .string($0) }),
      "counts": .object(
        Dictionary(
          grouping: outcomes.rows, by: \.outcome
        ).mapValues { .number(Double($0.count)) }),
      "results": .array(results),
    ]
    if let moment = source.exportedAt { members["exported_at"] = .string("\(moment)") }
    return .object(members)
  }

  private var results: [JSONValue] {
    let results = outcomes.rows.map { $0.members(opened.ledger.layout) }
    guard isDryRun else { return results.map { .object($0) } }
    let readings = Dictionary(uniqueKeysWithValues: span.days.map { ($0.date, $0.readings) })
    return zip(outcomes.rows, results).map { row, members in
      let own = readings[row.date] ?? [:]
      var members = members
      var metrics: [String: JSONValue] = [:]
      var status: [String: JSONValue] = [:]
      for metric in Metric.allCases {
        let reading = own[metric] ?? .noData
        metrics[metric.rawValue] = reading.number.map { .number($0) } ?? .null
        status[metric.rawValue] = .string(reading.status.rawValue)
      }
      members["metrics"] = .object(metrics)
      members["metric_status"] = .object(status)
      return .object(members)
    }
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

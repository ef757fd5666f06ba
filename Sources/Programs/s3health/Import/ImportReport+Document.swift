import AppleExport
import CommandLineKit
import HealthModel
import HealthSources

/// The report for programs (docs/OUTPUT.md).
extension ImportReport {
  var document: any Encodable {
    var members: Document = [
      "store": opened.name, "dry_run": isDryRun, "run": outcomes.storedRun, "source": source.name,
      "kind": source.kind.rawValue, "timezone": source.zone.name,
      "timezone_reason": source.zone.word,
      "timezones": source.zone.zones.periods.map { period in
        ["timezone": period.name, "from": period.from] as Document
      },
      "days": span.days.count, "days_without_data": span.emptyDays,
      "further_metrics": DailyMetric.optional(in: span.days.map(\.readings)),
      "left_out": span.leftOut.map { left in
        [
          "from": left.from, "to": left.to, "reason": left.reason.rawValue,
          "days_with_data": left.daysWithData,
        ] as Document
      },
      "notes": allNotes,
      "counts": Dictionary(grouping: outcomes.rows, by: \.outcome.rawValue).mapValues(\.count),
      "results": results, "new_days": outcomes.newDays, "changed_days": outcomes.changedDays,
    ]
    members["exported_at"] = source.exportedAt
    members[source.export == nil ? "files" : "records"] = source.units
    source.export?.add(to: &members)
    return members
  }

  private var results: [Document] {
    let results = outcomes.results(opened.ledger.layout)
    guard isDryRun else { return results }
    let days = Dictionary(uniqueKeysWithValues: span.days.map { ($0.date, $0) })
    return zip(outcomes.rows, results).map { row, members in
      var members = members
      let readings = (days[row.date]?.readings ?? [:]).documented.map { ($0.rawValue, $1) }
      members["metrics"] = Dictionary(uniqueKeysWithValues: readings).mapValues {
        $0.number.map(JSONValue.number) ?? .null
      }
      members["metric_status"] = Dictionary(uniqueKeysWithValues: readings)
        .mapValues(\.status.rawValue)
      return members
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
  fileprivate func add(to members: inout Document) {
    func counts(_ counts: some Sequence<(String, Int)>) -> [String: Int] {
      Dictionary(uniqueKeysWithValues: counts)
    }
    func check(_ count: ActivityCrossCheck.Count) -> Document {
      [
        "compared": count.compared, "within": count.within, "beyond": count.beyond,
        "missing": count.missing,
      ]
    }
    members["xml_bytes"] = xmlBytes
    members["samples"] = counts(tally.samples.map { ("\($0.key)", $0.value) })
    members["skipped"] = counts(tally.skipped.map { ($0.key.rawValue, $0.value) })
    let examples = examples.map { ($0.key.rawValue, $0.value) }
    members["skipped_examples"] = Dictionary(uniqueKeysWithValues: examples).mapValues {
      ["line": $0.line, "text": $0.text] as Document
    }
    members["unread_types"] = tally.unreadByCount.map {
      ["type": String($0.type.prefix(256)), "records": $0.count] as Document
    }
    members["unread_records"] = tally.unread.values.reduce(0, +)
    members["other_contents"] = others
    members["dropped"] = counts(tally.leftOut.map { ($0.key.rawValue, $0.value) })
    let checked = crossCheck.metrics.map { ($0.key.rawValue, check($0.value)) }
    members["activity_check"] =
      [
        "days": check(crossCheck.days), "metrics": Dictionary(uniqueKeysWithValues: checked),
      ] as Document
    members["locale"] = locale
    members["entry"] = entry
  }
}

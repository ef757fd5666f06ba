import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthReport

/// One stored revision as JSON, valid or not.
struct RevisionText {
  let id: RevisionID
  let value: JSONValue
  let isValid: Bool
}

/// What changed between two revisions.
struct DiffReport: CommandResult {
  let date: CalendarDate
  let old: RevisionText
  let new: RevisionText
  let layout: LedgerLayout
  let failsIfDifferent: Bool
  private let difference: RevisionDifference

  init(
    date: CalendarDate, old: RevisionText, new: RevisionText, layout: LedgerLayout,
    failsIfDifferent: Bool
  ) {
    (self.date, self.old, self.new, self.layout) = (date, old, new, layout)
    self.failsIfDifferent = failsIfDifferent
    difference = RevisionDifference(from: old.value, to: new.value)
  }

  /// True if more than the timestamps of making differs.
  private var differs: Bool { !difference.payloadChanges.isEmpty }

  var exitCode: ExitCode { failsIfDifferent && differs ? foundSomething : .success }

  var document: any Encodable {
    func revision(_ text: RevisionText) -> Document {
      let key = layout.revisionKey(date, text.id).rawValue
      return ["revision_id": text.id, "valid": text.isValid, "key": key]
    }
    let changes = difference.changes.map { change in
      var members: Document = ["pointer": change.pointer]
      members["old"] = change.old
      members["new"] = change.new
      return members
    }
    return [
      "date": date, "old": revision(old), "new": revision(new), "differs": differs,
      "changes": changes,
    ] as Document
  }

  func lines(_ terminal: Terminal) -> [String] {
    var lines = [
      terminal.styled("\(date)", .strong),
      terminal.styled("- \(heading(old))", .bad), terminal.styled("+ \(heading(new))", .good),
    ]
    let metrics = DailyMetric.inOrder.filter { metric in
      Self.cell(of: metric, in: old.value) != Self.cell(of: metric, in: new.value)
    }
    lines += metrics.map { line(of: $0, terminal) }
    let metricPlaces = Set(
      metrics.flatMap { metric in
        ["metrics", "metric_status", "metric_units"].map { "/\($0)/\(metric.rawValue)" }
      })
    let others = difference.payloadChanges.filter { !metricPlaces.contains($0.pointer) }
    lines += others.map { change in
      "  \(change.pointer.printable)  \(Self.bounded(change.old)) -> \(Self.bounded(change.new))"
    }
    if !differs { lines.append("  no differences in the data") }
    return lines
  }

  private func heading(_ text: RevisionText) -> String {
    let made = text.value["generated_at"]?.stringValue.map { "  made \($0.printable)" } ?? ""
    return "revision \(text.id)\(made)\(text.isValid ? "" : "  not valid")"
  }

  private func line(of metric: DailyMetric, _ terminal: Terminal) -> String {
    let (before, after) = (
      Self.cell(of: metric, in: old.value), Self.cell(of: metric, in: new.value)
    )
    var text = "  \(metric.label.padded(to: 24)) \(before) -> \(after)"
    if let from = old.value["metrics"]?[metric.rawValue]?.numberValue,
      let to = new.value["metrics"]?[metric.rawValue]?.numberValue
    {
      let sign = to >= from ? "+" : ""
      text += terminal.styled("  (\(sign)\((to - from).grouped))", .faint)
    }
    return text
  }

  /// A metric in one document: its number with the unit, or why it has none.
  private static func cell(of metric: DailyMetric, in document: JSONValue) -> String {
    let status = document["metric_status"]?[metric.rawValue]?.stringValue
    switch document["metrics"]?[metric.rawValue] {
    case .number(let number):
      let written = document["metric_units"]?[metric.rawValue]?.stringValue
      let unit =
        written == metric.unitLabel ? metric.plainUnit : written ?? "without a unit"
      let doubt = status == MetricStatus.ok.rawValue ? "" : " (status \(status ?? "missing"))"
      return "\(number.grouped)\(unit.isEmpty ? "" : " " + unit)\(doubt)".bounded
    case .null:
      let reading = status.flatMap(MetricStatus.init).flatMap(MetricReading.init(reason:))
      return "- (\(reading?.reason ?? "status \(status ?? "missing")"))".bounded
    case let other: return bounded(other)
    }
  }

  private static func bounded(_ value: JSONValue?) -> String {
    value.map { String(decoding: $0.canonicalBytes, as: UTF8.self).bounded } ?? "nothing"
  }
}

extension String {
  /// The text as one short line, because a stored document may contain anything.
  fileprivate var bounded: String {
    (String(prefix(80)) + (dropFirst(80).isEmpty ? "" : "…")).printable
  }
}

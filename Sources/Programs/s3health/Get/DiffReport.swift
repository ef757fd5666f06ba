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

extension GetCommand {
  /// `get --diff`: what changed between two revisions of a day (R37): the two newest readable ones, of the
  /// newest day that has two, if none are named.
  func difference(
    _ opened: OpenedStore, _ settings: Settings
  ) async throws(LedgerError) -> DiffReport {
    let asked = try span.day.map { day throws(LedgerError) in try settings.date(day, orSpan: true) }
    return try await opened.read(settings) { ledger async throws(LedgerError) in
      let date = if let asked { asked } else { try await ledger.newestRevised() }
      let ids = try revision.map { text throws(LedgerError) in try RevisionID(text, of: date) }
      let pair =
        ids.count == 2
        ? (try await ledger.text(date, ids[0]), try await ledger.text(date, ids[1]))
        : try await ledger.newestTexts(date)
      return DiffReport(
        date: date, old: pair.0, new: pair.1, layout: ledger.layout, failsIfDifferent: exitCode)
    }
  }
}

extension RevisionID {
  /// A revision id from the command line.
  init(_ text: String, of date: CalendarDate) throws(LedgerError) {
    guard let id = RevisionID(text) else {
      throw LedgerError(
        .invalidArguments, "\"\(text.prefix(100))\" is not a revision id", rule: "R6",
        remedy: .listRevisions(of: date))
    }
    self = id
  }
}

extension HealthLedger {
  /// The newest day with something to compare.
  fileprivate func newestRevised() async throws(LedgerError) -> CalendarDate {
    guard let date = try await holdings().newestRevised else {
      throw LedgerError(
        .dataNotFound, "no day has two revisions: there is nothing to compare",
        key: layout.dataPrefix, remedy: "s3health ls shows what the store holds")
    }
    return date
  }

  /// The two newest readable revisions of a day, the older first.
  fileprivate func newestTexts(
    _ date: CalendarDate
  ) async throws(LedgerError) -> (RevisionText, RevisionText) {
    let pair = try await newestPair(date)
    for rejected in pair.rejected {
      StandardStreams.remark("note: skipped revision \(rejected.id): \(rejected.why)")
    }
    let (old, new) = try pair.both()
    return (
      try text(date, old.id, old.body, isValid: old.violations.isEmpty),
      try text(date, new.id, new.body, isValid: new.violations.isEmpty)
    )
  }

  /// A revision by its id, valid or not.
  fileprivate func text(
    _ date: CalendarDate, _ id: RevisionID
  ) async throws(LedgerError) -> RevisionText {
    let (body, decoded) = try await revision(date, id)
    for violation in decoded.violations {
      StandardStreams.remark("s3health: revision \(id): \(violation.line)")
    }
    return try text(date, id, body, isValid: decoded.violations.isEmpty)
  }

  private func text(
    _ date: CalendarDate, _ id: RevisionID, _ body: [UInt8], isValid: Bool
  ) throws(LedgerError) -> RevisionText {
    guard let value = try? JSONValue(parsing: body) else {
      throw LedgerError(
        .invalidArguments, "revision \(id) is not JSON and can't be compared",
        key: layout.revisionKey(date, id).rawValue, rule: "R13",
        remedy: "name another revision: s3health get \(date) --history")
    }
    return RevisionText(id: id, value: value, isValid: isValid)
  }
}

import AppleExport
import HealthModel
import HealthSources

/// The report for people.
extension ImportReport {
  func heading(_ terminal: Terminal) -> [String] {
    var facts: [(name: String, text: String)] = []
    if let export = source.export {
      facts.append(("records", export.tally.sentence(records: source.units)))
      facts += export.tally.losses.map { ("", $0) }
    } else {
      facts.append(("files", "\(source.units.grouped)"))
    }
    facts.append(("time zone", "\(source.zone)"))
    if let first = span.days.first?.date, let last = span.days.last?.date {
      let empty = span.emptyDays > 0 ? ", \(span.emptyDays.grouped) of them without data" : ""
      facts.append(
        ("days", "\(first) to \(last): \(span.days.count.grouped)\(empty)"))
    }
    for left in span.leftOut { facts.append(("left out", left.sentence)) }
    if let export = source.export { facts += export.crossCheck.facts }
    let title = "\(source.name): \(source.kind.label)\(exported)"
    return [terminal.styled(title, .strong)]
      + facts.map { "  " + $0.name.padded(to: 12) + $0.text } + [""]
  }

  private var exported: String {
    source.exportedAt.map { moment in
      let text = "\(moment)"
      return ", made \(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    } ?? ""
  }

  func summary(_ terminal: Terminal) -> String {
    let words = [
      ("published", "published"), ("superseded", "superseded"),
      ("pointer_skipped", "published without a pointer"), ("would_publish", "would be published"),
      ("would_be_unchanged", "unchanged"), ("unchanged", "unchanged"), ("failed", "failed"),
      ("not_attempted", "not attempted"),
    ]
    let parts = words.compactMap { word, text in
      let count = outcomes.count(word)
      return count > 0 ? "\(count.grouped) \(text)" : nil
    }
    let total = outcomes.rows.count
    let text =
      "\(total.grouped) \(total == 1 ? "day" : "days"): " + parts.joined(separator: ", ")
    let isGood = outcomes.exitCode == .success
    return terminal.styled(text, isGood ? .good : .bad)
      + (isDryRun ? "; nothing was written" : " in \(opened.name)")
  }
}

extension ImportSpan.LeftOut {
  /// Which dates and why, for people.
  var sentence: String {
    let dates = from == to ? "\(from)" : "\(from) to \(to)"
    switch reason {
    case .exportDay: return "\(dates), which was not over when the export was made (--to \(to))"
    case .afterExport: return "\(dates), dated after the export"
    case .longGap: return "\(dates), more than a year without any data"
    case .notAskedFor:
      return "\(dates), \(daysWithData.grouped) \(daysWithData == 1 ? "day" : "days") not asked for"
    }
  }
}

extension ExportTally {
  /// `1,234,567 read, 890,123 of the kinds that count`.
  fileprivate func sentence(records: Int) -> String {
    "\(records.grouped) read, \(samples.values.reduce(0, +).grouped) of them used"
  }

  /// What was left out, and why.
  fileprivate var losses: [String] {
    let scanned = SkipReason.allCases.compactMap { reason in
      skipped[reason].map { ($0, reason.sentence) }
    }
    let sorted = LeftOut.allCases.compactMap { reason in
      leftOut[reason].map { ($0, reason.sentence) }
    }
    return (scanned + sorted).map { count, why in "\(count.grouped) skipped: \(why)" }
  }
}

extension SkipReason {
  var sentence: String {
    switch self {
    case .date: "a date that is none"
    case .value: "a value that is none"
    case .tooLarge: "larger than any record"
    case .malformed: "not well-formed"
    case .unknownCategory: "a category that is not known"
    case .tooManySources: "more sources than can be told apart"
    }
  }
}

extension LeftOut {
  var sentence: String {
    switch self {
    case .date: "dated before 1900 or after 2199"
    case .endsBeforeStart: "it ends before it begins"
    case .tooLong: "it spans more than 31 days"
    case .value: "a value below 0 or beyond what a day can hold"
    case .afterExport: "sleep that ends after the export was made"
    case .duplicate: "the same record again"
    case .unit: "a unit that can't be converted"
    }
  }
}

extension ActivityCrossCheck {
  /// How our figures agree with Apple's own.
  fileprivate var facts: [(name: String, text: String)] {
    guard days.compared > 0 else { return [] }
    var text =
      "energy, exercise and stand hours within 2 % of Apple's own on \(days.within.grouped) of "
      + "\(days.compared.grouped) days"
    if days.missing > 0 {
      text += "; on \(days.missing.grouped) only Apple has a figure"
    }
    return [("checked", text)]
  }
}

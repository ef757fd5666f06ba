import HealthModel
import HealthSources

/// The report for people.
extension ImportReport {
  func heading(_ terminal: Terminal) -> [String] {
    var facts: [(name: String, text: String)] = []
    facts.append(("time zone", "\(source.timeZoneName) (\(source.timeZoneOrigin.label))"))
    if let first = span.days.first?.date, let last = span.days.last?.date {
      let empty = span.emptyDays > 0 ? ", \(span.emptyDays.grouped) of them without data" : ""
      facts.append(
        ("days", "\(first) to \(last): \(span.days.count.grouped)\(empty)"))
    }
    for left in span.leftOut { facts.append(("left out", left.sentence)) }
    let title = "\(source.name): \(source.kind.label)\(exported)"
    return [terminal.styled(title, .strong)]
      + facts.map { "  " + $0.name.padded(to: 12) + $0.text } + [""]
  }

  private var exported: String {
    source.exportedAt.map { ", made \($0)" } ?? ""
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

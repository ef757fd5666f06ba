import CommandLineKit
import HealthLedger
import HealthModel

/// What `ls` found, as text for people and as the document of docs/OUTPUT.md.
struct HoldingsReport {
  let storeName: String
  /// The requested ends; nil for no limit.
  let from: CalendarDate?
  let to: CalendarDate?
  let today: CalendarDate
  let holdings: Holdings

  /// The most lines of days and gaps to show. The newest are shown.
  static let maximumLines = 60

  private var gaps: [ClosedRange<CalendarDate>] {
    // Dates in the future are not missing, and today is not over.
    holdings.gaps(from: from, to: to.map { min($0, today) })
  }

  func lines(_ terminal: Terminal) -> [String] {
    let title = terminal.styled(storeName.printable, .strong)
    guard !holdings.runs.isEmpty else { return [title + span, "no days stored"] }
    let rows = rows(terminal)
    let left = rows.count - Self.maximumLines
    let shown =
      left > 0
      ? ["(\(left.grouped) older lines are omitted; --output json has all)"]
        + rows.suffix(Self.maximumLines) : rows
    let head = terminal.styled("from        to              days  revisions", .strong)
    return [title + span, "", head] + shown + ["", total] + newest
  }

  private var span: String {
    switch (from, to) {
    case (nil, nil): ""
    case (let from?, let to?): "  \(from) to \(to)"
    case (let from?, nil): "  from \(from)"
    case (nil, let to?): "  up to \(to)"
    }
  }

  /// Days and gaps, by date.
  private func rows(_ terminal: Terminal) -> [String] {
    func row(_ first: CalendarDate, _ last: CalendarDate, _ days: Int, _ rest: String) -> String {
      "\(first)  \(last)  \(days.grouped.leftPadded(to: 8))  \(rest)"
    }
    let held = holdings.runs.map { run in
      (run.first, row(run.first, run.last, run.days, run.revisions.grouped.leftPadded(to: 9)))
    }
    let missing = gaps.map { gap in
      (
        gap.lowerBound,
        row(
          gap.lowerBound, gap.upperBound, gap.lowerBound.days(until: gap.upperBound) + 1,
          terminal.styled("missing".leftPadded(to: 9), .bad))
      )
    }
    return (held + missing).sorted { $0.0 < $1.0 }.map(\.1)
  }

  var missingDays: Int {
    gaps.reduce(0) { $0 + $1.lowerBound.days(until: $1.upperBound) + 1 }
  }

  private var total: String {
    let (days, gaps, missing) = (holdings.days, gaps.count, missingDays)
    return "\(days.grouped) \(days == 1 ? "day" : "days") stored, "
      + (gaps == 0
        ? "no gap"
        : "\(missing.grouped) missing in \(gaps.grouped) \(gaps == 1 ? "gap" : "gaps")")
      + foreign
  }

  private var foreign: String {
    switch holdings.foreignObjects {
    case 0: ""
    case 1: "; 1 object that doesn't belong to the ledger"
    case let count: "; \(count.grouped) objects that don't belong to the ledger"
    }
  }

  private var newest: [String] {
    guard let newest = holdings.newest, let made = holdings.lastMade else { return [] }
    var lines = ["newest day  \(newest.date), \(newest.date.ago(today)): revision \(newest.id)"]
    if made != newest { lines.append("last made   revision \(made.id) of \(made.date)") }
    return lines
  }

  var document: JSONValue { .object(members) }

  var members: [String: JSONValue] {
    func text(_ date: CalendarDate?) -> JSONValue { date.map { .string("\($0)") } ?? .null }
    func place(_ place: Holdings.Place?) -> JSONValue {
      guard let place else { return .null }
      return .object([
        "date": text(place.date), "revision_id": .string(place.id.rawValue),
        "generated_at": .string("\(place.id.timestamp)"),
      ])
    }
    return [
      "store": .string(storeName), "from": text(from), "to": text(to),
      "days_held": .count(holdings.days), "days_missing": .count(missingDays),
      "revisions": .count(holdings.revisions), "foreign_objects": .count(holdings.foreignObjects),
      "held": .array(
        holdings.runs.map { run in
          .object([
            "from": text(run.first), "to": text(run.last), "days": .count(run.days),
            "revisions": .count(run.revisions),
          ])
        }),
      "gaps": .array(
        gaps.map { gap in
          .object([
            "from": text(gap.lowerBound), "to": text(gap.upperBound),
            "days": .count(gap.lowerBound.days(until: gap.upperBound) + 1),
          ])
        }),
      "newest": place(holdings.newest), "last_made": place(holdings.lastMade),
    ]
  }
}

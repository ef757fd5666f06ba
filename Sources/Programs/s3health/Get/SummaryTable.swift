import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthReport
import MCPServer

/// The answer of `summarize_range` as a table for people.
struct SummaryTable: CommandResult {
  private let answer: JSONValue
  private let metrics: [DailyMetric]
  /// Those that the person likes.
  private let units: PersonalUnits

  /// - Parameter showsAll: true to show metrics without any number, too.
  init(
    _ answer: JSONValue, _ metrics: [DailyMetric], showsAll: Bool, in units: PersonalUnits
  ) {
    (self.answer, self.units) = (answer, units)
    self.metrics =
      showsAll
      ? metrics
      : metrics.filter { metric in
        [answer, answer["compared"] ?? .null].contains {
          ($0["metrics"]?[metric.rawValue]?["days"]?.numberValue ?? 0) > 0
        }
      }
  }

  var document: any Encodable { answer }

  func lines(_ terminal: Terminal) -> [String] {
    let compared = answer["compared"]
    let lengths = [answer, compared].map { $0.flatMap(dates).map { $0.days(until: $1) } }
    let before = compared.map { lengths[0] == lengths[1] ? extent($0) : title($0) }
    var lines = [title(answer) + (before.map { ", compared with \($0)" } ?? ""), ""]
    let rows = metrics.map { ($0, "\($0.label)\(unit($0))", answer) }
    let whole = table("metric", rows, withChange: compared != nil, terminal)
    // The change stands in a table of its own where all would be too wide for the terminal.
    lines +=
      compared == nil || whole.dropFirst().allSatisfy { $0.count <= terminal.width }
      ? whole
      : table("metric", rows, withChange: false, terminal) + [""]
        + table("change of the mean", rows, withFigures: false, withChange: true, terminal)
    if let periods = answer["periods"]?.arrayValue {
      for metric in metrics {
        let rows = periods.map { (metric, extent($0), $0) }
        lines.append("")
        lines += table("\(metric.label)\(unit(metric))", rows, withChange: false, terminal)
      }
    }
    let below = notes(answer, nil) + (compared.map { notes($0, "before, ") } ?? [])
    if !below.isEmpty { lines += [""] + below.map { terminal.styled($0, .faint) } }
    return lines
  }

  private func table(
    _ heading: String, _ rows: [(metric: DailyMetric, name: String, figures: JSONValue)],
    withFigures: Bool = true, withChange: Bool, _ terminal: Terminal
  ) -> [String] {
    var cells = [[heading] + (withFigures ? ["days", "mean", "median", "least", "most"] : [])]
    if withChange { cells[0] += withFigures ? ["change", ""] : ["", ""] }
    for row in rows {
      let figures = row.figures["metrics"]?[row.metric.rawValue]
      let numbers = ["mean", "median", "least", "most"].map {
        words((figures?[$0]?.numberValue).map { units.shown($0, of: row.metric) }, row.metric)
      }
      let days = Int(figures?["days"]?.numberValue ?? 0)
      cells.append([row.name] + (withFigures ? [days.grouped] + numbers : []))
      if withChange {
        let change = answer["change"]?[row.metric.rawValue]
        cells[cells.count - 1] += [
          Self.signed(change?["mean"]?.numberValue) { change in
            let none = units.shown(0, of: row.metric)
            return words(units.shown(change, of: row.metric) - none, row.metric)
          },
          Self.signed(change?["percent"]?.numberValue) {
            "\($0.groupedToTenths) %"
          },
        ]
      }
    }
    let widths = cells[0].indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    return cells.enumerated().map { index, row in
      let line = row.enumerated().map { column, cell in
        column == 0 ? cell.padded(to: widths[0]) : cell.leftPadded(to: widths[column] + 2)
      }.joined()
      var trimmed = line[...]
      while trimmed.last == " " { trimmed.removeLast() }
      return index == 0 ? terminal.styled(String(trimmed), .strong) : String(trimmed)
    }
  }

  /// A number as people read it; `-` for none.
  private func words(_ number: Double?, _ metric: DailyMetric) -> String {
    guard let number else { return "-" }
    return metric.isOfNight ? number.asDuration : number.groupedToTenths
  }

  private static func signed(_ number: Double?, _ words: (Double) -> String) -> String {
    guard let number else { return "-" }
    let text = words(abs(number))
    // A change that rounds to zero has no sign.
    return text == words(0) ? text : (number < 0 ? "−" : "+") + text
  }

  private func unit(_ metric: DailyMetric) -> String {
    if let chosen = units.unit(of: metric) { return ", \(chosen.name)" }
    let needsNone = metric.isOfNight || metric.unitLabel == "count" || metric == .standHours
    return needsNone ? "" : ", \(metric.unitLabel)"
  }

  // MARK: - Dates

  /// `2026-01-29 to 2026-02-11 (14 days)`.
  private func title(_ part: JSONValue) -> String {
    guard let (first, last) = dates(part) else { return "" }
    return first.extent(to: last, days: first.days(until: last) + 1)
  }

  private func extent(_ part: JSONValue) -> String {
    guard let (first, last) = dates(part) else { return "" }
    return first == last ? "\(first)" : "\(first) to \(last)"
  }

  private func dates(_ part: JSONValue) -> (CalendarDate, CalendarDate)? {
    guard let first = part["start_date"]?.stringValue.flatMap({ CalendarDate($0) }),
      let last = part["end_date"]?.stringValue.flatMap({ CalendarDate($0) })
    else { return nil }
    return (first, last)
  }

  /// The days that do not count, and why.
  private func notes(_ part: JSONValue, _ prefix: String?) -> [String] {
    let coverage = part["coverage"]
    func line(_ words: String, _ dates: [String]) -> String? {
      guard !dates.isEmpty else { return nil }
      let shown = dates.prefix(Self.shownDates).map { $0.replacing("/", with: " to ") }
      let rest = dates.count - shown.count
      return "\(prefix ?? "")\(words): \(shown.joined(separator: ", "))"
        + (rest > 0 ? " and \(rest.grouped) more" : "")
    }
    func texts(_ value: JSONValue?) -> [String] {
      value?.arrayValue?.compactMap(\.stringValue) ?? []
    }
    func keys(_ value: JSONValue?) -> [String] { value?.objectValue?.keys.sorted() ?? [] }
    let notOver = texts(part["days_not_over"])
    let partial = keys(part["partial_dates"]).filter { !notOver.contains($0) }.compactMap { date in
      CalendarDate(date).flatMap { day in
        part["partial_dates"]?[date]?.stringValue.flatMap {
          PartialNumbers.Part($0, on: day).map { "\(date) \($0.words)" }
        }
      }
    }
    /// The days that count although something is wrong with them.
    func counted(
      _ value: JSONValue?, where isWanted: (JSONValue) -> Bool = { _ in true }
    ) -> [String] {
      keys(value).filter { date in
        !notOver.contains(date) && value?[date].map(isWanted) ?? false
      }
    }
    let faults = coverage?["nonconforming"]
    return DailyMetric.inOrder.map { metric in
      line("doubtful \(metric.label), not counted", texts(part["doubtful"]?[metric.rawValue]))
    }.compactMap(\.self)
      + [
        line("not over, not counted", notOver),
        line("of a part of the day, not counted", partial),
        line("missing, not counted", texts(coverage?["missing"])),
        line("not readable, not counted", keys(coverage?["invalid"])),
        line("an older revision counts", counted(coverage?["fell_back"])),
        line("damaged, counted", counted(faults, where: Self.isDamage)),
        line("breaks a rule, counted", counted(faults) { !Self.isDamage($0) }),
      ].compactMap(\.self)
  }

  /// Whether a code says that a number may not be the one that was written (R60).
  private static func isDamage(_ code: JSONValue) -> Bool {
    [ViolationCode.badDigest, .digestDiffers].contains { code == .string($0.rawValue) }
  }

  private static let shownDates = 12
}

extension GetCommand {
  /// `get --summary`: what the days of a range have in common, as agents get it (R61).
  func rangeSummary(
    _ opened: OpenedStore, _ settings: Settings
  ) async throws(LedgerError) -> SummaryTable {
    let yesterday = try settings.yesterday
    var asked = span
    // So many days there are if no dates are given.
    if !asked.isGiven { asked.dates = .last(28) }
    let found = try await asked.range(settings, upTo: yesterday, maximumDays: bound.maxDays)
    let range = if let found { found } else { try DateRange(from: yesterday, to: yesterday) }
    var arguments: [String: JSONValue] = [
      "start_date": .string("\(range.from)"), "end_date": .string("\(range.to)"),
    ]
    arguments["by"] = by.map { .string($0.rawValue) }
    arguments["metrics"] = metrics.map { .array($0.metrics.map { .string($0.rawValue) }) }
    if compare {
      guard let last = range.from.adding(days: -1), let first = last.adding(days: 1 - range.count)
      else {
        throw LedgerError(
          .invalidArguments, "there are no \(range.count.grouped) days before \(range.from)",
          rule: "R1", remedy: "ask for later dates, or leave out --compare")
      }
      arguments["compare_start_date"] = .string("\(first)")
      arguments["compare_end_date"] = .string("\(last)")
    }
    let answer = try await opened.run { [arguments] ledger async throws(LedgerError) in
      try await HealthTools(
        ledger, timeZoneName: settings.timeZoneName, now: { settings.now },
        maximumDays: DateRange.mostDays
      ).summary(arguments)
    }
    if answer["freshness"] == .null { try await opened.sayHeldDays(outside: range, settings) }
    return SummaryTable(
      answer, metrics?.metrics ?? DailyMetric.required, showsAll: metrics?.isList ?? true,
      in: settings.units)
  }
}

extension SummaryPeriod: ExpressibleByArgument {}

import CommandLineKit
import HealthLedger
import HealthModel

/// The days of a range as `get` prints them: a table for people, or the document of docs/OUTPUT.md.
struct RangeListing: CommandResult {
  let storeName: String
  let range: DateRange
  /// Decides which days are over.
  private let now: Timestamp
  /// The requested columns; nil for the required ones.
  private let metrics: [DailyMetric]?
  private let units: PersonalUnits
  var heading: [String] = []

  /// The result for a date.
  fileprivate enum Answer {
    case revision(DailyRevision)
    case missing
    /// There are revisions, but none is readable.
    case invalid
  }

  /// Whether `document` will be asked for.
  var keepsDocuments = true

  private var days: [(date: CalendarDate, answer: Answer)] = []
  private var documents: [JSONValue] = []
  private var ids: [String: RevisionID] = [:]
  private var damaged: [CalendarDate] = []
  private var bytes = 0
  /// What was skipped, and which rules the days break although they are readable (R41), for people.
  private(set) var notes: [DayNote] = []

  /// The most bytes of documents held in memory.
  private static let maximumBytes = 256 << 20

  init(
    storeName: String, range: DateRange, at now: Timestamp, _ metrics: [DailyMetric]?,
    in units: PersonalUnits
  ) {
    (self.storeName, self.range, self.now) = (storeName, range, now)
    (self.metrics, self.units) = (metrics, units)
  }

  /// Whether no date has a revision, readable or not.
  var hasNothing: Bool { days.allSatisfy(\.answer.isMissing) }

  /// Adds the result for the next date.
  mutating func add(_ resolution: Resolution) throws(LedgerError) {
    notes += resolution.notes
    guard let latest = resolution.latest else {
      days.append((resolution.date, resolution.isMissing ? .missing : .invalid))
      return
    }
    bytes += latest.body.count
    guard bytes <= Self.maximumBytes else {
      throw LedgerError(
        .invalidArguments, "the days up to \(resolution.date) are larger than 256 MB in total",
        remedy: "ask for a shorter range")
    }
    days.append((resolution.date, .revision(latest.revision)))
    if latest.isDamaged { damaged.append(resolution.date) }
    guard keepsDocuments else { return }
    do {
      documents.append(try JSONValue(parsing: latest.body))
      ids["\(resolution.date)"] = latest.id
    } catch {
      throw LedgerError(.internal, "revision \(latest.id) can't be parsed a second time")
    }
  }

  /// A row for each date with a revision. Consecutive dates without one share a line.
  func lines(_ terminal: Terminal) -> [String] {
    let columns = metrics.map { MetricColumns($0, in: units) } ?? MetricColumns(in: units)
    if let metrics, metrics.count > 12, columns.width > terminal.width {
      return heading + turned(metrics, columns, terminal) + closing
    }
    var lines = heading + [terminal.styled(columns.head, .strong)]
    var rest = days[...]
    while let (date, answer) = rest.first {
      if case .revision(let revision) = answer {
        lines.append(
          "\(date)\(columns.cells({ revision.reading(of: $0) }, terminal))"
            + (revision.day.isOver(at: now) ? "" : "*"))
        if let words = PartialNumbers(revision).words(of: metrics ?? DailyMetric.required) {
          lines.append(terminal.styled("            \(words)", .faint))
        }
        rest = rest.dropFirst()
        continue
      }
      let isMissing = answer.isMissing
      let run = rest.prefix { $0.answer.isMissing == isMissing && !$0.answer.isRevision }
      let extent = date.extent(to: run.last?.date ?? date, days: run.count)
      lines.append(
        extent + "  " + terminal.styled(isMissing ? "missing" : "no readable revision", .bad))
      rest = rest.dropFirst(run.count)
    }
    lines += closing
    let optional = DailyMetric.optional(in: revisions.map(\.readings))
      .filter { $0.latestOf == nil }
    if metrics == nil, !optional.isEmpty {
      let names = optional.map(\.rawValue).joined(separator: ", ")
      lines.append("optional metrics, shown with --metrics: \(names)")
    }
    return lines
  }

  /// A row for each metric that any day has, where its columns would not fit on a line, and as many days
  /// side by side as do.
  private func turned(
    _ metrics: [DailyMetric], _ columns: MetricColumns, _ terminal: Terminal
  ) -> [String] {
    let names = metrics.filter { metric in revisions.contains { $0.readings[metric] != nil } }
      .map { metric in
        let isTime = metric.isOfNight || metric.aggregation == .latestTime
        let unit = isTime ? "" : units.name(of: metric)
        return (metric, metric.label + (unit.isEmpty ? "" : ", \(unit)"))
      }
    let width = names.map(\.1.count).max() ?? 0
    let perBlock = max(1, (terminal.width - width) / 12)
    var lines: [String] = []
    for start in stride(from: 0, to: days.count, by: perBlock) {
      let block = days[start..<min(start + perBlock, days.count)]
      let dates = block.map { date, answer in
        let isOver = answer.revision?.day.isOver(at: now) ?? true
        return "\(date)\(isOver ? "" : "*")".leftPadded(to: 12)
      }
      let head = "".padded(to: width) + dates.joined()
      lines += (start > 0 ? [""] : []) + [terminal.styled(head, .strong)]
      lines += names.map { metric, name in
        name.padded(to: width)
          + block.map { _, answer in
            guard let revision = answer.revision else { return "".leftPadded(to: 12) }
            let cell =
              clock(metric, revision) ?? columns.cell(revision.reading(of: metric), metric)
            return cell.leftPadded(to: 12)
          }.joined()
      }
    }
    lines += revisions.compactMap { revision in
      PartialNumbers(revision).words(of: metrics).map { "\(revision.date): \($0)" }
    }
    return lines
  }

  private var closing: [String] {
    ["", summary] + (notOver.isEmpty ? [] : ["* the day is not over: its numbers so far"])
  }

  /// When a latest value was measured, by the clock of the day's zone.
  private func clock(_ metric: DailyMetric, _ revision: DailyRevision) -> String? {
    guard metric.aggregation == .latestTime, let minutes = revision.readings[metric]?.number
    else { return nil }
    return revision.day.clock(revision.day.start.timestamp.adding(seconds: Int(minutes * 60)))
  }

  private var revisions: [DailyRevision] {
    days.compactMap(\.answer.revision)
  }

  private var notOver: [DailyRevision] { revisions.filter { !$0.day.isOver(at: now) } }

  private var summary: String {
    let found = days.count(where: \.answer.isRevision)
    let numbered = revisions.count(where: \.readings.hasNumber)
    let missing = days.count(where: \.answer.isMissing)
    let invalid = days.count - found - missing
    return "\(days.count.counted("day")): \(numbered.grouped) with data"
      + (found > numbered ? ", \((found - numbered).grouped) without a number" : "")
      + (missing > 0 ? ", \(missing.grouped) missing" : "")
      + (invalid > 0 ? ", \(invalid.grouped) without a readable revision" : "")
  }

  /// The stored documents, and every date without one.
  var document: any Encodable {
    func dates(_ isWanted: (Answer) -> Bool) -> [CalendarDate] {
      days.filter { isWanted($0.answer) }.map(\.date)
    }
    let partial = revisions.map { revision in
      ("\(revision.date)", PartialNumbers(revision).furthest().map { "\($0)" })
    }
    return [
      "store": storeName, "from": range.from, "to": range.to, "days": documents,
      "revision_ids": ids, "days_not_over": notOver.map(\.date),
      "partial_dates": Dictionary(uniqueKeysWithValues: partial).compactMapValues(\.self),
      "damaged_dates": damaged, "missing_dates": dates(\.isMissing),
      "invalid_dates": dates { !$0.isMissing && !$0.isRevision },
    ] as Document
  }
}

extension RangeListing.Answer {
  fileprivate var isMissing: Bool { if case .missing = self { true } else { false } }
  fileprivate var isRevision: Bool { revision != nil }
  fileprivate var revision: DailyRevision? {
    if case .revision(let revision) = self { revision } else { nil }
  }
}

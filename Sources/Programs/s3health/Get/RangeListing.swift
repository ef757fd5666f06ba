import CommandLineKit
import HealthLedger
import HealthModel

/// The days of a range as `get` prints them: a table for people, or the document of docs/OUTPUT.md.
struct RangeListing {
  let storeName: String
  let range: DateRange
  /// Decides which days are over.
  private let now: Timestamp

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
  private var ids: [String: JSONValue] = [:]
  private var damaged: [CalendarDate] = []
  private var bytes = 0
  /// What was skipped, and which rules the days break although they are readable (R41), for people.
  private(set) var notes: [DayNote] = []

  /// The most bytes of documents held in memory.
  private static let maximumBytes = 256 << 20

  init(storeName: String, range: DateRange, at now: Timestamp) {
    (self.storeName, self.range, self.now) = (storeName, range, now)
  }

  /// Whether no date has a revision, readable or not.
  var isEmpty: Bool { days.allSatisfy(\.answer.isMissing) }

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
      ids["\(resolution.date)"] = .string(latest.id.rawValue)
    } catch {
      throw LedgerError(.internal, "revision \(latest.id) can't be parsed a second time")
    }
  }

  /// A row for each date with a revision. Consecutive dates without one share a line.
  ///
  /// - Parameter metrics: the requested columns; nil for the required ones.
  func lines(
    _ metrics: [DailyMetric]?, in units: PersonalUnits, _ terminal: Terminal
  ) -> [String] {
    let columns = metrics.map { MetricColumns($0, in: units) } ?? MetricColumns(in: units)
    if let metrics, metrics.count > 12, columns.width > terminal.width {
      return turned(metrics, in: units, columns, terminal) + ["", summary]
    }
    var lines = [terminal.styled(columns.head, .strong)]
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
    lines += ["", summary]
    if !notOver.isEmpty { lines.append("* the day is not over: its numbers so far") }
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
    _ metrics: [DailyMetric], in units: PersonalUnits, _ columns: MetricColumns,
    _ terminal: Terminal
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
      let head = "".padded(to: width) + block.map { "\($0.date)".leftPadded(to: 12) }.joined()
      lines += (start > 0 ? [""] : []) + [terminal.styled(head, .strong)]
      lines += names.map { metric, name in
        name.padded(to: width)
          + block.map { _, answer in
            guard case .revision(let revision) = answer else { return "".leftPadded(to: 12) }
            let cell =
              clock(metric, revision) ?? columns.cell(revision.reading(of: metric), metric)
            return cell.leftPadded(to: 12)
          }.joined()
      }
    }
    return lines
  }

  /// When a latest value was measured, by the clock of the day's zone.
  private func clock(_ metric: DailyMetric, _ revision: DailyRevision) -> String? {
    guard metric.aggregation == .latestTime, let minutes = revision.readings[metric]?.number
    else { return nil }
    return revision.day.clock(revision.day.start.timestamp.adding(seconds: Int(minutes * 60)))
  }

  private var revisions: [DailyRevision] {
    days.compactMap { if case .revision(let revision) = $0.answer { revision } else { nil } }
  }

  private var notOver: [DailyRevision] { revisions.filter { !$0.day.isOver(at: now) } }

  private var summary: String {
    let found = days.count(where: \.answer.isRevision)
    let numbered = revisions.count(where: \.readings.hasNumber)
    let missing = days.count(where: \.answer.isMissing)
    let invalid = days.count - found - missing
    let total = days.count == 1 ? "1 day" : "\(days.count.grouped) days"
    return "\(total): \(numbered.grouped) with data"
      + (found > numbered ? ", \((found - numbered).grouped) without a number" : "")
      + (missing > 0 ? ", \(missing.grouped) missing" : "")
      + (invalid > 0 ? ", \(invalid.grouped) without a readable revision" : "")
  }

  /// The stored documents, and every date without one.
  var document: JSONValue {
    func dates(_ isWanted: (Answer) -> Bool) -> JSONValue {
      .array(days.filter { isWanted($0.answer) }.map { .string("\($0.date)") })
    }
    return .object([
      "store": .string(storeName), "from": .string("\(range.from)"),
      "to": .string("\(range.to)"), "days": .array(documents),
      "revision_ids": .object(ids),
      "days_not_over": .array(notOver.map { .string("\($0.date)") }),
      "partial_dates": .object(
        revisions.reduce(into: [:]) { dates, revision in
          let last = PartialNumbers(revision).captures.values.max()
          dates["\(revision.date)"] = last.map { .string("\($0.moment)") }
        }),
      "damaged_dates": .array(damaged.map { .string("\($0)") }),
      "missing_dates": dates(\.isMissing),
      "invalid_dates": dates { !$0.isMissing && !$0.isRevision },
    ])
  }
}

extension RangeListing.Answer {
  fileprivate var isMissing: Bool { if case .missing = self { true } else { false } }
  fileprivate var isRevision: Bool { if case .revision = self { true } else { false } }
}

import CommandLineKit
import HealthExports
import HealthLedger
import HealthModel

/// Days gathered for a table, whose columns are known once all are there.
struct DayRows {
  private struct Day {
    let date: CalendarDate
    let timeZoneName: String
    let isOver: Bool
    let numbers: [DailyMetric: Double]
    let partial: Set<DailyMetric>
  }

  /// The columns asked for; nil for the required ones and the optional ones that any day has.
  let metrics: [DailyMetric]?
  /// Dates of the range that have no row.
  var missing = 0
  private var days: [Day] = []
  private let now: Timestamp

  /// - Parameter now: decides which days are over.
  init(metrics: [DailyMetric]?, at now: Timestamp) { (self.metrics, self.now) = (metrics, now) }

  var count: Int { days.count }

  mutating func add(_ revision: DailyRevision) {
    let day = revision.day
    days.append(
      Day(
        date: day.date, timeZoneName: day.timeZoneName, isOver: day.isOver(at: now),
        numbers: revision.readings.numbers,
        partial: Set(PartialNumbers(revision).parts.keys)))
  }

  /// What a person should know of dates without a row; nil where there is nothing.
  var note: String? {
    missing == 0
      ? nil
      : "\(missing.grouped) \(missing == 1 ? "date has" : "dates have") no data, and no row"
  }

  func bytes(_ format: TableFormat) -> [UInt8] {
    let table = DaysTable(
      metrics ?? DailyMetric.required + DailyMetric.optional(in: days.map(\.numbers)))
    let encoder = TableEncoder(format, table.columns)
    var bytes = encoder.header
    for day in days {
      encoder.append(
        table.row(
          day.date, timeZoneName: day.timeZoneName, isOver: day.isOver, partial: day.partial
        ) {
          day.numbers[$0]
        }, to: &bytes)
    }
    return bytes
  }
}

extension OpenedStore {
  /// Hands on what readers get of each date of a span, or of all that there is; nil where that is nothing.
  /// Says what was skipped, and which days have numbers of a part of the day.
  func days(
    of span: SpanOptions, _ metrics: [DailyMetric]?, _ settings: Settings,
    _ take: (DailyRevision?) -> Void
  ) async throws(LedgerError) {
    let today = try settings.today
    let asked =
      span.isAll
      ? nil : try await span.range(settings, upTo: today, maximumDays: DateRange.mostDays)
    var isEmpty = true
    try await read(settings) { ledger async throws(LedgerError) in
      let ranges = if let asked { [asked] } else { try await ledger.heldRanges() }
      var notes: [DayNote] = []
      var progress = ProgressLine("reading", total: ranges.reduce(0) { $0 + $1.count })
      defer { progress.clear() }
      for range in ranges {
        try await ledger.resolve(range) { resolution async throws(LedgerError) in
          let revision = resolution.latest?.revision
          notes += resolution.notes
          if let revision {
            isEmpty = false
            notes += [DayNote(partOf: revision, metrics, at: settings.now)].compactMap(\.self)
          }
          take(revision)
          progress.advance()
        }
      }
      progress.clear()
      StandardStreams.remark(notes: notes, allIn: "verify")
    }
    if isEmpty, let asked { try await sayHeldDays(outside: asked, settings) }
  }
}

extension DayNote {
  /// That numbers of a day that is over are of a part of it.
  init?(partOf revision: DailyRevision, _ metrics: [DailyMetric]?, at now: Timestamp) {
    guard revision.day.isOver(at: now),
      let words = PartialNumbers(revision).words(of: metrics ?? DailyMetric.inOrder)
    else { return nil }
    self.init(
      on: revision.date, kind: "partial", "\(words), of a part of the day",
      ofSeveral: "of a part of the day")
  }
}

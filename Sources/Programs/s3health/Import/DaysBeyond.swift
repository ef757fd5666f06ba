import CommandLineKit
import HealthLedger
import HealthModel
import HealthSources

/// Days whose data is in the store but no longer in an export, before the export's first day with
/// data or after its last one (R19).
///
/// Between these days, a date without data means that nothing was measured. Outside them
/// it may just as well be that of a new phone, whose Health began later: years that an older export
/// brought would turn into days without data. So a person has to say that they were deleted.
struct DaysBeyond {
  private(set) var dates: [CalendarDate]
  /// The export's first and last day. Days between them are published, or reported as left out.
  private let reach: ClosedRange<CalendarDate>

  /// Looks for such days among those asked for; nil where the source may not cover every day, or
  /// does not say when it was made.
  static func find(
    _ source: ImportedSource, _ span: ImportSpan, in opened: OpenedStore, from: CalendarDate?,
    to: CalendarDate?
  ) async throws(LedgerError) -> DaysBeyond? {
    guard let made = source.exportedAt,
      let metrics = source.export?.speaksOf, let exportDate = try? source.zone.zones.date(at: made),
      let reach = reach(of: source, span, until: exportDate)
    else { return nil }
    // The day of the export was not over.
    let last = exportDate.adding(days: -1).map { min($0, to ?? $0) }
    let sides = [
      (from, reach.lowerBound.adding(days: -1).map { min($0, last ?? $0) }),
      (reach.upperBound.adding(days: 1).map { max($0, from ?? $0) }, last),
    ]
    var dates: [CalendarDate] = []
    try await opened.run { ledger async throws(LedgerError) in
      for (first, last) in sides {
        if let first, let last, first > last { continue }
        for run in try await ledger.holdings(from: first, to: last).runs {
          let range = try DateRange(from: run.first, to: run.last, maximumDays: DateRange.mostDays)
          try await ledger.resolve(range) { resolution async throws(LedgerError) in
            if let revision = resolution.latest?.revision,
              revision.hasNumber(of: metrics, before: made)
            {
              dates.append(resolution.date)
            }
          }
        }
      }
    }
    return dates.isEmpty ? nil : DaysBeyond(dates: dates.sorted(), reach: reach)
  }

  /// A date whose samples give it no number does not count, such as an evening whose sleep belongs
  /// to the next day.
  private static func reach(
    of source: ImportedSource, _ span: ImportSpan, until exportDate: CalendarDate
  ) -> ClosedRange<CalendarDate>? {
    guard let coverage = source.coverage else { return nil }
    let dates = (source.days + span.days).map(\.date).filter { $0 <= exportDate }
    guard let first = dates.min(), let last = dates.max() else { return coverage }
    return first...last
  }

  /// Without the days that the import has published because their zone was wrong; nil if none is left.
  func without(_ published: Set<CalendarDate>) -> DaysBeyond? {
    var rest = self
    rest.dates.removeAll(where: published.contains)
    return rest.dates.isEmpty ? nil : rest
  }

  /// For people; `areTaken` if they are published without data.
  func words(areTaken: Bool) -> String {
    let count = dates.count == 1 ? "1 day" : "\(dates.count.grouped) days"
    let span =
      dates.first == dates.last
      ? dates.first.map { "\($0)" } ?? ""
      : "from \(dates.first.map { "\($0)" } ?? "") to \(dates.last.map { "\($0)" } ?? "")"
    let subject =
      "the store has \(count) with data that this export does not have (\(span); the export has "
      + "data from \(reach.lowerBound) to \(reach.upperBound))"
    guard !areTaken else { return subject + "; they are published as days without data" }
    return subject
      + ". They stay as they are. If you deleted them in Health, publish them as days without data "
      + "with --confirm-deletions"
  }
}

extension DailyRevision {
  /// Whether it has a number that was captured by a moment.
  fileprivate func hasNumber(of metrics: Set<DailyMetric>, before moment: Timestamp) -> Bool {
    let figures = Fold(allWords).figures
    return metrics.contains { metric in
      reading(of: metric).number != nil
        && figures[WordGroup(of: metric)].map { $0.capturedAt <= moment } ?? false
    }
  }
}

package import HealthModel

/// Which days of an import are published, and which are left out and why (R19, docs/IMPORT.md).
///
/// Apple Health's export holds all that Health held: a date without a sample, between dates with
/// some, is a day on which nothing was measured, and becomes `no_data`. Other inputs may just not
/// cover a date: it stays missing, and `verify` reports it.
package struct ImportSpan: Hashable, Sendable {
  /// Why dates are left out.
  package enum Reason: String, CaseIterable, Hashable, Sendable {
    /// The day was not over when the export was made.
    case exportDay = "export_day"
    /// Samples dated after the export: a wrong clock, or a plan.
    case afterExport = "after_export"
    /// Still to come in every time zone: a wrong clock, or a plan.
    case future
    /// Before 1900: a wrong clock, or a mistyped date.
    case past
    /// More days without any sample than a year has: more likely a stray date than a year without
    /// measurements.
    case longGap = "long_gap"
    /// Not between the dates asked for.
    case notAskedFor = "not_asked_for"
  }

  /// Neighbouring dates left out for one reason; both ends inclusive.
  package struct LeftOut: Hashable, Sendable {
    package let from: CalendarDate
    package let to: CalendarDate
    /// How many of the dates have readings.
    package let daysWithData: Int
    package let reason: Reason
  }

  /// What is known of the source beside its days with readings.
  package struct Source: Hashable, Sendable {
    /// The zones of the days.
    package var zones: ReportingZones
    /// The first and last date with a sample, whether read or not; nil for a source that may not
    /// cover every day.
    package var coverage: ClosedRange<CalendarDate>?
    /// The metrics of which a date without samples has no data.
    package var speaksOf = Set(DailyMetric.allCases)
    /// The date on which the export was made, in the zone.
    package var exportDate: CalendarDate?
    /// Dates that have not begun anywhere by then are left out; nil: none is.
    package var now: Timestamp?
    /// Whether dates before 1900 are published.
    package var allowsPast = true

    package init(
      zones: ReportingZones, coverage: ClosedRange<CalendarDate>? = nil,
      exportDate: CalendarDate? = nil
    ) {
      (self.zones, self.coverage) = (zones, coverage)
      self.exportDate = exportDate
    }
  }

  /// Oldest first; those without readings have none of the metrics.
  package private(set) var days: [DayReadings] = []
  /// Oldest first.
  package private(set) var leftOut: [LeftOut] = []
  /// Days published without a reading.
  package private(set) var emptyDays = 0

  /// Longest run of dates without readings that is published as such.
  package static let longestGap = 366

  /// - Parameters:
  ///   - found: days with readings, sorted, no date twice.
  ///   - from: the first date asked for; nil for the first that has readings.
  ///   - to: the last date asked for; where it is given, it may be the day of the export.
  package init(
    _ found: [DayReadings], of source: Source, from: CalendarDate? = nil, to: CalendarDate? = nil
  ) {
    let edges = Self.edges(found, source, from: from, to: to)
    var next = edges?.lowerBound
    for day in found {
      if let reason = Self.reason(against: day.date, source, from: from, to: to) {
        leaveOut(day.date, reason)
        continue
      }
      if let first = next { fill(first, upTo: day.date, source) }
      days.append(day)
      next = edges == nil ? nil : day.date.adding(days: 1)
    }
    if let first = next, let end = edges?.upperBound.adding(days: 1) {
      fill(first, upTo: end, source)
    }
    leftOut.sort { ($0.from, $0.reason.rawValue) < ($1.from, $1.reason.rawValue) }
  }

  /// Adds days before and after those of the source, without data of these metrics.
  package mutating func addEmpty(
    _ dates: [CalendarDate], in zones: ReportingZones, speaksOf metrics: Set<DailyMetric>
  ) {
    for date in dates {
      guard let day = try? zones.day(date) else { continue }
      emptyDays += 1
      days.append(
        DayReadings(
          date: date, from: .appleHealthExport, timeZoneName: day.timeZoneName, readings: [:],
          speaksOf: metrics, ofWholeDay: metrics))
    }
    days.sort { $0.date < $1.date }
  }

  /// Why a day with readings is left out; nil where it is published.
  private static func reason(
    against date: CalendarDate, _ source: Source, from: CalendarDate?, to: CalendarDate?
  ) -> Reason? {
    if let exportDate = source.exportDate, date > exportDate { return .afterExport }
    if let now = source.now, !date.hasBegun(at: now) { return .future }
    if !source.allowsPast, date.isBeforeLivingMemory { return .past }
    if from.map({ date < $0 }) ?? false || to.map({ date > $0 }) ?? false { return .notAskedFor }
    return date == source.exportDate && to == nil ? .exportDay : nil
  }

  /// The first and last date that are published of a source that covers every day.
  private static func edges(
    _ found: [DayReadings], _ source: Source, from: CalendarDate?, to: CalendarDate?
  ) -> ClosedRange<CalendarDate>? {
    guard let coverage = source.coverage else { return nil }
    var first: CalendarDate?
    var last: CalendarDate?
    for date in found.map(\.date) {
      switch reason(against: date, source, from: from, to: to) {
      case nil:
        first = first ?? date
        last = date
      // This day is not published, but the days before it lie between readings.
      case .exportDay: last = date.adding(days: -1)
      default: break
      }
    }
    // Dates that were asked for are filled as far as the source reaches, others between readings.
    first = from.map { max($0, coverage.lowerBound) } ?? first
    last = to.map { min($0, coverage.upperBound, source.exportDate ?? $0) } ?? last
    guard let first, let last, first <= last else { return nil }
    return first...last
  }

  private mutating func leaveOut(_ date: CalendarDate, _ reason: Reason) {
    if let last = leftOut.last, last.reason == reason,
      days.last.map({ $0.date < last.from }) ?? true
    {
      leftOut[leftOut.count - 1] = LeftOut(
        from: last.from, to: date, daysWithData: last.daysWithData + 1, reason: reason)
    } else {
      leftOut.append(LeftOut(from: date, to: date, daysWithData: 1, reason: reason))
    }
  }

  /// Adds the days without data from `first` to the one before `end`.
  private mutating func fill(
    _ first: CalendarDate, upTo end: CalendarDate, _ source: Source
  ) {
    guard first < end else { return }
    guard first.days(until: end) <= Self.longestGap else {
      let last = end.adding(days: -1) ?? end
      leftOut.append(LeftOut(from: first, to: last, daysWithData: 0, reason: .longGap))
      return
    }
    for number in first.daysSince1970..<end.daysSince1970 {
      // A date that the zone skipped is not a day, so it has no document (R4).
      guard let date = CalendarDate(daysSince1970: number),
        let day = try? source.zones.day(date)
      else { continue }
      emptyDays += 1
      days.append(
        DayReadings(
          date: date, from: .appleHealthExport, timeZoneName: day.timeZoneName, readings: [:],
          speaksOf: source.speaksOf, ofWholeDay: source.speaksOf))
    }
  }
}

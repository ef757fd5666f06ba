package import HealthModel

/// Which days of an import are published, and which are left out and why (docs/IMPORT.md).
///
/// Apple Health's export holds all that Health held: a date without a sample, between dates with
/// some, is a day on which nothing was measured, and becomes `no_data`. Other inputs may just not
/// tell of a date: it stays missing, and `verify` reports it.
package struct ImportSpan: Hashable, Sendable {
  /// Why dates are left out.
  package enum Reason: String, CaseIterable, Hashable, Sendable {
    /// The day was not over when the export was made.
    case exportDay = "export_day"
    /// Samples dated after the export: a wrong clock, or a plan.
    case afterExport = "after_export"
    /// More days without any sample than a year has: likelier a stray date than a life unmeasured.
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
  ///   - fillsGaps: whether the source holds all there was.
  ///   - exportDate: the date on which the export was made, in the reporting zone.
  ///   - from: the first date asked for; nil for the first that has readings.
  ///   - to: the last date asked for; where it is given, it may be the day of the export.
  package init(
    _ found: [DayReadings], fillsGaps: Bool, exportDate: CalendarDate? = nil,
    from: CalendarDate? = nil, to: CalendarDate? = nil
  ) {
    for day in found {
      if let exportDate, day.date > exportDate {
        leaveOut(day.date, .afterExport)
      } else if from.map({ day.date < $0 }) ?? false || to.map({ day.date > $0 }) ?? false {
        leaveOut(day.date, .notAskedFor)
      } else if let exportDate, day.date == exportDate, to == nil {
        leaveOut(day.date, .exportDay)
      } else {
        if fillsGaps, let last = days.last { fill(from: last, to: day.date) }
        days.append(day)
      }
    }
    leftOut.sort { ($0.from, $0.reason.rawValue) < ($1.from, $1.reason.rawValue) }
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

  private mutating func fill(from last: DayReadings, to date: CalendarDate) {
    let gap = (last.date.daysSince1970 + 1..<date.daysSince1970)
      .compactMap(CalendarDate.init(daysSince1970:))
    guard let first = gap.first, let end = gap.last else { return }
    guard gap.count <= Self.longestGap else {
      leftOut.append(LeftOut(from: first, to: end, daysWithData: 0, reason: .longGap))
      return
    }
    for date in gap where last.exists(date) {
      emptyDays += 1
      days.append(
        DayReadings(
          date: date, timeZoneName: last.timeZoneName, capturedAt: last.capturedAt, readings: [:]))
    }
  }
}

extension DayReadings {
  /// False for a date that the zone skipped (R4): it is no day, so it has no document.
  fileprivate func exists(_ date: CalendarDate) -> Bool {
    guard let timeZoneName else { return true }
    return (try? ReportingDay(date: date, timeZoneName: timeZoneName)) != nil
  }
}

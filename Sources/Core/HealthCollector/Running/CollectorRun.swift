public import HealthModel

/// Which dates one run of a collector recomputes (R49): today, and the days before it whose
/// data may have come late or been corrected.
///
/// Pure: a function of its members.
public struct CollectorRun: Hashable, Sendable {
  /// The days before today that are recomputed by default.
  public static let defaultCatchUpDays = 7

  /// Today in the reporting zone.
  public let today: CalendarDate
  /// How many days before today are recomputed; 0 for today alone.
  public let catchUpDays: Int

  /// A run on this date.
  public init(today: CalendarDate, catchUpDays: Int = defaultCatchUpDays) {
    (self.today, self.catchUpDays) = (today, max(0, catchUpDays))
  }

  /// The dates, ascending, ending with today. No date precedes 0001-01-01.
  public var dates: [CalendarDate] {
    (0...catchUpDays).reversed().compactMap { today.adding(days: -$0) }
  }
}

/// One calendar date in one time zone as the half-open interval [start, end) of moments (R3, R4).
///
/// 23, 24 or 25 hours long, 24.5 where a zone shifts by half an hour; never empty.
public struct ReportingDay: Hashable, Sendable {
  public let date: CalendarDate
  /// IANA name, as given.
  public let timeZoneName: String
  public let start: LocalMoment
  public let end: LocalMoment

  /// A moment with the UTC offset that holds there in the zone.
  public struct LocalMoment: Hashable, Sendable, CustomStringConvertible {
    public let timestamp: Timestamp
    /// Seconds east of UTC.
    public let offsetSeconds: Int

    public init(timestamp: Timestamp, offsetSeconds: Int) {
      (self.timestamp, self.offsetSeconds) = (timestamp, offsetSeconds)
    }
    /// `YYYY-MM-DDTHH:MM:SS+HH:MM`.
    public var description: String { "" }
  }

  /// Why a day can't be had.
  public enum Failure: Error, Hashable, Sendable {
    /// The time zone database has no such name.
    case unknownTimeZone(String)
    /// The zone skipped this date (Pacific/Apia, 2011-12-30).
    case skippedDate(CalendarDate, zone: String)
  }

  /// The day of `date` in the zone named `timeZoneName`.
  public init(date: CalendarDate, timeZoneName: String) throws(Failure) {
    throw .unknownTimeZone(timeZoneName)
  }

  /// The calendar date at `moment` in the zone.
  public static func date(
    at moment: Timestamp, timeZoneName: String
  ) throws(Failure) -> CalendarDate {
    throw .unknownTimeZone(timeZoneName)
  }

  /// A day read from a document as it stands, unchecked against the database.
  init(date: CalendarDate, timeZoneName: String, start: LocalMoment, end: LocalMoment) {
    (self.date, self.timeZoneName, self.start, self.end) = (date, timeZoneName, start, end)
  }
}

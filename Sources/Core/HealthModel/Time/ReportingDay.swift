/// One calendar date in one time zone as the half-open interval [start, end) of moments (R3, R4).
///
/// The days of a zone follow one another without gap or overlap, so every moment lies in exactly
/// one. 23, 24 or 25 hours long, 23.5 or 24.5 where a zone shifts by half an hour; never empty.
///
/// ```swift
/// if let date = CalendarDate("2026-03-29") {
///   let day = try ReportingDay(date: date, timeZoneName: "Europe/Berlin")
///   print(day.start, day.end)  // 2026-03-29T00:00:00+01:00 2026-03-30T00:00:00+02:00: 23 hours
/// }
/// ```
public struct ReportingDay: Hashable, Sendable {
  /// The date that the zone's calendars show.
  public let date: CalendarDate
  /// IANA name, as given.
  public let timeZoneName: String
  /// The first moment: the first midnight of the date, or the end of the gap that swallowed it.
  public let start: LocalMoment
  /// The first moment that no longer belongs to the day: the start of the next date that exists;
  /// of 9999-12-31, which has none, its last second.
  public let end: LocalMoment

  /// Why a day can't be had.
  public enum Failure: Error, Hashable, Sendable {
    /// The time zone database has no such name.
    case unknownTimeZone(String)
    /// This machine has no time zone database: on Linux, the package `tzdata` is missing.
    case noTimeZoneDatabase
    /// The zone skipped this date (Pacific/Apia, 2011-12-30).
    case skippedDate(CalendarDate, zone: String)
  }

  /// Whether the day is over at a moment: until then its numbers are those of a part of it.
  package func isOver(at now: Timestamp) -> Bool { end.timestamp <= now }

  /// The day of `date` in the zone named `timeZoneName`.
  ///
  /// Costs a few microseconds; the zone's rules are kept between calls.
  ///
  /// - Throws: `Failure.unknownTimeZone` for a name that is not an IANA name of the database
  ///   (abbreviations and `GMT+5` are not), `Failure.skippedDate` where the zone skipped the date,
  ///   `Failure.noTimeZoneDatabase` on a Linux machine without one.
  public init(date: CalendarDate, timeZoneName: String) throws(Failure) {
    try self.init(date: date, timeZoneName: timeZoneName, in: .current)
  }

  /// The date of the reporting day that holds `moment` in the zone.
  ///
  /// This is what the zone's clocks show, but for the hour in which they, set back over midnight,
  /// show the day before again: that hour belongs to the day that has begun.
  ///
  /// - Throws: `Failure.unknownTimeZone` or `Failure.noTimeZoneDatabase`.
  public static func date(
    at moment: Timestamp, timeZoneName: String
  ) throws(Failure) -> CalendarDate {
    try date(at: moment, timeZoneName: timeZoneName, in: .current)
  }

  /// The day by the rules of a given database.
  package init(
    date: CalendarDate, timeZoneName: String, in database: TimeZoneDatabase
  ) throws(Failure) {
    let rules = try Self.rules(named: timeZoneName, in: database)
    let start = rules.start(ofDay: date.daysSince1970)
    let end = rules.start(ofDay: date.daysSince1970 + 1)
    guard start < end else { throw .skippedDate(date, zone: timeZoneName) }
    self.init(
      date: date, timeZoneName: timeZoneName, start: rules.localMoment(at: start),
      end: rules.localMoment(at: end).nameable)
  }

  /// The date at a moment by the rules of a given database.
  package static func date(
    at moment: Timestamp, timeZoneName: String, in database: TimeZoneDatabase
  ) throws(Failure) -> CalendarDate {
    let rules = try Self.rules(named: timeZoneName, in: database)
    let offset = rules.offset(at: moment.secondsSince1970)
    let shown = moment.adding(seconds: offset).utc.date
    guard let next = shown.adding(days: 1),
      rules.start(ofDay: next.daysSince1970) <= moment.secondsSince1970
    else { return shown }
    return next
  }

  /// Seconds east of UTC that hold at a moment in the zone (R4).
  ///
  /// - Throws: `Failure.unknownTimeZone` or `Failure.noTimeZoneDatabase`.
  package static func offsetSeconds(
    at moment: Timestamp, timeZoneName: String
  ) throws(Failure) -> Int {
    try rules(named: timeZoneName, in: .current).offset(at: moment.secondsSince1970)
  }

  /// `07:30` by the clock on the wall of the day's zone; without that zone, of the day's start.
  package func clock(_ moment: Timestamp) -> String { local(moment).clock }

  /// A moment as the clocks of the day's zone show it; without that zone, those of the day's start.
  package func local(_ moment: Timestamp) -> LocalMoment {
    let offset = try? Self.offsetSeconds(at: moment, timeZoneName: timeZoneName)
    return LocalMoment(timestamp: moment, offsetSeconds: offset ?? start.offsetSeconds)
  }

  private static func rules(
    named name: String, in database: TimeZoneDatabase
  ) throws(Failure) -> TimeZoneRules {
    guard let rules = database.rules(named: name) else {
      throw database.source == .missing ? .noTimeZoneDatabase : .unknownTimeZone(name)
    }
    return rules
  }

  /// A day read from a document as it stands, unchecked against the database.
  init(date: CalendarDate, timeZoneName: String, start: LocalMoment, end: LocalMoment) {
    (self.date, self.timeZoneName, self.start, self.end) = (date, timeZoneName, start, end)
  }
}

/// One day and the night that ends on it.
package struct DayWindow {
  package let day: ReportingDay
  /// The moments that count for it; where the zone changes, not just the day's.
  package let range: Range<Int>
  /// From 18:00 to 18:00 by the clock on the wall; seconds since 1970.
  package let night: Range<Int>

  package init(day: ReportingDay, range: Range<Int>, night: Range<Int>) {
    (self.day, self.range, self.night) = (day, range, night)
  }

  /// A date of somebody who stays in one zone.
  package init(_ date: CalendarDate, in timeZoneName: String) throws(ReportingDay.Failure) {
    let day = try ReportingDay(date: date, timeZoneName: timeZoneName)
    let (start, end) = (day.start.timestamp, day.end.timestamp)
    let night = try Self.night(endingOn: date) { date throws(ReportingDay.Failure) in
      try Self.evening(of: ReportingDay(date: date, timeZoneName: timeZoneName))
    }
    self.init(
      day: day, range: start.secondsSince1970..<max(start, end).secondsSince1970, night: night)
  }

  /// The night that ends on a date: from the evening of the date before, but for dates that were skipped.
  ///
  /// - Parameters:
  ///   - isOneZone: false if an evening may come after that of a later date.
  ///   - evening: the evening of a date in its zone.
  package static func night(
    endingOn date: CalendarDate, isOneZone: Bool = true,
    evening: (CalendarDate) throws(ReportingDay.Failure) -> Int
  ) throws(ReportingDay.Failure) -> Range<Int> {
    let end = try evening(date)
    guard let before = try previous(of: date, evening) else { return end - 86_400..<end }
    let earlier = isOneZone ? nil : try previous(of: before.date, evening)
    return min(max(before.evening, earlier?.evening ?? .min), end)..<end
  }

  /// The date before, but for one that its zone skipped.
  private static func previous(
    of date: CalendarDate, _ evening: (CalendarDate) throws(ReportingDay.Failure) -> Int
  ) throws(ReportingDay.Failure) -> (date: CalendarDate, evening: Int)? {
    var before = date.adding(days: -1)
    while let candidate = before {
      do {
        return (candidate, try evening(candidate))
      } catch {
        guard case .skippedDate = error else { throw error }
        before = candidate.adding(days: -1)
      }
    }
    return nil
  }

  /// 18:00 by the clock on the wall; the offset there may differ from that of either midnight.
  package static func evening(of day: ReportingDay) throws(ReportingDay.Failure) -> Int {
    let wall = day.date.daysSince1970 * 86_400 + 18 * 3600
    let guess = Timestamp(secondsSince1970: wall - day.end.offsetSeconds)
    let offset = try ReportingDay.offsetSeconds(at: guess, timeZoneName: day.timeZoneName)
    let (first, last) = (day.start.timestamp.secondsSince1970, day.end.timestamp.secondsSince1970)
    return min(max(wall - offset, first), max(first, last))
  }
}

extension DayWindow {
  /// What a person should know of a day that counts other moments than its own.
  package var notes: [String] {
    let start = day.start.timestamp.secondsSince1970
    guard range.lowerBound != start else { return [] }
    let minutes = abs(range.lowerBound - start) / 60
    return [
      range.lowerBound < start
        ? "the first day in \(day.timeZoneName): the \(minutes) minutes since the day before count, too"
        : "the first day in \(day.timeZoneName): its first \(minutes) minutes count for the day before"
    ]
  }
}

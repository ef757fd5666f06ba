import HealthModel

/// The days and nights of a person's time zones, computed once each: rows come by the hundred
/// thousand.
struct ZoneCalendar {
  let zones: ReportingZones
  private var days: [Int: CountedDay] = [:]
  private var evenings: [Int: Int] = [:]

  /// Nil where the time zone database has no such name.
  init?(_ timeZoneName: String) {
    let epoch = Timestamp(secondsSince1970: 0)
    guard (try? ReportingDay.date(at: epoch, timeZoneName: timeZoneName)) != nil else {
      return nil
    }
    zones = ReportingZones(timeZoneName)
  }

  /// - Throws: `SourceError` unknownTimeZone where the database lacks a name.
  init(_ zones: ReportingZones) throws(SourceError) {
    for period in zones.periods where ZoneCalendar(period.name) == nil {
      throw SourceError(
        .unknownTimeZone, "no time zone is named '\(period.name)'",
        remedy: "give an IANA name such as Europe/Berlin")
    }
    self.zones = zones
  }

  /// A date's day and the moments that count for it.
  struct CountedDay {
    let day: ReportingDay
    /// Those of the day that no earlier date has, and those before it that no date has: where the
    /// zone stays the same, the day itself.
    let range: Range<Int>

    var date: CalendarDate { day.date }
    /// The date's first moment in its zone.
    var start: Int { day.start.timestamp.secondsSince1970 }
  }

  /// The day to which a moment belongs.
  mutating func day(at seconds: Int) throws(ReportingDay.Failure) -> CountedDay {
    let near = seconds.dividedDown(by: 86_400)
    for guess in near - 1...near + 1 {
      if let day = days[guess], day.range.contains(seconds) { return day }
    }
    return try day(zones.date(at: Timestamp(secondsSince1970: seconds)))
  }

  /// The day of a date.
  mutating func day(_ date: CalendarDate) throws(ReportingDay.Failure) -> CountedDay {
    if let day = days[date.daysSince1970] { return day }
    let day = try zones.day(date)
    let moments = zones.moments(of: day)
    let range = moments.lowerBound.secondsSince1970..<moments.upperBound.secondsSince1970
    let counted = CountedDay(day: day, range: range)
    days[date.daysSince1970] = counted
    return counted
  }

  /// The night that holds a moment: from 18:00 to 18:00, named by the day in which it ends.
  mutating func night(
    at seconds: Int
  ) throws(ReportingDay.Failure) -> (date: CalendarDate, range: Range<Int>) {
    var last = try day(at: seconds)
    while try seconds >= evening(of: last.date) { last = try day(at: last.range.upperBound) }
    return (last.date, try night(endingOn: last.date))
  }

  /// The nights that an interval touches, at least that of its beginning.
  mutating func nights(
    touching range: Range<Int>
  ) throws(ReportingDay.Failure) -> [(date: CalendarDate, range: Range<Int>)] {
    var nights: [(date: CalendarDate, range: Range<Int>)] = []
    var moment = range.lowerBound
    repeat {
      let night = try night(at: moment)
      nights.append(night)
      moment = max(night.range.upperBound, moment + 1)
    } while moment < range.upperBound
    return nights
  }

  /// The night that ends on a date.
  mutating func night(endingOn date: CalendarDate) throws(ReportingDay.Failure) -> Range<Int> {
    try DayWindow.night(endingOn: date, isOneZone: zones.periods.count == 1) {
      (date) throws(ReportingDay.Failure) in try evening(of: date)
    }
  }

  /// The day of a date and the night that ends on it.
  mutating func window(of date: CalendarDate) throws(ReportingDay.Failure) -> DayWindow {
    let day = try day(date)
    return DayWindow(day: day.day, range: day.range, night: try night(endingOn: date))
  }

  /// The pieces of an interval, each within one day.
  mutating func split(
    _ range: Range<Int>
  ) throws(ReportingDay.Failure) -> [(date: CalendarDate, range: Range<Int>)] {
    var pieces: [(date: CalendarDate, range: Range<Int>)] = []
    var start = range.lowerBound
    while start < range.upperBound {
      let day = try day(at: start)
      let end = min(range.upperBound, day.range.upperBound)
      guard end > start else { break }
      pieces.append((day.date, start..<end))
      start = end
    }
    return pieces
  }

  /// 18:00 by the clock on the wall; the offset there may differ from that of either midnight.
  private mutating func evening(of date: CalendarDate) throws(ReportingDay.Failure) -> Int {
    let key = date.daysSince1970
    if let known = evenings[key] { return known }
    let day = try day(date).day
    let evening = try DayWindow.evening(of: day)
    evenings[key] = evening
    return evening
  }
}

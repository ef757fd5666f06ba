internal import HealthModel

/// The days and nights of one time zone, computed once each: rows come by the hundred thousand.
struct ZoneCalendar {
  let timeZoneName: String
  private var days: [Int: ReportingDay] = [:]
  private var evenings: [Int: Int] = [:]

  /// Nil where the time zone database has no such name.
  init?(_ timeZoneName: String) {
    let epoch = Timestamp(secondsSince1970: 0)
    guard (try? ReportingDay.date(at: epoch, timeZoneName: timeZoneName)) != nil else {
      return nil
    }
    self.timeZoneName = timeZoneName
  }

  /// - Throws: `SourceError` unknownTimeZone where the database has no such name.
  init(named timeZoneName: String) throws(SourceError) {
    guard let calendar = ZoneCalendar(timeZoneName) else {
      throw SourceError(
        .unknownTimeZone, "no time zone is named '\(timeZoneName)'",
        remedy: "give an IANA name such as Europe/Berlin")
    }
    self = calendar
  }

  /// The day that holds a moment.
  mutating func day(at seconds: Int) throws(ReportingDay.Failure) -> ReportingDay {
    let near = seconds.dividedDown(by: 86_400)
    for guess in near - 1...near + 1 {
      if let day = days[guess], day.range.contains(seconds) { return day }
    }
    let moment = Timestamp(secondsSince1970: seconds)
    return try day(ReportingDay.date(at: moment, timeZoneName: timeZoneName))
  }

  /// The day of a date.
  mutating func day(_ date: CalendarDate) throws(ReportingDay.Failure) -> ReportingDay {
    if let day = days[date.daysSince1970] { return day }
    let day = try ReportingDay(date: date, timeZoneName: timeZoneName)
    days[date.daysSince1970] = day
    return day
  }

  /// The night that holds a moment: from 18:00 to 18:00, named by the day in which it ends.
  mutating func night(
    at seconds: Int
  ) throws(ReportingDay.Failure) -> (date: CalendarDate, range: Range<Int>) {
    var last = try day(at: seconds)
    if try seconds >= evening(of: last) { last = try day(at: last.range.upperBound) }
    return (last.date, try night(endingOn: last))
  }

  /// The night that ends on a day.
  mutating func night(endingOn last: ReportingDay) throws(ReportingDay.Failure) -> Range<Int> {
    let first = try day(at: last.range.lowerBound - 1)
    return try evening(of: first)..<evening(of: last)
  }

  /// An hour as clocks show it; the hour that comes twice in autumn is two.
  struct LocalHour: Hashable {
    private let hour: Int
    private let offset: Int

    fileprivate init(_ seconds: Int, offset: Int) {
      (hour, self.offset) = ((seconds + offset).dividedDown(by: 3600), offset)
    }
  }

  /// The hour that holds a moment.
  func localHour(at seconds: Int) throws(ReportingDay.Failure) -> LocalHour {
    let moment = Timestamp(secondsSince1970: seconds)
    return LocalHour(
      seconds,
      offset: try ReportingDay.offsetSeconds(at: moment, timeZoneName: timeZoneName))
  }

  /// The pieces of an interval, each within one day.
  mutating func split(
    _ range: Range<Int>
  ) throws(ReportingDay.Failure) -> [(date: CalendarDate, range: Range<Int>)] {
    try pieces(of: range) { (calendar, second) throws(ReportingDay.Failure) in
      let day = try calendar.day(at: second)
      return (day.date, day.range)
    }
  }

  /// The pieces of an interval, each within one night.
  mutating func splitByNight(
    _ range: Range<Int>
  ) throws(ReportingDay.Failure) -> [(date: CalendarDate, range: Range<Int>)] {
    try pieces(of: range) { (calendar, second) throws(ReportingDay.Failure) in
      try calendar.night(at: second)
    }
  }

  private mutating func pieces(
    of range: Range<Int>,
    by holder: (inout ZoneCalendar, Int) throws(ReportingDay.Failure) -> (CalendarDate, Range<Int>)
  ) throws(ReportingDay.Failure) -> [(date: CalendarDate, range: Range<Int>)] {
    var pieces: [(date: CalendarDate, range: Range<Int>)] = []
    var start = range.lowerBound
    while start < range.upperBound {
      let (date, whole) = try holder(&self, start)
      let end = min(range.upperBound, whole.upperBound)
      guard end > start else { break }
      pieces.append((date, start..<end))
      start = end
    }
    return pieces
  }

  /// 18:00 by the clock on the wall; the offset there may differ from that of either midnight.
  private mutating func evening(of day: ReportingDay) throws(ReportingDay.Failure) -> Int {
    let key = day.date.daysSince1970
    if let known = evenings[key] { return known }
    let wall = key * 86_400 + 18 * 3600
    let guess = Timestamp(secondsSince1970: wall - day.end.offsetSeconds)
    let offset = try ReportingDay.offsetSeconds(at: guess, timeZoneName: timeZoneName)
    let evening = min(max(wall - offset, day.range.lowerBound), day.range.upperBound)
    evenings[key] = evening
    return evening
  }
}

extension ReportingDay {
  /// Seconds since 1970, half-open.
  var range: Range<Int> {
    start.timestamp
      .secondsSince1970..<max(
        start.timestamp.secondsSince1970, end.timestamp.secondsSince1970)
  }
}

extension Int {
  /// The quotient rounded towards minus infinity.
  func dividedDown(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
  }
}

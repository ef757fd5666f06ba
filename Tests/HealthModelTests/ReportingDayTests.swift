import HealthModel
import Testing

/// R3 and R4 on the days that go wrong elsewhere.
@Suite(.unit) struct ReportingDayTests {
  @Test(arguments: [
    ("2026-02-08", "America/Los_Angeles", "2026-02-08T00:00:00-08:00", 24.0),
    ("2025-03-09", "America/Los_Angeles", "2025-03-09T00:00:00-08:00", 23),
    ("2025-11-02", "America/Los_Angeles", "2025-11-02T00:00:00-07:00", 25),
    ("2025-04-06", "Australia/Lord_Howe", "2025-04-06T00:00:00+11:00", 24.5),
    ("2025-10-05", "Australia/Lord_Howe", "2025-10-05T00:00:00+10:30", 23.5),
    // Midnight did not exist: the day begins at one o'clock.
    ("2018-11-04", "America/Sao_Paulo", "2018-11-04T01:00:00-02:00", 23),
    ("2025-09-07", "America/Santiago", "2025-09-07T01:00:00-03:00", 23),
    // Midnight came twice: the day begins at the first.
    ("2018-02-18", "America/Sao_Paulo", "2018-02-18T00:00:00-03:00", 24),
    ("2018-02-17", "America/Sao_Paulo", "2018-02-17T00:00:00-02:00", 25),
    ("2010-11-07", "America/St_Johns", "2010-11-07T00:00:00-02:30", 25),
    ("2010-03-14", "America/St_Johns", "2010-03-14T00:00:00-03:30", 23),
    // The day before a skipped date has its own 24 hours.
    ("2011-12-29", "Pacific/Apia", "2011-12-29T00:00:00-10:00", 24),
    ("2011-12-31", "Pacific/Apia", "2011-12-31T00:00:00+14:00", 24),
    ("2026-01-01", "Asia/Kathmandu", "2026-01-01T00:00:00+05:45", 24),
    ("1969-07-20", "Africa/Monrovia", "1969-07-20T00:00:00-00:44:30", 24),
    ("2026-06-01", "UTC", "2026-06-01T00:00:00+00:00", 24),
    ("0001-01-02", "UTC", "0001-01-02T00:00:00+00:00", 24),
    ("9999-12-30", "Europe/Paris", "9999-12-30T00:00:00+01:00", 24),
  ])
  func `R4: a day begins with its first midnight or the end of the gap`(
    _ date: String, _ zone: String, _ start: String, _ hours: Double
  ) throws {
    let date = try #require(CalendarDate(date))
    let day = try ReportingDay(date: date, timeZoneName: zone)
    #expect(day.start.description == start)
    #expect(day.start == ReportingDay.LocalMoment(start))
    let seconds = day.end.timestamp.secondsSince1970 - day.start.timestamp.secondsSince1970
    #expect(Double(seconds) / 3600 == hours)
  }

  @Test(arguments: ["UTC", "Etc/GMT+12", "Pacific/Kiritimati", "Asia/Kathmandu"])
  func `R4: the last date ends with the last second that a document can name`(
    zone: String
  ) throws {
    let date = try #require(CalendarDate("9999-12-31"))
    let day = try ReportingDay(date: date, timeZoneName: zone)
    #expect(day.end.description.hasPrefix("9999-12-31T23:59:59"))
    #expect(day.end == ReportingDay.LocalMoment(day.end.description))
  }

  @Test func `R4: a date that a zone skipped has no day`() throws {
    let date = try #require(CalendarDate("2011-12-30"))
    #expect(throws: ReportingDay.Failure.skippedDate(date, zone: "Pacific/Apia")) {
      _ = try ReportingDay(date: date, timeZoneName: "Pacific/Apia")
    }
  }

  @Test(arguments: [
    "PST", "GMT+5", "UTC+1", "+02:00", "america/los_angeles", "America/Los_Angeles ", "", "/", "A/",
    "America//Los_Angeles", "../etc/passwd", "Etc/../UTC", "right/UTC", "posix/UTC", "localtime",
    "posixrules", "SystemV/PST8", "Etc/Unknown", "Asia/\u{212A}olkata", "America", "Etc/UTC\0x",
    "America/Los_Angeles\n", "tzdata.zi", "Mars/Olympus",
  ])
  func `R4: only names of the database are zones`(_ name: String) throws {
    let date = try #require(CalendarDate("2026-02-08"))
    #expect(throws: ReportingDay.Failure.unknownTimeZone(name)) {
      _ = try ReportingDay(date: date, timeZoneName: name)
    }
  }

  @Test(arguments: [
    "America/St_Johns", "Pacific/Apia", "America/Sao_Paulo", "Africa/Casablanca", "Europe/Dublin",
    "Asia/Gaza", "Australia/Lord_Howe", "Pacific/Kwajalein", "Antarctica/Troll", "America/Juneau",
  ])
  func `R3: the days of a zone neither overlap nor leave a gap`(_ zone: String) throws {
    var previous: ReportingDay?
    let first = try #require(CalendarDate("1986-01-01"))
    for number in 0..<10_000 {
      let date = try #require(first.adding(days: number))
      guard let day = try? ReportingDay(date: date, timeZoneName: zone) else { continue }
      if let previous { #expect(previous.end == day.start) }
      let last = day.end.timestamp.adding(seconds: -1)
      #expect(try ReportingDay.date(at: day.start.timestamp, timeZoneName: zone) == date)
      #expect(try ReportingDay.date(at: last, timeZoneName: zone) == date)
      previous = day
    }
  }

  @Test(arguments: [
    "2026-02-08T00:00:00-08:00", "2026-02-08T23:59:59+14:00", "1969-07-20T00:00:00-00:44:30",
    "2026-02-08T00:00:00+00:00", "2024-02-29T12:30:01+05:45",
  ])
  func `R3: a local moment is read back as it was written`(_ text: String) throws {
    let moment = try #require(ReportingDay.LocalMoment(text))
    #expect(moment.description == text)
  }

  @Test func `R3: Z is read as the offset of zero`() {
    #expect(
      ReportingDay.LocalMoment("2026-02-08T00:00:00Z")
        == ReportingDay.LocalMoment("2026-02-08T00:00:00+00:00"))
  }

  @Test(arguments: [
    "2026-02-08T00:00:00", "2026-02-08T00:00:00-00:00", "2026-02-08T00:00:00+0100",
    "2026-02-08T00:00:00+1:00", "2026-02-08T00:00:00+24:00", "2026-02-08T00:00:00.0+01:00",
    "2026-02-30T00:00:00+01:00", "2026-02-08 00:00:00+01:00", "2026-02-08T00:00:00ZZ", "",
    "2026-02-08T00:00:00+01:00:00:00", "2026-02-08T00:00:00+01:00 ",
  ])
  func `R3: a local moment of another form is refused`(_ text: String) {
    #expect(ReportingDay.LocalMoment(text) == nil)
  }
}

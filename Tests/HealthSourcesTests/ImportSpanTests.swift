import HealthModel
import HealthSources
import Testing

/// R19: which days of an import are published.
@Suite(.unit) struct ImportSpanTests {
  private func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

  private func days(_ dates: [String], zone: String = "Europe/Berlin") throws -> [DayReadings] {
    try dates.map {
      DayReadings(
        date: try date($0), from: .appleHealthExport, timeZoneName: zone,
        readings: [.steps: .value(1)])
    }
  }

  private func span(
    _ dates: [String], zone: String = "Europe/Berlin", coverage: (String, String)? = nil,
    fillsGaps: Bool = true, exported: String? = nil, now: String? = nil, from: String? = nil,
    to: String? = nil
  ) throws -> ImportSpan {
    let found = try days(dates, zone: zone)
    var source = ImportSpan.Source(zones: ReportingZones(zone))
    source.exportDate = try exported.map(date)
    source.now = try now.map { try #require(Timestamp($0)) }
    if let coverage {
      source.coverage = try date(coverage.0)...date(coverage.1)
    } else if fillsGaps, let first = found.first, let last = found.last {
      source.coverage = first.date...last.date
    }
    return ImportSpan(found, of: source, from: try from.map(date), to: try to.map(date))
  }

  @Test func `R19: a day between others on which nothing was measured is a day without data`()
    throws
  {
    let span = try span(["2024-06-10", "2024-06-13"])
    #expect(
      span.days.map(\.date.description) == [
        "2024-06-10", "2024-06-11", "2024-06-12", "2024-06-13",
      ])
    #expect(span.days.map(\.readings.count) == [1, 0, 0, 1])
    #expect(span.emptyDays == 2 && span.leftOut.isEmpty)
  }

  @Test func `R19: of a source that may just not tell, the dates between stay missing`() throws {
    let span = try span(["2024-06-10", "2024-06-13"], fillsGaps: false)
    #expect(span.days.map(\.date.description) == ["2024-06-10", "2024-06-13"])
    #expect(span.emptyDays == 0)
  }

  @Test func `R19: the day of the export is not over, and left out unless it is asked for`() throws
  {
    let dates = ["2024-06-13", "2024-06-14", "2024-06-15", "2024-06-20"]
    let plain = try span(dates, exported: "2024-06-15")
    #expect(plain.days.map(\.date.description) == ["2024-06-13", "2024-06-14"])
    #expect(plain.leftOut.map(\.reason) == [.exportDay, .afterExport])
    let asked = try span(dates, exported: "2024-06-15", to: "2024-06-30")
    #expect(asked.days.map(\.date.description) == ["2024-06-13", "2024-06-14", "2024-06-15"])
    #expect(asked.leftOut.map(\.reason) == [.afterExport])
    let only = try span(dates, exported: "2024-06-15", from: "2024-06-15", to: "2024-06-15")
    #expect(only.days.map(\.date.description) == ["2024-06-15"])
  }

  @Test func `R19: a day without data before the day of the export is one between two readings`()
    throws
  {
    let span = try span(["2024-06-12", "2024-06-15"], exported: "2024-06-15")
    #expect(span.days.map(\.date.description) == ["2024-06-12", "2024-06-13", "2024-06-14"])
    #expect(span.emptyDays == 2 && span.leftOut.map(\.reason) == [.exportDay])
    // What comes after the export does not count: the clock was wrong, or it is a plan.
    let plan = try self.span(["2024-06-12", "2024-06-20"], exported: "2024-06-15")
    #expect(plan.days.map(\.date.description) == ["2024-06-12"])
  }

  @Test func `dates that were not asked for are counted, in runs of one reason`() throws {
    let span = try span(
      ["2024-01-01", "2024-01-05", "2024-06-10", "2024-06-11", "2024-07-01"], fillsGaps: false,
      from: "2024-06-01", to: "2024-06-30")
    #expect(span.days.map(\.date.description) == ["2024-06-10", "2024-06-11"])
    #expect(span.leftOut.map(\.from.description) == ["2024-01-01", "2024-07-01"])
    #expect(span.leftOut.map(\.to.description) == ["2024-01-05", "2024-07-01"])
    #expect(span.leftOut.map(\.daysWithData) == [2, 1])
    #expect(span.leftOut.allSatisfy { $0.reason == .notAskedFor })
  }

  @Test func `R19: a year without a sample is filled, a longer gap is reported and stays missing`()
    throws
  {
    // 2023 has 365 days, of which 363 lie between its first and its last.
    #expect(try span(["2023-01-01", "2023-12-31"]).emptyDays == 363)
    let longest = try span(["2023-01-01", "2024-01-03"])
    #expect(longest.emptyDays == 366 && longest.leftOut.isEmpty)
    let stray = try span(["1970-01-01", "2023-01-01", "2023-01-02"])
    #expect(stray.days.map(\.date.description) == ["1970-01-01", "2023-01-01", "2023-01-02"])
    #expect(stray.leftOut.map(\.reason) == [.longGap])
    #expect(stray.leftOut.first?.from.description == "1970-01-02")
    #expect(stray.leftOut.first?.to.description == "2022-12-31")
  }

  @Test func `R19: dates that have not begun in any time zone are left out`() throws {
    // The 12th begins at 10:00 UTC of the 11th, at UTC+14.
    let dates = ["2024-06-10", "2024-06-11", "2024-06-12"]
    let before = try span(dates, now: "2024-06-11T09:59:59Z")
    #expect(before.days.map(\.date.description) == ["2024-06-10", "2024-06-11"])
    #expect(before.leftOut.map(\.reason) == [.future])
    #expect(before.leftOut.map(\.daysWithData) == [1])
    let after = try span(dates, now: "2024-06-11T10:00:00Z")
    #expect(after.days.map(\.date.description) == dates && after.leftOut.isEmpty)
    // Somebody who insists has no clock to be held against.
    #expect(try span(dates).days.count == 3)
  }

  @Test
  func `R19: of all that a source has, each date is published once or left out with a reason`()
    throws
  {
    let dates = [
      "1970-01-01", "2024-06-10", "2024-06-13", "2024-06-15", "2024-06-16", "2031-01-01",
    ]
    let span = try span(dates, exported: "2024-06-15")
    let published = span.days.map(\.date)
    #expect(published == Set(published).sorted())
    #expect(
      published.map(\.description) == [
        "1970-01-01", "2024-06-10", "2024-06-11", "2024-06-12", "2024-06-13", "2024-06-14",
      ])
    #expect(span.leftOut.map(\.reason) == [.longGap, .exportDay, .afterExport])
    let leftOut = span.leftOut.map(\.daysWithData).reduce(0, +)
    #expect(leftOut + span.days.filter { !$0.readings.isEmpty }.count == dates.count)
    for date in published {
      #expect(!span.leftOut.contains { $0.from <= date && date <= $0.to }, "\(date)")
    }
  }

  @Test func `R4: a date that the zone skipped is not filled`() throws {
    let span = try span(["2011-12-28", "2012-01-01"], zone: "Pacific/Apia")
    #expect(
      span.days.map(\.date.description) == [
        "2011-12-28", "2011-12-29", "2011-12-31", "2012-01-01",
      ])
  }

  @Test func `without a day with readings no day is made`() throws {
    #expect(try span([]).days.isEmpty)
    #expect(try span([], exported: "2024-06-15").leftOut.isEmpty)
  }

  @Test func `of dates asked for, those that the export reaches are days without data`() throws {
    // Only the days asked for were counted; the export's samples reach further on both sides.
    let wide = ("2024-05-01", "2024-06-14")
    let span = try span(
      ["2024-06-11"], coverage: wide, exported: "2024-06-15", from: "2024-06-10", to: "2024-06-12")
    #expect(span.days.map(\.date.description) == ["2024-06-10", "2024-06-11", "2024-06-12"])
    let none = try self.span([], coverage: wide, from: "2024-06-10", to: "2024-06-10")
    #expect(none.days.map(\.date.description) == ["2024-06-10"])
    #expect(try self.span([], coverage: wide, from: "2024-06-15", to: "2024-06-16").days.isEmpty)
    #expect(try self.span([], coverage: wide, from: "2024-04-01", to: "2024-04-30").days.isEmpty)
    // Not after the export, whatever a wrong clock has dated.
    let late = try self.span(
      ["2024-06-14"], coverage: ("2024-06-14", "2031-01-01"), exported: "2024-06-15",
      from: "2024-06-14", to: "2024-06-20")
    #expect(late.days.map(\.date.description) == ["2024-06-14", "2024-06-15"])
  }
}

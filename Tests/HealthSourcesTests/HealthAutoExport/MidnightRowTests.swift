import HealthModel
import HealthSources
import Testing

/// Rows at midnight that may be whole days or the hour after midnight (R18).
@Suite(.unit) struct MidnightRowTests {
  private func payload(_ hours: [(hour: Int, number: Int)], day: String = "20") -> String {
    let rows = hours.map { hour, number in
      Payloads.row("2026-11-\(day) \(hour < 10 ? "0" : "")\(hour):00:00 +0100", "\(number)")
    }
    return Payloads.export([("step_count", "count", rows)])
  }

  private func numbers(
    _ texts: [String], _ metric: DailyMetric = .steps
  ) throws -> [String: Double?] {
    var series = try PayloadSeries(timeZoneName: "Europe/Berlin")
    for text in texts { try series.add(SourceDocument(parsing: Array(text.utf8))) }
    return try series.result().numbers(metric)
  }

  private let hours = (0...10).map { (hour: $0, number: 100) }

  @Test func `R18: the hour after midnight in a payload of its own hides no other hour`() throws {
    #expect(try numbers([payload(hours)]) == ["2026-11-20": 1100])
    // An automation that runs each hour: the first payload of the day has that hour alone.
    #expect(try numbers(hours.map { payload([$0]) }) == ["2026-11-20": 1100])
    #expect(try numbers(hours.reversed().map { payload([$0]) }) == ["2026-11-20": 1100])
  }

  @Test func `R18: the hour after midnight counts once, in whatever payloads it comes`() throws {
    #expect(try numbers([payload([(0, 50)]), payload(hours)]) == ["2026-11-20": 1100])
    #expect(try numbers([payload(hours), payload([(0, 50)])]) == ["2026-11-20": 1100])
  }

  @Test func `R18: a whole day counts instead of hours that come to no more`() throws {
    let rest = payload(Array(hours.dropFirst()))
    #expect(try numbers([rest, payload([(0, 1000)])]) == ["2026-11-20": 1000])
    #expect(try numbers([payload([(0, 1200)]), rest]) == ["2026-11-20": 1200])
  }

  @Test func `R18: the total of a day so far is not added to hours that exceed it`() throws {
    let later = (7...19).map { payload([($0, 500)]) }
    #expect(try numbers([payload([(0, 5000)])] + later) == ["2026-11-20": 6500])
    #expect(try numbers(later + [payload([(0, 5000)])]) == ["2026-11-20": 6500])
    // As much as one of the others: an hour.
    #expect(try numbers(later + [payload([(0, 500)])]) == ["2026-11-20": 7000])
  }

  @Test func `R18: a row at midnight is a whole day where its payload has the day beside it`()
    throws
  {
    let days = Payloads.export([
      (
        "step_count", "count",
        [
          Payloads.row("2026-11-19 00:00:00 +0100", "70"),
          Payloads.row("2026-11-20 00:00:00 +0100", "80"),
        ]
      ), ("flights_climbed", "count", [Payloads.row("2026-11-20 00:00:00 +0100", "3")]),
    ])
    let flights = Payloads.export([
      (
        "flights_climbed", "count",
        [
          Payloads.row("2026-11-20 08:00:00 +0100", "4"),
          Payloads.row("2026-11-20 09:00:00 +0100", "5"),
        ]
      )
    ])
    #expect(try numbers([days, payload(hours)]) == ["2026-11-19": 70, "2026-11-20": 80])
    #expect(
      try numbers([days, flights], .flightsClimbed) == ["2026-11-19": nil, "2026-11-20": 3])
  }

  @Test func `R18: averages come from the hours, and extremes from all rows`() throws {
    func pulse(_ hour: Int, _ least: Int, _ mean: Int, _ most: Int) -> String {
      let date = "2026-11-20 0\(hour):00:00 +0100"
      let row =
        #"{"date":"\#(date)","Min":\#(least),"Avg":\#(mean),"Max":\#(most),"source":"Watch"}"#
      return Payloads.export([("heart_rate", "count/min", [row])])
    }
    let texts = [pulse(0, 44, 50, 60), pulse(8, 60, 70, 90), pulse(9, 70, 80, 120)]
    #expect(try numbers(texts, .heartRateMinimum) == ["2026-11-20": 44])
    #expect(try numbers(texts, .heartRateMaximum) == ["2026-11-20": 120])
    #expect(try numbers(texts, .heartRateMean) == ["2026-11-20": 75])
  }

  @Test func `R19: a payload has the days on which its rows begin, and what reaches into them`()
    throws
  {
    func moment(_ day: Int, _ hour: Int = 0) -> Int { 1_793_401_200 + day * 86_400 + hour * 3600 }
    // The 23rd, the 20th and the evening before it, in an order of their own.
    let rows = [
      Payloads.span("2026-11-23 09:00:00 +0100", "2026-11-23 10:00:00 +0100", "10"),
      Payloads.span("2026-11-19 23:00:00 +0100", "2026-11-20 01:00:00 +0100", "40"),
      Payloads.span("2026-11-20 10:00:00 +0100", "2026-11-20 11:00:00 +0100", "10"),
    ]
    let days = try Payloads.days(Payloads.export([("step_count", "count", rows)])).days
    #expect(days.map { $0.readings[.steps]?.number } == [20, 30, 10])
    let moments = try #require(days.first?.moments)
    for (day, reach) in [
      (18, moment(18)..<moment(18)), (19, moment(19, 23)..<moment(21)),
      (20, moment(19, 23)..<moment(21)), (21, moment(21)..<moment(21)),
      (23, moment(23)..<moment(24)),
    ] { #expect(moments.reach(in: moment(day)..<moment(day + 1)) == reach, "\(day)") }
  }
}

import HealthModel
import StoreTesting
import Testing

@testable import HealthSources

/// A capture that is read alone says on each day what it says when it is read for that day (R55).
@Suite(.unit) struct CaptureRowsTests {
  private static let zone = "Europe/Berlin"
  private static let metrics = Set(DailyMetric.allCases)

  /// A row of one of several kinds, right or wrong, of one of a few days.
  private static func row(_ name: String, _ random: inout SplitMix64) -> String {
    let day = 1 + random.below(6)
    let minute = 10 + random.below(50)
    let time = "2026-03-0\(day) \(10 + random.below(12)):\(minute):00 +0100"
    let midnight = "2026-03-0\(day) 00:00:00 +0\(1 + random.below(2))00"
    let source = random.pick(["Watch", "Phone", "Scale", "Watch|Phone"])
    let number = 1 + random.below(90)
    switch random.below(12) {
    case 0: return #"{"date":"\#(time)","qty":"\#(number)","source":"\#(source)"}"#
    case 1: return #"{"date":"\#(midnight)","qty":\#(number),"source":"\#(source)"}"#
    case 2: return #"{"date":"2026-03-\#(random.pick(["08", "15", "22"])) 00:00:00 +0100","qty":3}"#
    default: break
    }
    switch name {
    case "heart_rate":
      return
        #"{"date":"\#(time)","Min":\#(number),"Avg":\#(number + 1),"Max":\#(number + 9),"source":"\#(source)"}"#
    case "sleep_analysis":
      if random.chance(3) {
        return
          #"{"date":"\#(midnight)","totalSleep":\#(number % 9),"inBed":9,"core":1,"source":"\#(source)","sleepEnd":"\#(time)","sleepStart":"2026-03-0\#(day) 09:00:00 +0100"}"#
      }
      return
        #"{"startDate":"2026-03-0\#(day) 0\#(random.below(5)):10:00 +0100","endDate":"2026-03-0\#(day) 06:\#(minute):00 +0100","value":"\#(random.pick(["Core", "Deep", "REM", "Awake"]))","source":"\#(source)"}"#
    default:
      let end = random.chance(3) ? #","endDate":"2026-03-0\#(day) 23:10:00 +0100""# : ""
      return #"{"date":"\#(time)","qty":\#(number),"source":"\#(source)"\#(end)}"#
    }
  }

  private static func daily(_ random: inout SplitMix64) -> String {
    let (day, number) = (1 + random.below(6), random.below(90))
    let source = random.pick(["Watch", "Phone"])
    return
      #"{"date":"2026-03-0\#(day) 00:00:00 +0100","qty":\#(number),"source":"\#(source)"}"#
  }

  private static func payload(_ random: inout SplitMix64) throws -> JSONValue {
    let units = [
      "step_count": "count", "heart_rate": "count/min", "weight_body_mass": "kg",
      "sleep_analysis": "hr", "dietary_water": "mL", "active_energy": "kcal",
      "apple_stand_hour": "count", "push_count": "none",
    ]
    let metrics = units.keys.sorted().filter { _ in random.below(3) > 0 }.map { name in
      // Rows of whole days alone, or of all sorts.
      let isDaily = random.chance(4)
      let rows = (0..<1 + random.below(12)).map { _ in
        isDaily ? daily(&random) : row(name, &random)
      }
      let names = #""name":"\#(name)","units":"\#(units[name] ?? "")""#
      return #"{\#(names),"data":[\#(rows.joined(separator: ","))]}"#
    }
    return try JSONValue(
      parsing: Array(#"{"data":{"metrics":[\#(metrics.joined(separator: ","))]}}"#.utf8))
  }

  @Test func `R49: what is kept of a capture takes no more memory than its rows`() throws {
    let rows = (0..<5000).map { number in
      let (hour, minute) = (10 + number / 60 % 12, 10 + number % 50)
      let date = "2026-03-0\(1 + number % 6) \(hour):\(minute):00 +0100"
      return #"{"date":"\#(date)","Min":50,"Avg":60.5,"Max":\#(number)}"#
    }
    let names = #""name":"heart_rate","units":"count/min""#
    let text = #"{"data":{"metrics":[{\#(names),"data":[\#(rows.joined(separator: ","))]}]}}"#
    let root = try JSONValue(parsing: Array(text.utf8))
    let read = try CaptureRows(
      parts: [root], rowLength: .day, in: ReportingZones(Self.zone), metrics: Self.metrics)
    #expect((15_000 * 32...15_000 * 32 + 10_000).contains(read.cost), "\(read.cost)")
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `R55: captures that are read alone say what they say one after the other`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var captures: [(root: JSONValue, rowLength: RowLength?)] = []
    for _ in 0..<1 + random.below(4) {
      captures.append((try Self.payload(&random), random.pick([nil, .day, .lessThanDay])))
    }
    let read = try captures.map {
      try CaptureRows(
        parts: [$0.root], rowLength: $0.rowLength, in: ReportingZones(Self.zone),
        metrics: Self.metrics)
    }
    var numbers = 0
    for day in 1...6 {
      let date = try #require(CalendarDate("2026-03-0\(day)"))
      var options = PayloadOptions()
      options.metrics = Self.metrics
      var direct = HealthAutoExport(
        calendar: try ZoneCalendar(ReportingZones(Self.zone)), options: options, on: date)
      var faults = 0
      for capture in captures {
        direct.rowLength = capture.rowLength
        direct.add(parts: [capture.root])
        faults += direct.problems.count
        direct.forgetProblems()
      }
      var taken = try PayloadDay(date, in: ReportingZones(Self.zone), metrics: Self.metrics)
      for capture in read { taken.add(capture, capturedAt: .last) }
      #expect(taken.misfit == direct.misfit)
      let expected = try direct.figures(on: date)
      let figures = try taken.figures()
      #expect(figures.raw == expected.raw && figures.dayRows == expected.dayRows, "\(date)")
      #expect(figures.unsupported == expected.unsupported)
      #expect(figures.notes.prefix(expected.notes.count) == expected.notes[...])
      #expect(read.reduce(0) { $0 + $1.faults } == faults)
      numbers += figures.raw.count + figures.dayRows.count
    }
    #expect(numbers > 0)
  }
}

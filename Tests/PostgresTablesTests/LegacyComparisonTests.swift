import HealthExports
import HealthModel
import Testing

@testable import PostgresTables

@Suite(.unit)
struct LegacyComparisonTests {
  private typealias Row = LegacyComparison.Row

  private func day(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

  private func seconds(_ text: String) throws -> Int {
    try #require(Timestamp(text)).secondsSince1970
  }

  /// Two dates; the zone of rows is one hour ahead of UTC.
  private func comparison() throws -> LegacyComparison {
    LegacyComparison(try day("2026-01-14")...day("2026-01-15"), tolerance: 0.01) { row in
      Timestamp(secondsSince1970: row.moment + 3600).utcDate
    }
  }

  private func words(_ comparison: LegacyComparison) -> [String] {
    comparison.differences.map {
      "\($0.kind.rawValue) \($0.date) \($0.type) \($0.reason.rawValue) \($0.legacy) \($0.own)"
    }
  }

  @Test
  func `R56: fewer rows of a day and type, and numbers that are too far apart, are differences`()
    throws
  {
    var comparison = try comparison()
    let midnight = try seconds("2026-01-15T00:00:00Z")
    let local = try seconds("2026-01-14T23:00:00Z")
    func row(_ moment: Int, _ type: String, _ value: Double?) -> Row {
      Row(moment: moment, timeZoneName: "Europe/Berlin", type: type, value: value)
    }
    comparison.compare(
      .metrics,
      legacy: [
        row(local, "a", 100), row(local, "b", 100), row(midnight, "c", 1), row(midnight, "d", nil),
        row(midnight + 86_400, "outside", 1),
      ],
      own: [
        // A midnight of UTC is its own date; another moment has that of its zone.
        row(midnight, "a", 101), row(midnight, "b", 102), row(midnight - 86_400, "c", 1),
        row(midnight, "d", 7), row(midnight, "more than before", 1),
      ])
    #expect(
      words(comparison) == [
        "metrics 2026-01-15 b value 100.0 102.0", "metrics 2026-01-15 c fewer 1.0 0.0",
      ])
    #expect(comparison.legacyRows == 4)
    #expect(comparison.ownRows == 5)
  }

  @Test func `R56: periods of sleep are counted by stage, however the older tables spell it`()
    throws
  {
    var comparison = try comparison()
    let end = try seconds("2026-01-15T06:30:00Z")
    func rows(_ values: [String]) -> [Row] {
      values.map { Row(moment: end, timeZoneName: nil, type: $0, value: 1) }
    }
    comparison.compare(
      .sleep, legacy: rows(["Core", "core", "REM", "In Bed", "Asleep"]),
      own: rows(["asleepCore", "asleepREM", "inBed", "asleepUnspecified", "asleepDeep"]))
    #expect(words(comparison) == ["sleep 2026-01-15 asleepCore fewer 2.0 1.0"])
  }
}

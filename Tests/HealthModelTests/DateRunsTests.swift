import HealthModel
import Testing

/// Dates in runs of neighbours.
@Suite(.unit) struct DateRunsTests {
  private func runs(_ texts: String...) throws -> [String] {
    let dates = try texts.map { try #require(CalendarDate($0)) }
    return DateRuns(dates).runs.map { "\($0.first)/\($0.last)/\($0.count)" }
  }

  @Test func `neighbours are one run, over the ends of months and years, and a gap ends it`() throws
  {
    #expect(try runs() == [])
    #expect(try runs("2024-02-28") == ["2024-02-28/2024-02-28/1"])
    #expect(
      try runs("2023-12-31", "2024-01-01", "2024-02-28", "2024-02-29", "2024-03-01", "2024-03-03")
        == ["2023-12-31/2024-01-01/2", "2024-02-28/2024-03-01/3", "2024-03-03/2024-03-03/1"])
  }

  @Test func `a date that comes twice counts once`() throws {
    #expect(
      try runs("2024-06-01", "2024-06-01", "2024-06-02") == ["2024-06-01/2024-06-02/2"])
  }
}

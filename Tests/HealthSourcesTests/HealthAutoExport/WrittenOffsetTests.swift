import HealthModel
import HealthSources
import Testing

/// Whether payloads were written in the zone of the days (R19).
@Suite(.unit) struct WrittenOffsetTests {
  private func misfit(_ dates: [String], in zone: String) throws -> OffsetMisfit? {
    let rows = dates.map { Payloads.row($0, "1000") }
    let text = Payloads.export([("step_count", "count", rows)])
    return try SourceDocument.days(from: Array(text.utf8), in: ReportingZones(parsing: zone)).misfit
  }

  @Test func `R19: rows at another offset than the zone's are reported, the first of them`() throws
  {
    let found = try misfit(
      ["2026-11-20 07:00:00 +0800", "2026-11-21 07:00:00 +0800"], in: "UTC")
    #expect(found?.offset == 28_800 && found?.own == 0 && found?.timeZoneName == "UTC")
    #expect(found?.date.description == "2026-11-20")
    #expect(
      found?.description
        == "rows are written at UTC+08:00 (the first on 2026-11-20), where UTC was at UTC+00:00")
    // Whole days, too: the document would name the beginning of the day.
    #expect(try misfit(["2026-11-20 00:00:00 +0800"], in: "UTC") != nil)
  }

  @Test(arguments: ["Asia/Singapore", "Australia/Perth"])
  func `R19: a zone that has the offset fits, whatever its name`(zone: String) throws {
    #expect(try misfit(["2026-11-20 07:00:00 +0800"], in: zone) == nil)
  }

  @Test func `R19: offsets are looked at by their moment, in summer and winter`() throws {
    let year = ["2026-01-20 07:00:00 +0100", "2026-07-20 07:00:00 +0200"]
    #expect(try misfit(year, in: "Europe/Berlin") == nil)
    #expect(try misfit(year, in: "Africa/Lagos")?.offset == 7200)
    let move = ["2026-01-20 07:00:00 +0100", "2026-03-20 07:00:00 -0400"]
    #expect(try misfit(move, in: "Europe/Berlin")?.offset == -14_400)
    #expect(try misfit(move, in: "Europe/Berlin, America/New_York@2026-03-02") == nil)
  }

  @Test func `R19: zones that have the offsets of all rows are proposed`() throws {
    let east = try misfit(["2026-11-20 07:00:00 +0800"], in: "UTC")
    #expect(east?.fitting == ["Asia/Shanghai", "Asia/Singapore", "Asia/Manila", "Australia/Perth"])
    #expect(
      east?.unset().hasSuffix(
        "; Asia/Shanghai, Asia/Singapore, Asia/Manila or Australia/Perth would "
          + "fit, among others") == true)
    let year = try misfit(
      ["2026-01-20 07:00:00 +0100", "2026-07-20 07:00:00 +0200"], in: "UTC")
    #expect(year?.fitting == ["Europe/Berlin", "Europe/Paris"])
    let nowhere = try misfit(
      ["2026-01-20 07:00:00 +0130", "2026-07-20 07:00:00 -0930"], in: "UTC")
    #expect(nowhere?.fitting == [] && nowhere?.unset().hasSuffix("UTC+00:00") == true)
  }

  @Test func `R19: one offset throughout fits if the zone has it at the newest moment`() throws {
    let summer = ["2026-01-20 07:00:00 +0200", "2026-07-20 07:00:00 +0200"]
    #expect(try misfit(summer, in: "Europe/Berlin") == nil)
    #expect(try misfit(summer.reversed(), in: "Europe/Athens") != nil)
  }

  @Test func `R19: a date in UTC or without a time does not show a zone`() throws {
    #expect(try misfit(["2026-11-20T07:00:00Z"], in: "Asia/Singapore") == nil)
    #expect(try misfit(["2026-11-20"], in: "Asia/Singapore") == nil)
    #expect(try misfit(["2026-11-20 07:00:00 +0000"], in: "Asia/Singapore") != nil)
  }
}

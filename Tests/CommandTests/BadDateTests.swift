import Foundation
import TestSupport
import Testing

/// Dates, zones and ranges that are not valid.
@Suite(.process) struct BadDateTests {
  let program: Program

  init() throws { program = try Program() }

  static let dates = [
    "2026-02-30", "2026-2-8", "", "20260208", "tomorrow", "08.02.2026", "0000-01-01",
  ]

  @Test(arguments: TestDepth.one(of: 2, dates))
  func `a wrong date is refused by every command (R1)`(date: String) async throws {
    for command in [
      ["put", "--input", "-", "--date", date], ["get", date],
      ["put", "--input", "-", "--from", "2026-02-08", "--to", date],
      ["verify", "--from", date, "--to", "2026-02-08"],
      ["verify", "--from", "2026-02-08", "--to", date],
    ] {
      let error = try await program.refuses(
        command, input: payload(), saying: "\"\(date)\" is not a valid date", "today, yesterday")
      #expect(error["rule"] as? String == "R1")
    }
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test(
    arguments: TestDepth.one(
      of: 2, ["Mars/Phobos", "GMT+5", "PST", "europe/berlin", "../../etc/passwd", "Europe"]))
  func `an unknown time zone is refused by every command (R4)`(zone: String) async throws {
    for command in [
      ["put", "--input", "-"], ["put", "--input", "-", "--date", "2026-02-08"],
      ["get", "today"], ["get", "2026-02-08"],
      ["verify", "2026-02-08"],
    ] {
      let error = try await program.refuses(
        command + ["--timezone", zone], input: payload(),
        saying: "the time zone database has no \"\(zone)\"", "Europe/Berlin")
      #expect(error["rule"] as? String == "R4")
    }
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `a day that the reporting zone skipped can't be published (R4)`() async throws {
    try await program.refuses(
      ["put", "--input", "-", "--timezone", "Pacific/Apia"], input: payload("2011-12-30"),
      saying: "2011-12-30", "Pacific/Apia")
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `a range that ends before it begins is refused (R33)`() async throws {
    for command in [["verify"], ["put", "--input", "-"]] {
      try await program.refuses(
        command + ["--from", "2026-02-08", "--to", "2026-02-01"], input: payload(),
        saying: "begins on 2026-02-08, after its end on 2026-02-01", "older date first")
    }
  }

  @Test func `a range of more than 366 days needs to be allowed (R33)`() async throws {
    try await program.put(payload())
    let year = ["verify", "2026-01-01..2027-01-01"]
    #expect(try await program.run(year).output.contains("366 days: 1 complete, 365 missing"))
    let longer = ["verify", "--from", "2026-01-01", "--to", "2027-01-02"]
    try await program.refuses(longer, saying: "367 days; at most 366 are allowed", "--max-days 367")
    try await program.run(
      longer + ["--max-days", "367"], ends: 1, printing: "367 days: 1 complete, 366 missing")
    try await program.refuses(
      ["verify", "2026-01-01..2026-01-03", "--max-days", "2"],
      saying: "3 days; at most 2 are allowed")
  }

  @Test func `a date without data is reported as no data in every way (R40)`() async throws {
    try await program.put(payload())
    try await program.fails(
      ["get", "2026-02-09"], as: .dataNotFound,
      saying: "no data for 2026-02-09", "health/v0/data/2026/02/09/", "s3health put")
    try await program.fails(
      ["get", "2026-02-09", "--history"], as: .dataNotFound, saying: "no data")
    try await program.fails(
      ["get", "2026-02-08", "--revision", "20260101T000000Z-ABCDEF"], as: .dataNotFound,
      saying: "20260101T000000Z-ABCDEF")
    let error = try await program.refuses(
      ["get", "2026-02-08", "--revision", "latest"],
      saying: "\"latest\" is not a revision id", "--history")
    #expect(error["rule"] as? String == "R6")
  }
}

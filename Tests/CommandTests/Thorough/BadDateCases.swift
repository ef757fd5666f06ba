import Foundation
import TestSupport
import Testing

/// Further dates, zones and ranges that are not valid.
extension BadDateTests {
  @Test func `a zone from the environment or the configuration file is checked as well`()
    async throws
  {
    var program = try Program()
    defer { program.removeHome() }
    program.environment["S3HEALTH_TIMEZONE"] = "Atlantis/Center"
    try await program.fails(
      ["get"], as: .invalidArguments, saying: "Atlantis/Center", "--timezone")
    let doctor = try await program.run("doctor")
    #expect(doctor.exitCode == 64)
    #expect(doctor.output.contains("Atlantis/Center"))
    program.environment["S3HEALTH_TIMEZONE"] = ""
    _ = try program.file(".config/s3health/config", Array("timezone = Lemuria/East\n".utf8))
    try await program.fails(["get"], as: .invalidArguments, saying: "Lemuria/East")
  }

  @Test func `a date that the input does not hold has no data, and nothing is stored`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let file = try program.file("day.json", payload())
    try await program.fails(
      ["put", "--input", file, "--date", "2026-02-09"], as: .dataNotFound,
      saying: file, "holds 2026-02-08", "--date all")
    try await program.fails(
      ["put", "--input", file, "--from", "2026-03-01", "--to", "2026-03-31"], as: .dataNotFound,
      saying: "holds 2026-02-08")
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `no bound is named that would be refused (R33)`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let ever = ["--from", "0001-01-01", "--to", "9999-12-31"]
    for command in [["verify"], ["report", "--html", "-"], ["put", "--input", "-"]] {
      let run = try await program.run(command + ever, input: payload())
      #expect(run.exitCode == 64)
      #expect(run.errors.contains("3652059 days; at most"), "\(run.errors)")
      #expect(!run.errors.contains("--max-days"), "\(run.errors)")
    }
  }

  @Test func `the last date of the calendar is published, and verify finds it sound (R1, R4)`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    for (date, zone) in [
      ("9999-12-31", "Etc/GMT+12"), ("9999-12-31", "Pacific/Kiritimati"), ("0001-01-01", "UTC"),
    ] {
      try await program.succeeds(
        ["put", "--input", "-", "--timezone", zone, "--allow-future", "--allow-past"],
        input: payload(date))
      let verify = try await program.succeeds(["verify", "--from", date, "--to", date])
      let summary =
        date > "9000" ? "0 complete, 1 so far (not over), 1 warning" : "1 complete"
      #expect(verify.output.contains("1 day: \(summary)\n"), "\(verify.output)")
    }
  }
}

import Foundation
import TestSupport
import Testing

/// R64: what the settings of a person decide in commands.
@Suite(.process) struct PersonSettingsTests {
  /// 25 hours apart, so that today is never the same date in both.
  static let (early, late) = ("Pacific/Kiritimati", "Pacific/Pago_Pago")

  /// A store with two people, and no zone set on this machine but TZ.
  func program() async throws -> Program {
    var program = try Program().withoutZone()
    program.environment["S3HEALTH_STORE"] = try program.folder("shared").path
    program.environment["TZ"] = "Etc/UTC"
    try await program.succeeds([
      "people", "add", "eve", "--timezone", Self.early, "--units", "lb", "--goals", "steps=8000",
    ])
    try await program.succeeds(["people", "add", "lou", "--timezone", Self.late])
    return program
  }

  func lines(_ run: Program.Run) throws -> [[String: Any]] {
    try run.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// An export with 100 steps after midnight in UTC, which is the day before in New York.
  private func export(_ program: Program) throws -> String {
    try program.export(
      made: "2026-01-03 12:00:00 +0000",
      [SmallExport.record("StepCount", 100, from: "2026-01-02 02:00:00 +0000")])
  }

  @Test func `R64 an import counts days in the person's own zone, unless one is given`()
    async throws
  {
    let program = try await program()
    defer { program.removeHome() }
    try await program.succeeds(["people", "set", "lou", "--timezone", "America/New_York"])
    let command = ["import", try export(program), "--dry-run", "-o", "json", "--person", "lou"]
    let seen = try await program.succeeds(command).json()
    #expect(seen["timezone"] as? String == "America/New_York")
    #expect(
      (seen["results"] as? [[String: Any]])?.map { $0["date"] as? String } == ["2026-01-01"])
    let given = try await program.succeeds(command + ["--timezone", "Europe/Berlin"]).json()
    #expect(given["timezone"] as? String == "Europe/Berlin")
    var configured = program
    configured.environment["S3HEALTH_TIMEZONE"] = "Asia/Tokyo"
    #expect(try await configured.succeeds(command).json()["timezone"] as? String == "Asia/Tokyo")
  }

  @Test func `R64 invalid settings make no day, and do not stop other people`() async throws {
    let program = try await program()
    defer { program.removeHome() }
    let shared = program.home.appending(path: "shared")
    try Data(#"{"format":"person_settings.v0","units":"furlongs"}"#.utf8)
      .write(to: shared.appending(path: "people/eve/settings.json"))
    let before = try contents(of: shared)
    for command in [
      ["import", try export(program)], ["import", try export(program), "--timezone", "Etc/UTC"],
      ["put", "--date", "2026-01-02", "--input", try program.file("day.json", payload())],
    ] {
      try await program.fails(
        command + ["--person", "eve"], as: .invalidArguments, saying: "the settings of eve")
    }
    #expect(try contents(of: shared) == before)
    try Data(#"{"format":"person_settings.v0","timezone":"Mars/X"}"#.utf8)
      .write(to: shared.appending(path: "people/eve/settings.json"))
    for command in [["import", try export(program)], ["get", "yesterday"]] {
      try await program.fails(
        command + ["--person", "eve"], as: .invalidArguments,
        saying: "the settings of eve", "Mars/X", "s3health people set eve --timezone")
    }
    let folder = program.home.appending(path: "pages").path
    let run = try await program.run([
      "report", "--people", "2d", "--out", folder, "-o", "json",
    ])
    #expect(try lines(run).map { $0["result"] as? String } == ["failed", "ok"])
    #expect(run.exitCode == 64)
  }
}

/// The same, to a real gateway.
@Suite(.process, .prometheus) struct PersonPushTests {
  @Test func `R64, R57: the pushes of two people from one machine do not replace each other`()
    async throws
  {
    let servers = try PrometheusServers.shared()
    var program = try Program()
    defer { program.removeHome() }
    program.environment["S3HEALTH_STORE"] = try program.folder("shared").path
    let people = [(id: "ann-\(UUID())".lowercased(), 111), ("bob-\(UUID())".lowercased(), 222)]
    for (id, steps) in people {
      try await program.succeeds(
        ["put", "--date", "today", "--input", "-", "--person", id],
        input: Array(#"{"metrics":{"steps":\#(steps)}}"#.utf8))
      try await program.succeeds([
        "push", "--gateway", servers.gateway, "--person", id, "--replace",
      ])
    }
    for (id, steps) in people {
      let own = try await servers.pushed(instance: id)
      #expect(
        own.contains(#"healthkit_steps_total{source="all",unit="count"} \#(steps)"#), "\(own)")
    }
  }
}

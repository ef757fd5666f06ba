import Foundation
import TestSupport
import Testing

/// Further corrections of a zone (R19).
extension ZoneCorrectionTests {
  @Test func `R19: a number taken away does not hide an older export's number`() async throws {
    let program = try Program().withoutZone()
    // In the right zone, the payload has no data for 2026-02-05.
    let rows = Self.rows.replacing("2026-02-05 21:00:00", with: "2026-02-06 06:00:00")
    let payload = try program.file("p.json", rows)
    let export = try program.export(
      made: "2026-02-07 20:00:00 +0800",
      [SmallExport.record("StepCount", 80, from: "2026-02-05 12:00:00 +0800")])
    for zone in ["Etc/UTC", "Asia/Singapore"] {
      _ = try await program.succeeds(["import", payload, "--timezone", zone])
    }
    #expect(try await program.steps("2026-02-05") == nil)
    _ = try await program.succeeds(["import", export, "--timezone", "Asia/Singapore"])
    #expect(try await program.steps("2026-02-05") == 80)
  }

  @Test func `R19: a number that a wrong zone put on an earlier date is taken away`() async throws {
    let program = try Program().withoutZone()
    let file = try program.export(
      made: "2026-02-07 20:00:00 +0800",
      [
        SmallExport.record("StepCount", 1000, from: "2026-02-05 07:00:00 +0800"),
        SmallExport.record("StepCount", 200, from: "2026-02-06 12:00:00 +0800"),
        SmallExport.record("StepCount", 30, from: "2026-02-07 07:00:00 +0800"),
      ])
    _ = try await program.succeeds(["import", file, "--timezone", "Etc/UTC"])
    #expect(try await program.steps("2026-02-04") == 1000)
    #expect(try await program.steps("2026-02-06") == 230)
    let run = try await program.succeeds(
      ["import", file, "--timezone", "Asia/Singapore"],
      saying: "2026-02-04: steps: counted here in another zone before")
    #expect(!run.errors.contains("They stay as they are"))
    #expect(try await program.steps("2026-02-04") == nil)
    #expect(try await program.steps("2026-02-05") == 1000)
    #expect(try await program.steps("2026-02-06") == 200)
  }

  @Test(arguments: [#"exec "$@" < "$SOURCE""#, #"cat "$SOURCE" | "$@""#])
  func `R19 a source on stdin takes numbers away between its own`(script: String) async throws {
    var program = try Program().withoutZone()
    // When it was written is not known. It has steps before that date and after it, and none of it.
    let rows = Self.rows.replacing(
      #""data":[{"date":"2026-02-06"#,
      with: #""data":[{"date":"2026-02-04 07:00:00 +0800","qty":500},{"date":"2026-02-06"#)
    let file = try program.file("p.json", rows)
    program.environment["SOURCE"] = file
    let piped = program.inShell(script)
    for command in [["import", "-"], ["put", "--date", "all", "--input", "-"]] {
      _ = try await program.succeeds(["import", file, "--timezone", "Etc/UTC", "--force"])
      #expect(try await program.steps("2026-02-05") == 1000)
      try await piped.succeeds(command + ["--timezone", "Asia/Singapore"], printing: "taken away")
      #expect(try await program.steps("2026-02-05") == nil)
      #expect(try await program.steps("2026-02-06") == 1000)
    }
  }

  @Test func `R19 a live view takes numbers away as an import does`() async throws {
    let program = try Program().withoutZone()
    // 01:00 in Tokyo is the day before in UTC.
    let (before, moved) = (date(3), date(2))
    let rows = """
      {"data":{"metrics":[
      {"name":"step_count","units":"count","data":[{"date":"\(moved) 01:00:00 +0900","qty":1000}]},
      {"name":"weight_body_mass","units":"kg","data":[{"date":"\(before) 12:00:00 +0900","qty":70}]}
      ]}}
      """
    let file = try program.file("p.json", rows)
    _ = try await program.succeeds(["import", file, "--timezone", "Etc/UTC"])
    #expect(try await program.steps(before) == 1000)
    let run = try await program.run([
      "watch", file, "--once", "--publish", "--timezone", "Asia/Tokyo",
    ])
    #expect(run.exitCode == 66, "nothing of today: \(run.errors)")
    #expect(try await program.steps(before) == nil, "\(run)")
    #expect(try await program.number("weight", before) == 70)
    #expect(try await program.steps(moved) == 1000)
  }

  @Test func `R19 a zone that this machine does not know holds nothing back`() async throws {
    let program = try Program().withoutZone()
    let file = try program.file("p.json", Self.rows)
    _ = try await program.succeeds(["import", file, "--timezone", "Etc/UTC"])
    let folder = program.defaultStore.appending(path: "health/v0/data/2026/02/05/revisions")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    let revision = folder.appending(path: name)
    let text = try String(contentsOf: revision, encoding: .utf8)
    let digest = try #require(text.range(of: #""digest":"[^"]*","#, options: .regularExpression))
    try text.replacingCharacters(in: digest, with: "").replacing("Etc/UTC", with: "Mars/Olympus")
      .write(to: revision, atomically: true, encoding: .utf8)
    _ = try await program.succeeds(["import", file, "--timezone", "Asia/Singapore"])
    let day = try await program.day("2026-02-05")
    #expect((day["day"] as? [String: Any])?["timezone"] as? String == "Asia/Singapore")
  }
}

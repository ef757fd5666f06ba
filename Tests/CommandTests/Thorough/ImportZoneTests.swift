import Foundation
import TestSupport
import Testing

/// Zones of an import: those of a person who moved, and those that nobody gave.
@Suite(.process) struct ImportZoneTests {
  private struct Truth: Decodable {
    let timezone: String
    let steps: Double
    let start: String
    let end: String
  }

  private static let moves = "Europe/Paris, America/New_York@2024-03-02, Europe/Paris@2024-03-21"

  @Test func `R4: who moves has the days of each place, and a correction holds`() async throws {
    let program = try Program().withoutZone().asOneCollector()
    let file = program.home.path + "/export.xml"
    let truth = try JSONDecoder().decode(
      [String: Truth].self, from: Data(await PeerPython.run("moved_export.py", arguments: [file])))
    try await program.succeeds(
      ["import", file], saying: "Europe/Paris until 2024-03-01, America/New_York from 2024-03-02",
      "--timezone America/New_York@2024-03-02")
    let seen = try await program.succeeds(["import", file, "--dry-run", "--output", "json"]).json()
    #expect(seen["timezone"] as? String == Self.moves)
    #expect((seen["timezones"] as? [[String: Any]])?.count == 3)
    let results = try #require(seen["results"] as? [[String: Any]])
    #expect(results.count == truth.count)
    for result in results {
      let date = try #require(result["date"] as? String)
      let metrics = result["metrics"] as? [String: Any]
      #expect(metrics?["steps"] as? Double == truth[date]?.steps, "\(date)")
      #expect(result["outcome"] as? String == "would_be_unchanged", "\(date)")
    }
    for date in ["2024-03-01", "2024-03-02", "2024-03-20", "2024-03-21"] {
      let day = try await program.day(date)["day"] as? [String: String]
      #expect(day?["timezone"] == truth[date]?.timezone)
      #expect(day?["start"] == truth[date]?.start)
      #expect(day?["end"] == truth[date]?.end)
    }
    // The days overlap or leave a gap where the zone changes: that breaks no rule.
    try await program.succeeds(["verify", "2024-02-15..2024-04-05"])
    try await corrected(program, file)
  }

  /// The configuration file outranks the evidence, and a flag the file.
  private func corrected(_ program: Program, _ file: String) async throws {
    let asked = ["--timezone", "Europe/Paris", "--timezone", "Asia/Tokyo@2024-03-10"]
    try await program.succeeds(
      ["import", file, "--dry-run"] + asked,
      saying: "config set timezone \"Europe/Paris, Asia/Tokyo@2024-03-10\"")
    let part = try await program.succeeds(
      ["import", file, "--dry-run", "--timezone", "Asia/Tokyo", "--from", "2024-03-10"],
      saying: "set timezone \"Europe/Paris, America/New_York@2024-03-02, Asia/Tokyo@2024-03-10\"")
    #expect(!part.errors.contains("set timezone Asia/Tokyo"))
    _ = try program.file(
      ".config/s3health/config", "timezone = Europe/Paris, Asia/Tokyo@2024-03-10\n")
    try await program.succeeds(["import", file])
    let day = try await program.day("2024-03-10")["day"] as? [String: String]
    #expect(day?["timezone"] == "Asia/Tokyo")
    let again = try await program.succeeds(["import", file, "--output", "json"]).json()
    #expect(again["timezone"] as? String == "Europe/Paris, Asia/Tokyo@2024-03-10")
    #expect(again["timezone_reason"] as? String == "given")
    #expect((again["counts"] as? [String: Int])?.keys.sorted() == ["unchanged"])
    try await program.refuses(
      ["import", file, "--timezone", "Europe/Paris", "--timezone", "Asia/Tokyo"],
      saying: "Asia/Tokyo", "America/New_York@2024-03-02")
  }

  /// Three days of an export that names no zone, and was made in Paris.
  private static let unnamed = SmallExport.bytes(
    made: "2024-04-10 20:30:00 +0200",
    ["2024-02-20", "2024-03-10", "2024-04-05"].map {
      SmallExport.record("StepCount", 5, from: "\($0) 14:00:00 +0200", to: "\($0) 14:05:00 +0200")
    })

  static let newYork = "America/New_York@2024-03-02"

  @Test(
    arguments: [
      (["Europe/Paris", newYork], [], "Europe/Paris, \(newYork)"),
      (["Asia/Tokyo"], [], "Asia/Tokyo"),
      (["Asia/Tokyo"], ["--to", "2024-04-10"], "Asia/Tokyo"),
      (["America/New_York"], ["--from", "2024-03-02"], "Europe/Paris, \(newYork)"),
      (
        ["America/New_York"], ["--from", "2024-03-02", "--to", "2024-03-20"],
        "Europe/Paris, \(newYork), Europe/Paris@2024-03-21"
      ),
      (["Europe/Paris"], [], nil),
    ] as [([String], [String], String?)])
  func `R4: zones that later imports would not use are named with how to keep them`(
    zones: [String], dates: [String], kept: String?
  ) async throws {
    var program = try Program().withoutZone()
    program.environment["TZ"] = "Europe/Paris"
    let file = try program.file("export.xml", Self.unnamed)
    let flags = zones.flatMap { ["--timezone", $0] }
    let run = try await program.succeeds(["import", file, "--dry-run"] + flags + dates)
    guard let kept else {
      #expect(!run.errors.contains("timezone"))
      return
    }
    #expect(
      run.errors.contains(
        "imports without --timezone use Europe/Paris; to keep \(kept) for later imports: "
          + "s3health config set timezone \"\(kept)\""), "\(run.errors)")
  }

  @Test func `R4: zones that the settings name already need no advice`() async throws {
    var program = try Program().withoutZone()
    let file = try program.file("export.xml", Self.unnamed)
    let flags = ["--timezone", "Europe/Paris", "--timezone", Self.newYork]
    _ = try program.file(".config/s3health/config", "timezone = Europe/Paris, \(Self.newYork)\n")
    let same = try await program.succeeds(["import", file] + flags)
    #expect(!same.errors.contains("configuration file"))
    // The variable outranks the file.
    program.environment["S3HEALTH_TIMEZONE"] = "Europe/Paris"
    try await program.succeeds(
      ["import", file] + flags, saying: "set S3HEALTH_TIMEZONE to \"Europe/Paris, \(Self.newYork)\""
    )
  }

  @Test func `R4: a machine's zone that contradicts the export is reported`() async throws {
    var program = try Program().withoutZone()
    program.environment["TZ"] = "Europe/Berlin"
    let file = try program.export(
      made: "2024-06-15 20:30:00 +0900",
      [SmallExport.record("StepCount", 5, from: "2024-06-10 10:00:00 +0900")])
    try await program.succeeds(
      ["import", file], saying: "UTC+09:00", "Europe/Berlin was at UTC+02:00")
    let named = try await program.succeeds(["import", file, "--timezone", "Asia/Tokyo"])
    #expect(!named.errors.contains("UTC+09:00"))
  }

  @Test func `R19: payloads of another zone than an unset machine's are refused`() async throws {
    var program = try Program().withoutZone()
    program.environment["TZ"] = "UTC"
    let file = try program.file(
      "folder/p.json", stepPayload(#"{"date":"2026-02-06 07:00:00 +0800","qty":1000}"#))
    let folder = program.home.path + "/folder"
    for command in [
      ["import", file], ["import", folder], ["put", "--input", file], ["put", "--input", folder],
      ["collect", "--input", file],
    ] {
      _ = try await program.refuses(
        command, saying: "UTC+08:00 (the first on 2026-02-06)", "--timezone", "config set timezone")
    }
    let table = try await program.run(["export", "csv", "--input", file])
    #expect(table.exitCode != 0 && table.errors.contains("UTC+08:00"), "\(table.errors)")
    #expect(
      try await program.run(["ls", "--output", "json"]).output.firstRange(of: "2026-") == nil)
    let named = try await program.succeeds(["import", file, "--timezone", "Asia/Singapore"])
    #expect(!named.errors.contains("UTC+08:00"))
    #expect(try await program.day("2026-02-06")["date"] as? String == "2026-02-06")
    // Who has set a zone hears of it once.
    let other = try await program.succeeds(
      ["import", folder, "--dry-run", "--timezone", "Europe/Berlin"])
    #expect(other.errors.components(separatedBy: "UTC+08:00").count == 2)
  }
}

import Foundation
import TestSupport
import Testing

/// Further inputs of `put`, and what it says.
extension PutSelectionTests {
  @Test func `an undated input needs a date`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let undated = Array(#"{"metrics": {"steps": 1}}"#.utf8)
    for arguments in [[], ["--date", "all"]] {
      try await program.fails(
        ["put", "--input", "-"] + arguments, input: undated, as: .invalidArguments,
        saying: "date")
    }
    let run = try await put(program, ["--date", "2026-02-08"], undated)
    #expect(try dates(run, "published") == ["2026-02-08"])
  }

  @Test func `R4 who moved names each zone with its first day, as in import`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let file = try program.export(
      made: "2024-06-15 20:30:00 +0200",
      [
        SmallExport.record("StepCount", 1, from: "2024-03-01 10:00:00 +0100"),
        SmallExport.record("StepCount", 3, from: "2024-03-03 10:00:00 -0500"),
      ])
    let (first, later) = ("Europe/Paris", "America/New_York@2024-03-02")
    let ways = [["--timezone", first, "--timezone", later], ["--timezone", "\(first), \(later)"]]
    for (number, zones) in ways.enumerated() {
      let store = ["--store", try program.folder("store \(number)").path]
      let run = try await program.succeeds(
        ["put", "--date", "all", "--input", file, "-o", "json"] + zones + store)
      #expect(try dates(run, "published") == ["2024-03-01", "2024-03-02", "2024-03-03"])
      for (date, zone) in [("2024-03-01", first), ("2024-03-03", "America/New_York")] {
        let day = try await program.day(date, store)["day"] as? [String: String]
        #expect(day?["timezone"] == zone, "\(date)")
      }
    }
    let help = try await program.succeeds(["put", "--help"]).output
    #expect(help.contains("--timezone America/New_York@2024-03-02"), "\(help)")
    let wrong = ["put", "--input", file, "--timezone", first, "--timezone", "Asia/Tokyo"]
    try await program.fails(wrong, as: .invalidArguments, saying: "Asia/Tokyo")
  }

  @Test func `unused parts of an input are reported on stderr, or in the document`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let input = Array(
      #"{"date": "2026-02-08", "mood": "good", "metrics": {"steps": 1}}"#.utf8)
    let text = try await program.succeeds(["put", "--input", "-"], input: input)
    #expect(text.errors.contains("note: ") && text.errors.contains("mood"), "\(text.errors)")
    #expect(!text.output.contains("mood"))
    let document = try await put(program, [], input)
    let notes = try #require(try document.json()["notes"] as? [String])
    #expect(notes.contains { $0.contains("mood") })
  }

  @Test func `a revision that get has printed can be put elsewhere`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    _ = try await put(program, [], payload())
    let get = try await program.succeeds(["get", "2026-02-08", "--output", "json"])
    let other = try program.folder("other").path
    let copied = try await put(program, ["--store", other], Array(get.output.utf8))
    #expect(try dates(copied, "published") == ["2026-02-08"])
  }
}

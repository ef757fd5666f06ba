import Foundation
import TestSupport
import Testing

/// R35: what `verify` reports where there is far too much to report.
@Suite(.process) struct VerifyVolumeTests {
  @Test
  func `R35 errors and the only note of its kind are kept before fifty thousand notes`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    for day in 1...4 {
      try await program.succeeds(["put", "--input", "-"], input: payload("2026-02-0\(day)"))
    }
    let data = program.defaultStore.appending(path: "health/v0/data/2026/02")
    for number in 0..<50_005 {
      let path = data.appending(path: "01/stray-\(number)").path
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
    }
    // The last days' revisions break a rule, after more notes than are kept.
    for day in 2...4 { try spoil(data, day) }
    try FileManager.default.removeItem(at: data.appending(path: "04/latest.json"))
    let verify = ["verify", "--from", "2026-02-01", "--to", "2026-02-04"]
    let run = try await program.run(verify + ["--output", "json"])
    #expect(run.exitCode == 1)
    let document = try run.json()
    let findings = try #require(document["findings"] as? [[String: Any]])
    #expect(findings.count == 50_000)
    func count(_ code: String) -> Int { findings.count { $0["code"] as? String == code } }
    #expect(count("unit_mismatch") == 3 && count("pointer_missing") == 1)
    // What was spoilt fails its digest, too.
    #expect(count("digest_differs") == 3)
    #expect(document["findings_omitted"] as? Int == 12)
    #expect(
      document["findings_omitted_by_severity"] as? [String: Int]
        == ["error": 0, "warning": 0, "note": 12])
  }

  @Test func `R35 text shows the first findings of a kind, and counts the rest`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    for day in 1...4 {
      try await program.succeeds(["put", "--input", "-"], input: payload("2026-02-0\(day)"))
    }
    let data = program.defaultStore.appending(path: "health/v0/data/2026/02")
    for number in 0..<27 {
      let path = data.appending(path: "01/stray-\(number)").path
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
    }
    for day in 2...4 { try spoil(data, day) }
    let text = try await program.run(["verify", "--from", "2026-02-01", "--to", "2026-02-04"])
    #expect(text.exitCode == 1)
    for day in 2...4 {
      let line = "error    2026-02-0\(day)  unit_mismatch [R9]"
      #expect(text.output.contains(line), "\(text.output)")
    }
    #expect(text.output.components(separatedBy: "  foreign_object [R5]").count == 21)
    #expect(text.output.contains("and 7 more of foreign_object"), "\(text.output)")
    #expect(text.output.contains("lists every finding"))
    #expect(text.output.contains("use this revision anyway"))
    // And readers are answered with it.
    #expect(try await program.succeeds(["get", "2026-02-03"]).output.contains("8,432"))
  }

  @Test func `text shows no character that a terminal obeys, and bounds each kind`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let folder = try program.folder("store")
    try PlantedStore(from: PlantedDate(number: 20_100), days: 3, seed: 5).write(to: folder)
    let day = PlantedDate(number: 20_101)
    for name in ["bell\u{7}\u{1B}[31m.txt", "line\nbreak"] {
      let file = folder.appending(path: "health/v0/data/\(day.path)/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data([1]).write(to: file)
    }
    let run = try await program.run(
      ["verify", "--from", day.text, "--to", day.text, "--store", folder.path])
    #expect(run.output.contains("bell\\u{7}\\u{1b}[31m.txt"))
    #expect(run.output.contains("line\\u{a}break"))
    #expect(!run.output.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
  }

  /// Gives the unit of the day's steps another name.
  private func spoil(_ data: URL, _ day: Int) throws {
    let folder = data.appending(path: "0\(day)/revisions")
    let name = try #require(try contents(of: folder).keys.first)
    let file = folder.appending(path: name)
    let text = try String(contentsOf: file, encoding: .utf8)
    try Data(text.replacing(#""steps":"count""#, with: #""steps":"steps""#).utf8).write(to: file)
  }
}

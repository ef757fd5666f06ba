import Foundation
import TestSupport
import Testing

/// What `put` reads where its command line names no input (docs/SETTINGS.md).
@Suite(.process) struct SourceSettingTests {
  /// The dates that a put without an input has published.
  private func published(_ program: Program, _ arguments: [String]) async throws -> [String] {
    let run = try await program.succeeds(["put", "-o", "json"] + arguments)
    let results = try run.results()
    return results.filter { $0["outcome"] as? String == "published" }
      .compactMap { $0["date"] as? String }
  }

  @Test func `put --date today takes the configured source`() async throws {
    let program = try Program()
    _ = try program.file("in/today.json", #"{"metrics": {"steps": 7}}"#)
    // A relative path is one from the configuration file's folder.
    let config = try program.file(".config/s3health/config", "source = ../../in/today.json\n")
    #expect(try await published(program, ["--date", "today"]).count == 1)
    #expect(try await program.steps("today") == 7)
    let doctor = try await program.succeeds(["doctor", "-o", "json"]).json()
    let settings = try #require(doctor["settings"] as? [[String: String]])
    let shown = settings.first { $0["setting"] == "source" }
    #expect(shown?["origin"] == config && shown?["value"]?.hasSuffix("in/today.json") == true)
    let checks = try #require(doctor["checks"] as? [[String: Any]])
    #expect(checks.first { $0["name"] as? String == "source" }?["outcome"] as? String == "ok")
  }

  @Test func `a source is a payload, a folder of them or an export, by its content`() async throws {
    var program = try Program()
    let payload = try String(
      contentsOf: ProjectTree.root.appending(path: "Examples/payloads/health-auto-export.json"),
      encoding: .utf8)
    _ = try program.file("in/folder/day 1.json", Array(payload.utf8))
    _ = try program.file(".config/s3health/config", "source = ~/in/folder\n")
    #expect(try await published(program, ["--date", "2026-02-07"]) == ["2026-02-07"])
    let file = try program.file("in/payload", Array(payload.utf8))
    program.environment["S3HEALTH_SOURCE"] = file
    #expect(try await published(program, ["--date", "2026-02-08"]) == ["2026-02-08"])
    let export = try await GeneratedExport(program, ["--days", "3"])
    program.environment["S3HEALTH_SOURCE"] = export.zip
    let date = try #require(export.dates.first)
    #expect(try await published(program, ["--date", date]) == [date])
    // What the command line names goes before it.
    let input = try program.file("in/other.json", #"{"metrics": {"steps": 7}}"#)
    #expect(
      try await published(program, ["--date", "2026-03-01", "--input", input]) == ["2026-03-01"])
  }

  @Test func `R64: a source that belongs to another person is named as such`() async throws {
    let program = try Program()
    let input = try program.file("in.json", #"{"metrics": {"steps": 7}}"#)
    for (owner, line) in [("ann", "person = ann\n"), ("nobody", "")] {
      let config = try program.file("\(owner).config", "\(line)source = \(input)\n")
      for command in [["collect"], ["put", "--date", "today"], ["watch"]] {
        try await program.refuses(
          command + ["--config", config, "--person", "bob"],
          saying: "the `source` in \(config) belongs to \(owner), not to bob", "`person = bob`",
          "S3HEALTH_SOURCE")
      }
    }
  }

  @Test func `--input takes an export by its content, as the source does`() async throws {
    let program = try Program()
    let export = try await GeneratedExport(program, ["--days", "3"])
    let date = try #require(export.dates.first)
    let files = FileManager.default
    let zipped = try program.folder("in/zipped")
    try files.copyItem(atPath: export.zip, toPath: zipped.path + "/export.zip")
    let unpacked = try program.folder("in/unpacked")
    let inner = try program.folder("in/unpacked/apple_health_export")
    try files.copyItem(atPath: export.xml, toPath: inner.path + "/export.xml")
    // The name says nothing.
    let nameless = program.home.path + "/in/health"
    try files.copyItem(atPath: export.zip, toPath: nameless)
    let inputs = [export.zip, export.xml, nameless, zipped.path, unpacked.path, inner.path]
    for (number, input) in inputs.enumerated() {
      let store = ["--store", try program.folder("store \(number)").path]
      #expect(
        try await published(program, ["--date", date, "--input", input] + store) == [date],
        "\(input)")
    }
  }

  @Test func `without a source all ways are named, of a wrong one its origin`() async throws {
    var program = try Program()
    let config = program.home.appending(path: ".config/s3health/config").path
    try await program.refuses(
      ["put", "--date", "today"], saying: "--input",
      "S3HEALTH_SOURCE", "source = PATH", config)
    program.environment["S3HEALTH_SOURCE"] = "/nowhere/at all"
    try await program.refuses(
      ["put", "--date", "today"], saying: "/nowhere/at all does not exist",
      "S3HEALTH_SOURCE")
    let doctor = try await program.run("doctor")
    #expect(doctor.exitCode == 64 && doctor.output.contains("failed   source: "))
  }
}

import Foundation
import TestSupport
import Testing

/// Further sources of an import, and how its days are chosen.
extension ImportCommandTests {
  @Test func `put --input publishes one date, and says which there are`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let file = try program.file(
      "export.xml", export(steps("2024-06-12", 100), steps("2024-06-14", 300)))
    let run = try await program.succeeds([
      "put", "--date", "2024-06-13", "--input", file, "--output", "json",
    ])
    #expect(try outcomes(run) == ["2024-06-13": "published"], "a day between others has no data")
    try await program.fails(
      ["put", "--input", file], as: .invalidArguments,
      saying: "holds 3 days, 2024-06-12 to 2024-06-14", "--date all")
    try await program.fails(
      ["put", "--date", "2024-06-11", "--input", file], as: .dataNotFound,
      saying: "2024-06-12 to 2024-06-14")
    let all = try await program.succeeds([
      "put", "--date", "all", "--input", file, "--output", "json",
    ])
    #expect(
      try outcomes(all) == [
        "2024-06-12": "published", "2024-06-13": "unchanged", "2024-06-14": "published",
      ])
  }

  @Test func `only the dates asked for are published`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let dates = (10...14).map { "2024-06-\($0)" }
    let records = dates.map { steps($0, 100) }.joined(separator: "\n")
    let file = try program.file("export.xml", export(records))
    let some = try await program.succeeds([
      "import", file, "--from", "2024-06-12", "--to", "2024-06-13", "--output", "json",
    ])
    #expect(try outcomes(some) == ["2024-06-12": "published", "2024-06-13": "published"])
    let from = try await program.succeeds([
      "import", file, "--from", "2024-06-13", "--output", "json",
    ])
    #expect(try outcomes(from) == ["2024-06-13": "unchanged", "2024-06-14": "published"])
    try await program.fails(
      ["import", file, "--from", "2020-01-01", "--to", "2020-12-31"], as: .dataNotFound,
      saying: file)
  }

  @Test func `an export comes through a pipe as XML, and as a zip from a file alone`() async throws
  {
    let program = try Program().withoutZone()
    defer { program.removeHome() }
    let generated = try await GeneratedExport(program, ["--days", "3"])
    let xml = Array(try Data(contentsOf: URL(filePath: generated.xml)))
    // A real pipe: nothing can be read twice.
    let run = try await program.inShell("cat | \"$@\"").succeeds(
      ["import", "-", "--output", "json"], input: xml)
    #expect(Set(try outcomes(run).values) == ["published"])
    #expect(try run.json()["source"] as? String == "stdin")
    let zip = "cat '\(generated.zip)'"
    try await program.inShell("\(zip) | \"$@\"").fails(
      ["import", "-"], as: .invalidArguments, saying: "a zip can't be read from a pipe",
      "save it in a file")
    let file = try await program.inShell("\"$@\" <'\(generated.zip)'").succeeds(
      ["import", "-", "--output", "json"])
    #expect(Set(try outcomes(file).values) == ["unchanged"])
  }

  @Test func `what a shell pipes is read from stdin, and a pipe with a name is not`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let records = (10...14).map { steps("2024-06-\($0)", 100) }.joined(separator: "\n")
    let source = try program.file("export.xml", export(records))
    let example = ProjectTree.root.appending(path: "Examples/payloads/health-auto-export.json")
    for (file, count) in [(source, 5), (example.path, 3)] {
      let run = try await program.inShell("cat '\(file)' | \"$@\" /dev/stdin").succeeds(
        ["import", "--dry-run", "--output", "json"])
      #expect(try outcomes(run).count == count, "\(run.output)")
    }
    try await program.inShell("rm -f \"$HOME/pipe\"; mkfifo \"$HOME/pipe\"; \"$@\" \"$HOME/pipe\"")
      .fails(
        ["import"], as: .invalidArguments, saying: "is not a file", "give -")
    let put = try await program.inShell("cat '\(source)' | \"$@\" /dev/stdin").succeeds(
      ["put", "--date", "2024-06-12", "--input"])
    #expect(put.output.hasPrefix("published"))
    let standardInput = try await program.inShell("cat '\(source)' | \"$@\"").succeeds(
      ["put", "--date", "2024-06-12", "--input", "-"])
    #expect(standardInput.output.hasPrefix("unchanged"), "\(standardInput.output)")
  }

  @Test func `an export of its own day alone says how that day is had`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let file = try program.file("export.xml", export(steps("2024-06-15", 50)))
    try await program.fails(
      ["import", file], as: .dataNotFound, saying: "2024-06-15, the day of the export",
      "--to 2024-06-15")
    let asked = try await program.succeeds(["import", file, "--to", "2024-06-15", "-o", "json"])
    #expect(try outcomes(asked) == ["2024-06-15": "published"])
  }

  @Test func `a payload of Health Auto Export comes through a pipe, too`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let payload = try Data(
      contentsOf: ProjectTree.root.appending(path: "Examples/payloads/health-auto-export.json"))
    let run = try await program.inShell("cat | \"$@\"").succeeds(
      ["import", "-", "--output", "json"], input: Array(payload))
    #expect(try run.json()["kind"] as? String == "health_auto_export")
    #expect(try outcomes(run).count == 3)
  }

  @Test func `put takes several payloads, in the order given`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    func payload(_ steps: Int) -> [UInt8] {
      Array(
        """
        {"data":{"metrics":[{"name":"step_count","units":"count","data":\
        [{"date":"2026-02-08 10:00:00 +0100","qty":\(steps),"source":"Watch"}]}]}}
        """.utf8)
    }
    let noon = try program.file("noon.json", payload(300))
    let night = try program.file("night.json", payload(700))
    try await program.succeeds(["put", "--input", noon, "--input", night])
    #expect(try await steps(of: "2026-02-08", program) == 700)
    let other = try Program()
    defer { other.removeHome() }
    try await other.succeeds(["put", "--input", night, "--input", noon])
    #expect(try await steps(of: "2026-02-08", other) == 300)
  }
}

import Foundation
import TestSupport
import Testing

/// `verify --output junit|sarif`, read by other people's tools.
@Suite(.process) struct VerifyFormatTests {
  private struct JUnit: Decodable {
    struct Result: Decodable {
      let kind: String
      let type: String?
      let message: String?
      let text: String
    }
    struct Case: Decodable {
      let output: String
      let results: [Result]
    }
    let counts: [String: Int]
    let cases: [String: Case]
  }

  private struct SARIF: Decodable {
    struct Result: Decodable, Hashable {
      let code: String
      let level: String
      let uri: String
      let pointer: String
      let suppressed: Bool
    }
    let faults: [String]
    let results: [Result]
    let successful: [Bool]
    let hasResults: [Bool]

    enum CodingKeys: String, CodingKey {
      case faults, results, successful
      case hasResults = "has_results"
    }
  }

  private func junit(_ run: Program.Run) async throws -> JUnit {
    let output = try await PeerPython.run(
      "read_reports.py", arguments: ["junit"], input: Array(run.output.utf8))
    return try JSONDecoder().decode(JUnit.self, from: Data(output))
  }

  private func sarif(_ run: Program.Run) async throws -> SARIF {
    let output = try await PeerPython.run(
      "read_reports.py", arguments: ["sarif"], input: Array(run.output.utf8))
    return try JSONDecoder().decode(SARIF.self, from: Data(output))
  }

  /// A store with faults of every kind, and strangers with names that want escaping.
  private func planted(_ program: Program) throws -> (store: PlantedStore, command: [String]) {
    let store = PlantedStore(from: PlantedDate(number: 20_100), days: 200, seed: 5)
    let folder = try program.folder("a folder & more")
    try store.write(to: folder)
    for name in ["<&\"'>%20é.json", "bell\u{7}\u{1B}[31m.txt", "line\nbreak"] {
      let file = folder.appending(path: "health/v0/data/\(store.days[180].date.path)/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data([1]).write(to: file)
    }
    let last = try #require(store.days.last)
    return (
      store,
      [
        "verify", "--from", store.days[0].date.text, "--to", last.date.text, "--deep", "--store",
        folder.path,
      ]
    )
  }

  private func findings(_ run: Program.Run) throws -> [[String: Any]] {
    try #require(try run.json()["findings"] as? [[String: Any]])
  }

  @Test func `JUnit has a case for each date that fails where something counts`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let (store, command) = try planted(program)
    let json = try await program.run(command + ["--output", "json"])
    let run = try await program.run(command + ["--output", "junit"])
    #expect(run.exitCode == 1 && json.exitCode == 1)
    let report = try await junit(run)
    #expect(report.cases.count == store.days.count + 1)
    let findings = try findings(json)
    for day in store.days {
      let ours = findings.filter { $0["date"] as? String == day.date.text }
      let errors = ours.filter { $0["severity"] as? String == "error" }
      let found = try #require(report.cases[day.date.text])
      #expect(found.results.map(\.kind) == (errors.isEmpty ? [] : ["Failure"]))
      for finding in ours {
        let isError = finding["severity"] as? String == "error"
        let text = isError ? found.results.first?.text : found.output
        let code = try #require(finding["code"] as? String)
        #expect(text?.contains(" \(code) [") == true, "\(day.date.text) \(code)")
      }
    }
    #expect(report.counts["failures"] == report.cases.values.count { !$0.results.isEmpty })
    let strange = report.cases[store.days[180].date.text]?.output ?? ""
    #expect(strange.contains("<&\"'>%20é.json") && strange.contains("bell\\u{7}\\u{1b}[31m.txt"))
  }

  @Test func `JUnit counts warnings where they count, and skips missing dates that are allowed`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    try await program.succeeds(
      ["put", "--input", "-"], input: payload(steps: 0))
    let command = [
      "verify", "--from", "2026-02-07", "--to", "2026-02-08", "--allow-missing", "--output",
      "junit",
    ]
    let lenient = try await program.run(command)
    #expect(lenient.exitCode == 0)
    let report = try await junit(lenient)
    #expect(report.counts == ["tests": 3, "failures": 0, "errors": 0, "skipped": 1])
    #expect(report.cases["2026-02-07"]?.results.map(\.kind) == ["Skipped"])
    #expect(report.cases["2026-02-08"]?.output.contains("suspicious_zero") == true)
    let strict = try await program.run(command + ["--strict"])
    #expect(strict.exitCode == 1)
    let counted = try await junit(strict)
    #expect(counted.cases["2026-02-08"]?.results.map(\.type) == ["suspicious_zero"])
    // What lies outside the days has a case of its own.
    let old = try await junit(try await program.run(command + ["--max-age", "1s"]))
    #expect(old.cases["2026-02-07 to 2026-02-08"] != nil)
  }

  @Test func `SARIF has the shape of 2_1_0, a rule for each code and a result for each finding`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let (_, command) = try planted(program)
    let json = try await program.run(command + ["--output", "json"])
    let run = try await program.run(command + ["--output", "sarif"])
    #expect(run.exitCode == 1)
    let log = try await sarif(run)
    #expect(log.faults.isEmpty, "\(log.faults.prefix(5))")
    #expect(log.successful == [true])
    let folder = program.home.appending(path: "a folder & more").path
    let expected = try findings(json).map { finding in
      func text(_ name: String) -> String { finding[name] as? String ?? "" }
      return SARIF.Result(
        code: text("code"), level: text("severity"), uri: "file://\(folder)/" + text("key"),
        pointer: text("pointer"), suppressed: false)
    }
    #expect(log.results == expected)
    #expect(expected.count > 200)
  }

  @Test func `SARIF suppresses missing dates that are allowed`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    try await program.succeeds(["put", "--input", "-"], input: payload())
    let run = try await program.succeeds([
      "verify", "--from", "2026-02-07", "--to", "2026-02-08", "--allow-missing", "--output",
      "sarif",
    ])
    let log = try await sarif(run)
    #expect(log.faults.isEmpty)
    #expect(log.results.map(\.suppressed) == [true])
  }

  @Test func `a failed run is reported in both formats, and has no results`() async throws {
    let program = try Program().onHostile().sendingOnce()
    defer { program.removeHome() }
    let command = [
      "verify", "--from", "2026-02-07", "--to", "2026-02-08", "--store", "s3://bucket",
      "--endpoint-url", "http://127.0.0.1:1", "--output",
    ]
    let first = try await program.run(command + ["junit"])
    #expect(first.exitCode == 69)
    let report = try await junit(first)
    #expect(report.counts == ["tests": 1, "failures": 0, "errors": 1, "skipped": 0])
    #expect(report.cases["verify"]?.results.map(\.type) == ["STORAGE_UNAVAILABLE"])
    let second = try await program.run(command + ["sarif"])
    #expect(second.exitCode == 69)
    let log = try await sarif(second)
    #expect(log.faults.isEmpty, "\(log.faults)")
    #expect(log.successful == [false] && log.hasResults == [false])
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
}

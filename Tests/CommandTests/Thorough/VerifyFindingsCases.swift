import Foundation
import TestSupport
import Testing

/// Further damage, and what is said of it.
extension VerifyFindingsTests {
  @Test
  func `a day of the year 1 needs leave, and hides no other from verify and export (R19, R33)`()
    async throws
  {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    let old = Array(#"{"date": "0001-01-01", "metrics": {"steps": 1}}"#.utf8)
    let refused = try await store.program.run(["put", "--input", "-"], input: old)
    #expect(refused.exitCode == 64 && refused.errors.contains("--allow-past"))
    _ = try await store.program.succeeds(["put", "--input", "-", "--allow-past"], input: old)
    let verify = try await store.program.run(["verify", "--allow-missing"])
    #expect(verify.exitCode == 0, "\(verify.output)\(verify.errors)")
    #expect(verify.errors.contains("0001-01-02 to 2026-02-07"))
    for table in ["csv", "openmetrics"] {
      let export = try await store.program.succeeds(["export", table])
      #expect(export.output.contains(table == "csv" ? "2026-02-08" : "healthkit_steps"))
    }
  }

  @Test(arguments: ["08 2", "08 (1)"])
  func `a copy of the day's folder is a conflict copy, and its revisions are to be kept`(
    name: String
  ) async throws {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    let month = store.day.deletingLastPathComponent()
    try FileManager.default.copyItem(at: store.day, to: month.appending(path: name))
    let findings = try await store.document(exit: 0)
    #expect(findings.map { $0["code"] } == Array(repeating: "conflict_copy", count: 3))
    for finding in findings {
      #expect(finding["date"] == "2026-02-08")
      #expect(finding["message"]?.contains("2026/02/\(name), a copy of the folder") == true)
      #expect(
        finding["remedy"]?.contains("move the revisions that are only in health/v0") == true)
      #expect(finding["remedy"]?.hasSuffix("2026/02/08, then remove the copy") == true)
    }
    let day = ["--from", "2026-02-08", "--to", "2026-02-08"]
    let text = try await store.program.succeeds(["verify"] + day)
    #expect(text.output.components(separatedBy: "do: ").count == 2, "\(text.output)")
    // It is the copy of that day, and of no other.
    let before = try await store.program.succeeds(
      ["verify", "--from", "2026-02-07", "--to", "2026-02-07", "--allow-missing"])
    #expect(!before.output.contains("conflict_copy"), "\(before.output)")
  }

  @Test func `copies of different objects are not reported with the remedy of one of them`()
    async throws
  {
    let store = try await DamagedDay()
    defer { store.program.removeHome() }
    try store.write("1", to: store.day.appending(path: "latest 2.json"))
    for id in store.ids {
      try store.write("1", to: store.day.appending(path: "revisions/\(id) 2.json"))
    }
    let text = try await store.program.succeeds([
      "verify", "--from", "2026-02-08", "--to", "2026-02-08",
    ])
    for original in ["latest.json"] + store.ids.map({ "revisions/\($0).json" }) {
      #expect(text.output.contains("do: compare it with \(original): "), "\(text.output)")
    }
  }

  @Test func `runs of missing dates are reported as runs, and each in JSON`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    for date in ["2026-02-03", "2026-02-08"] {
      try await program.succeeds(["put", "--input", "-"], input: payload(date))
    }
    let command = ["verify", "--from", "2026-02-01", "--to", "2026-02-09"]
    let text = try await program.run(command)
    #expect(text.exitCode == 1)
    #expect(text.output.contains("missing  2026-02-01 to 2026-02-02 (2 days)"))
    #expect(text.output.contains("missing  2026-02-04 to 2026-02-07 (4 days)"))
    #expect(text.output.contains("missing  2026-02-09\n"))
    #expect(text.output.hasSuffix("9 days: 2 complete, 7 missing\n"))
    let lenient = try await program.succeeds(command + ["--allow-missing", "--output", "json"])
    #expect((try lenient.json()["missing_dates"] as? [String])?.count == 7)
    #expect(try lenient.json()["missing_allowed"] as? Bool == true)
  }
}

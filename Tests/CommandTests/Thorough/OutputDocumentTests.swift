import Foundation
import TestSupport
import Testing

/// The documents of `--output json` against docs/OUTPUT.md.
@Suite(.process) struct OutputDocumentTests {
  let program: Program

  init() throws { program = try Program() }

  /// The chapter of docs/OUTPUT.md that begins with `## title`.
  private func chapter(_ title: String) throws -> String {
    let file = ProjectTree.root.appending(path: "docs/OUTPUT.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.range(of: "\n## \(title)\n"))
    let rest = text[start.upperBound...]
    return String(rest[..<(rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex)])
  }

  /// Expects that the chapter has every member's name in backquotes.
  private func expectTold(
    _ members: some Sequence<String>, in title: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let chapter = try chapter(title)
    for member in members {
      let isTold = ["`\(member)`", "`.\(member)`", ".\(member)`", "`\(member)[]`"]
        .contains { chapter.contains($0) }
      #expect(isTold, "\(member) is not described under \(title)", sourceLocation: location)
    }
  }

  @Test func `every member that put prints is documented`() async throws {
    let program = try Program().sendingOnce()
    let put = ["put", "--input", "-", "--output", "json"]
    let document = try await program.succeeds(put, input: payload()).json()
    #expect(
      Set(document.keys) == [
        "store", "dry_run", "run", "notes", "results", "new_days", "changed_days",
      ])
    try expectTold(document.keys, in: "put")
    let result = try #require((document["results"] as? [[String: Any]])?.first)
    #expect(Set(result.keys) == ["date", "outcome", "revision_id", "key", "latest_revision_id"])
    try expectTold(result.keys, in: "put")
    let failed = try await program.onHostile().run(
      put + [
        "--store", "s3://after-2/p", "--endpoint-url", try HostileStore().endpoint("diesafter"),
      ],
      input: payload())
    let failure = try #require((try failed.json()["results"] as? [[String: Any]])?.first)
    #expect(failure["outcome"] as? String == "failed")
    let error = try #require(failure["error"] as? [String: Any])
    try expectTold(error.keys, in: "Errors")
    for word in [
      "published", "superseded", "unchanged", "pointer_skipped", "failed", "not_attempted",
      "would_publish", "would_be_unchanged", "kept", "taken_away", "not_shown", "figures_unchanged",
    ] { try expectTold([word], in: "put") }
  }

  @Test func `every member that runs and undo print is documented`() async throws {
    try await program.put(payload())
    let runs = try await program.succeeds(["runs", "-o", "json"]).json()
    try expectTold(runs.keys, in: "runs")
    let run = try #require((runs["runs"] as? [[String: Any]])?.first)
    try expectTold(run.keys, in: "runs")
    let undo = ["undo", "-o", "json"]
    for arguments in [["--dry-run"], ["--yes"]] {
      let document = try await program.succeeds(undo + arguments).json()
      try expectTold(document.keys, in: "undo")
      let result = try #require((document["results"] as? [[String: Any]])?.first)
      try expectTold(result.keys.filter { $0 == "metrics" || $0 == "outcome" }, in: "undo")
    }
  }

  @Test func `every member that import prints is documented`() async throws {
    let export = try await GeneratedExport(program, ["--days", "3"])
    let arguments = ["import", export.zip, "--output", "json"]
    let document = try await program.succeeds(arguments + ["--dry-run"]).json()
    #expect(document.keys.contains("activity_check") && document.keys.contains("entry"))
    try expectTold(document.keys, in: "import")
    let result = try #require((document["results"] as? [[String: Any]])?.first)
    try expectTold(["metrics", "metric_status"], in: "import")
    #expect(Set(result.keys) == ["date", "outcome", "metrics", "metric_status"])
    let explanation = try await program.succeeds(arguments + ["--explain", "2024-06-13"]).json()
    try expectTold(explanation.keys, in: "import")
    let metric = try #require((explanation["metrics"] as? [[String: Any]])?.first)
    try expectTold(metric.keys, in: "import")
    let source = try #require((metric["sources"] as? [[String: Any]])?.first)
    try expectTold(source.keys, in: "import")
  }

  @Test func `every member that get prints is documented`() async throws {
    try await program.put(payload())
    let get = ["get", "2026-02-08", "--output", "json"]
    let history = try await program.succeeds(get + ["--history"]).json()
    #expect(Set(history.keys) == ["date", "latest", "revisions"])
    try expectTold(history.keys, in: "get")
    let entry = try #require((history["revisions"] as? [[String: String]])?.first)
    #expect(Set(entry.keys) == ["revision_id", "key"])
    try expectTold(entry.keys, in: "get")
    // The stored bytes and a newline.
    let key = try #require(entry["key"])
    let stored = try String(contentsOf: program.defaultStore.appending(path: key), encoding: .utf8)
    #expect(try await program.succeeds(get).output == stored + "\n")
    let id = try #require(entry["revision_id"])
    #expect(try await program.succeeds(get + ["--revision", id]).output == stored + "\n")
  }

  @Test func `every member that verify prints is documented`() async throws {
    try await program.put(payload())
    let run = try await program.run("verify", "2026-02-07..2026-02-08", "--output", "json")
    let document = try run.json()
    #expect(
      Set(document.keys) == [
        "store", "from", "to", "days", "ok_days", "faulty_days", "invalid_days", "missing_dates",
        "days_not_over", "missing_allowed", "found_something", "findings", "deep", "strict",
        "max_age_seconds", "revisions_read", "resolved", "errors", "warnings", "notes",
        "findings_omitted", "findings_omitted_by_severity", "repairs",
      ])
    try expectTold(document.keys, in: "verify")
    let finding = try #require((document["findings"] as? [[String: Any]])?.first)
    #expect(
      Set(finding.keys) == [
        "date", "severity", "code", "rule", "key", "pointer", "message", "remedy",
      ])
    try expectTold(finding.keys, in: "verify")
    #expect(finding["code"] as? String == "missing_date")
  }

  @Test func `every member of a repair and of a difference is documented`() async throws {
    for steps in [1, 2] { try await program.put(payload(steps: steps)) }
    let day = program.defaultStore.appending(path: "health/v0/data/2026/02/08")
    try FileManager.default.removeItem(at: day.appending(path: "latest.json"))
    let run = try await program.run("verify", "2026-02-08", "--repair", "--output", "json")
    let repair = try #require((try run.json()["repairs"] as? [[String: Any]])?.first)
    #expect(Set(repair.keys) == ["date", "outcome", "from", "to"])
    try expectTold(repair.keys, in: "verify")
    for word in [
      "would_move", "moved", "already_sound", "impossible", "obstacle", "no_valid_revision",
      "names_greater_id", "no_compare_and_swap", "no_etag",
    ] { try expectTold([word], in: "verify") }
    let entry = try #require((try run.json()["resolved"] as? [[String: Any]])?.first)
    try expectTold(entry.keys, in: "verify")

    let diff = try await program.succeeds(["get", "--diff", "2026-02-08", "--output", "json"])
    let document = try diff.json()
    #expect(Set(document.keys) == ["date", "old", "new", "differs", "changes"])
    try expectTold(document.keys, in: "get --diff")
    let old = try #require(document["old"] as? [String: Any])
    #expect(Set(old.keys) == ["revision_id", "key", "valid"])
    try expectTold(old.keys, in: "get --diff")
    let change = try #require((document["changes"] as? [[String: Any]])?.last)
    #expect(Set(change.keys) == ["pointer", "old", "new"])
    try expectTold(change.keys, in: "get --diff")
  }

  @Test func `every member that doctor prints is documented`() async throws {
    let failed = try await program.run(
      "doctor", "--store", program.home.path + "/absent", "--output", "json")
    let document = try failed.json()
    #expect(document["healthy"] as? Bool == false)
    try expectTold(document.keys, in: "doctor")
    let checks = try #require(document["checks"] as? [[String: Any]])
    try expectTold(Set(checks.flatMap(\.keys)), in: "doctor")
    try expectTold(Set(checks.compactMap { $0["outcome"] as? String }), in: "doctor")
    let settings = try #require(document["settings"] as? [[String: Any]])
    try expectTold(Set(settings.flatMap(\.keys)), in: "doctor")
    let fine = try await program.run("doctor", "--output", "json")
    #expect(fine.exitCode == 0, "\(fine.output)")
    #expect(try fine.json()["healthy"] as? Bool == true)
  }

  @Test func `a document is one line of canonical JSON (R13)`() async throws {
    for command in [
      ["put", "--input", "-"], ["get", "2026-02-08"],
      ["verify", "2026-02-08"], ["get", "2026-02-09"],
    ] {
      let run = try await program.run(command + ["--output", "json"], input: payload())
      #expect(run.output.hasSuffix("}\n"))
      #expect(run.output.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
      let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      let sorted = try JSONSerialization.data(
        withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
      #expect(sorted.count + 1 == run.output.utf8.count)
    }
  }
}

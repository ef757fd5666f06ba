import Foundation
import TestSupport
import Testing

/// `status`: whether the data is fresh, and whether everything runs.
@Suite(.process) struct StatusCommandTests {
  private func put(_ program: Program, _ date: String) async throws {
    try await program.succeeds(
      ["put", "--date", date, "--input", "-"], input: Array(#"{"metrics":{"steps":70}}"#.utf8))
  }

  /// The outcome of each check, by its name.
  private func outcomes(_ document: [String: Any]) throws -> [String: String] {
    let checks = try #require(document["checks"] as? [[String: Any]])
    return Dictionary(
      checks.map { ($0["name"] as? String ?? "", $0["outcome"] as? String ?? "") },
      uniquingKeysWith: { one, _ in one })
  }

  @Test func `R40: an empty store is named with what fills it, and the rest is shown`() async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let run = try await program.run("status")
    #expect(run.exitCode == 66 && run.errors.isEmpty, "\(run)")
    #expect(run.output.contains("failed   newest day: the store holds no days yet"))
    #expect(run.output.contains("s3health import export.zip"), "\(run.output)")
    #expect(run.output.contains("ok       last sync: never"), "\(run.output)")
    #expect(run.output.hasSuffix("Not well: newest day.\n"), "\(run.output)")
    let document = try await program.run(["status", "-o", "json"]).json()
    #expect(document["newest_day"] is NSNull && document["healthy"] as? Bool == false)
  }

  @Test func `R43: days that wait for a zone are no empty store, and are told once`() async throws {
    var program = try Program().withoutZone()
    defer { program.removeHome() }
    program.environment["TZ"] = "Etc/UTC"
    let rows = (2...6).map { #"{"date":"2026-01-0\#($0) 10:15:00 +0800","qty":7}"# }
    let payload = try program.file("in/a.json", stepPayload(rows.joined(separator: ",")))
    try await program.succeeds([
      "collect", "--queue", "--input", (payload as NSString).deletingLastPathComponent,
    ])
    try await program.succeeds(["raw", "sync"])
    let status = try await program.run(
      ["status"], ends: 66,
      printing: "the store holds no days yet: they wait for your time zone",
      "do: s3health config set timezone NAME", "days wait for yours, because")
    #expect(!status.output.contains("publish one"), "\(status.output)")
    let collected = try await program.run(["collect", "--from-streams"])
    #expect(collected.errors.split(separator: "is not made").count == 2, "\(collected.errors)")
    #expect(collected.errors.contains("s3health: 4 more days were not published\n"))
    #expect(collected.errors.contains("to keep it: s3health config set timezone NAME"))
  }

  @Test func `a store with today's day is well, in ten lines that fit 80 columns`() async throws {
    var program = try Program()
    defer { program.removeHome() }
    try await put(program, "today")
    let run = try await program.succeeds(["status"])
    let lines = run.output.split(separator: "\n")
    #expect(lines.count <= 10 && lines.last == "All is well.", "\(run.output)")
    #expect(lines.dropFirst().allSatisfy { $0.count <= 80 }, "\(run.output)")
    #expect(run.output.contains(", today; published "), "\(run.output)")
    #expect(run.output.contains("ok       sources: metrics_json\n"), "\(run.output)")
    #expect(try await program.succeeds(["status", "--quiet"]).output == "")
    let document = try await program.succeeds(["status", "-o", "json"]).json()
    let newest = try #require(document["newest_day"] as? [String: Any])
    #expect(newest["sources"] as? [String] == ["metrics_json"])
    #expect(document["healthy"] as? Bool == true && document["last_collect"] is NSNull)
    #expect(try Set(outcomes(document).values) == ["ok"])
    // A machine that only uploads has its days elsewhere; a source that was never read is wrong.
    program.environment["S3HEALTH_SOURCE"] = program.home.path
    program.environment["S3HEALTH_GATEWAY"] = "http://localhost:9"
    let unread = try await program.run("status")
    #expect(unread.exitCode == 1)
    #expect(unread.output.contains("do: s3health collect\n"), "\(unread.output)")
    #expect(unread.output.hasSuffix("Not well: last collect, last push.\n"), "\(unread.output)")
  }

  @Test func `a newest day of before yesterday is not fresh, and the command that helps is named`()
    async throws
  {
    var program = try Program()
    defer { program.removeHome() }
    let old = Date(timeIntervalSinceNow: -4 * 86_400).ISO8601Format().prefix(10)
    try await put(program, String(old))
    let run = try await program.run("status")
    #expect(run.exitCode == 1)
    #expect(run.output.contains("warning  newest day: \(old), "), "\(run.output)")
    #expect(run.output.contains("do: s3health import FILE"), "\(run.output)")
    program.environment["S3HEALTH_SOURCE"] = "streams"
    let source = try await program.run("status", "--quiet")
    #expect(source.output.contains("do: s3health collect; if it finds nothing, streams"))
    try await put(program, "yesterday")
    program.environment["S3HEALTH_SOURCE"] = nil
    #expect(try await program.run("status").exitCode == 0)
  }

  @Test func `R35 a weight by hand each day does not hide that the phone is silent`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    func put(_ days: ClosedRange<Int>, _ metric: String, _ more: [String]) async throws {
      let all = days.map { day in
        let date = Date(timeIntervalSinceNow: -Double(day) * 86_400).ISO8601Format().prefix(10)
        return #"{"date": "\#(date)", "metrics": {"\#(metric)": \#(70 + day)}}"#
      }
      try await program.put(
        "{\"days\": [\(all.joined(separator: ","))]}", ["--date", "all"] + more)
    }
    try await put(1...40, "weight", [])
    #expect(try await program.succeeds(["verify", "30d", "--quiet"]).output == "")
    #expect(try await program.succeeds(["status", "--quiet"]).output == "")
    try await put(12...40, "steps", ["--source", "phone"])
    let silent = "phone had numbers of each day until "
    let verified = try await program.run(
      ["verify", "30d", "--quiet"], ends: 1, printing: "source_silent [R35]: \(silent)",
      "nor has anybody of steps", "1 silent source")
    #expect(!verified.output.contains("metrics_json"))
    try await program.succeeds(["verify", "30d", "--allow-missing"])
    try await program.run(
      ["status", "--quiet"], ends: 1, printing: "warning  sources: metrics_json; \(silent)",
      "Not well: sources.")
    // Another source that has the steps leaves nothing to miss.
    try await put(1...11, "steps", ["--source", "watch"])
    #expect(try await program.succeeds(["verify", "30d", "--quiet"]).output == "")
    #expect(try await program.succeeds(["status", "--quiet"]).output == "")
  }

  @Test func `what failed is said with when, why and what to do, beside what went well`()
    async throws
  {
    var program = try Program()
    defer { program.removeHome() }
    try await put(program, "today")
    program.environment["S3HEALTH_SOURCE"] = program.home.path + "/nothing"
    #expect(try await program.run("collect").exitCode != 0)
    let document = try await program.run(["status", "-o", "json"]).json()
    #expect(try outcomes(document)["last collect"] == "failed")
    #expect((document["last_collect"] as? [String: Any])?["type"] as? String == "collect_failed")
    let found = try await program.run("status")
    #expect(found.exitCode == 1 && found.output.contains("failed   last collect: failed "))
    #expect(found.output.contains("ok       newest day: "), "\(found.output)")
    // To run it again alone would fail again: what its error asked for comes first.
    #expect(found.output.contains("do: check the path; "), "\(found.output)")
    #expect(found.output.contains("; then: s3health collect\n"), "\(found.output)")
    // A store that is not there: its own code, and what this machine knows all the same.
    let absent = try await program.run("status", "--store", program.home.path + "/disk/store")
    #expect(absent.exitCode == 69, "\(absent)")
    #expect(absent.output.contains("failed   newest day: the folder"), "\(absent.output)")
    #expect(absent.output.contains("check that its disk is mounted"), "\(absent.output)")
    #expect(absent.output.contains("failed   last collect: failed "), "\(absent.output)")
  }

  @Test
  func `a collect of an input that was tried by hand is forgotten, and one that worked is not`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    try await put(program, "today")
    let file = program.home.path + "/day.json"
    let collect = ["collect", "--input", file]
    #expect(try await program.run(collect).exitCode != 0)
    let tried = try await program.succeeds(["status"]).output
    #expect(tried.contains("ok       last collect: never"), "\(tried)")
    _ = try program.file("day.json", payload())
    try await program.succeeds(collect)
    try FileManager.default.removeItem(atPath: file)
    #expect(try await program.run(collect).exitCode != 0)
    let failed = try await program.run("status").output
    #expect(failed.contains("failed   last collect: failed "), "\(failed)")
    #expect(failed.contains("; then: s3health collect --input \(file)\n"), "\(failed)")
  }

  @Test func `what waits is counted by stream, and refused entries are wrong`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    try await put(program, "today")
    let point = #"""
      {"timestamp":"2025-01-30T10:00:00Z","latitude":1,"longitude":2,"altitude":0,"speed":0,\
      "horizontal_accuracy":1,"vertical_accuracy":1}
      """#.replacing("\\\n", with: "")
    try await program.succeeds(["raw", "add", "--stream", "location"], input: Array(point.utf8))
    let run = try await program.run("status")
    #expect(run.output.contains("waiting: raw data: 1 location\n"), "\(run.output)")
    // Nothing has ever uploaded it.
    #expect(run.exitCode == 1 && run.output.contains("warning  last sync: never"))
    #expect(run.output.contains("do: s3health raw sync"), "\(run.output)")
    try await program.succeeds(["raw", "sync"])
    let after = try await program.succeeds(["status"])
    #expect(after.output.contains("waiting: nothing\n"), "\(after.output)")
  }

  @Test func `the options of the log need --log`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    for options in [["--since", "2h"], ["--type", "sync_failed"], ["--follow"]] {
      #expect(try await program.run(["status"] + options).exitCode == 64)
    }
    #expect(try await program.run("status", "--log", "--max-age", "2h").exitCode == 64)
  }
}

import Foundation
import TestSupport
import Testing

/// The main job, as the README shows it, on the embedded default store.
@Suite(.process) struct MainJobTests {
  private let payload = Array(
    """
    {"date": "2026-02-08", "metrics": {"steps": 8432, "resting_hr_avg": 58.5, "hrv_sdnn_avg": null},
     "status": {"hrv_sdnn_avg": "unauthorized"}}
    """.utf8)

  @Test func `put publishes a day, get prints it, verify finds it sound`() async throws {
    let program = try Program()

    let put = try await program.run("put", "--input", "-", "--output", "json", input: payload)
    #expect(put.exitCode == 0, "\(put.errors)")
    let results = try put.results()
    #expect(results.map { $0["outcome"] as? String } == ["published"])

    let get = try await program.run("get", "2026-02-08", "--output", "json")
    #expect(get.exitCode == 0, "\(get.errors)")
    let metrics = try #require(try get.json()["metrics"] as? [String: Any])
    #expect(metrics["steps"] as? Double == 8432)
    #expect(metrics["hrv_sdnn_avg"] is NSNull)
    let status = try #require(try get.json()["metric_status"] as? [String: String])
    #expect(status["hrv_sdnn_avg"] == "unauthorized")
    #expect(status["stand_hours"] == "no_data")

    let verify = try await program.run("verify", "2026-02-08")
    #expect(verify.exitCode == 0, "\(verify.output)")
    #expect(verify.output.contains("1 day: 1 complete"))
  }

  @Test func `the same data again is unchanged and writes no revision (R20)`() async throws {
    let program = try Program()
    let first = try await program.run("put", "--input", "-", input: payload)
    let second = try await program.run("put", "--input", "-", input: payload)
    #expect(first.output.hasPrefix("published"))
    #expect(second.output.hasPrefix("unchanged"))
    let history = try await program.run("get", "2026-02-08", "--history")
    #expect(history.output.split(separator: "\n").count == 1)
  }

  @Test func `verify exits with 1 for a missing date, or 0 where allowed`() async throws {
    let program = try Program()
    _ = try await program.run("put", "--input", "-", input: payload)
    let range = ["verify", "2026-02-07..2026-02-08"]
    let strict = try await program.run(range + ["--output", "json"], ends: 1)
    #expect(try strict.json()["missing_dates"] as? [String] == ["2026-02-07"])
    try await program.run(range + ["--allow-missing"], ends: 0)
  }

  @Test func `a dry run says what it would do and leaves the store empty`() async throws {
    let program = try Program()
    let dry = try await program.run("put", "--input", "-", "--dry-run", input: payload)
    #expect(dry.exitCode == 0)
    #expect(dry.output.hasPrefix("would publish  2026-02-08"))
    let get = try await program.run("get", "2026-02-08")
    #expect(get.exitCode == 66)
    #expect(get.errors.hasPrefix("s3health: the store holds no days yet\n"))
  }
}

/// The main job on every real server that `scripts/test` has started. Where conditional writes do not
/// work, days are read by listing, without `latest.json` (R24).
@Suite(.server) struct MainJobOnServersTests {
  static let day = ["2026-02-08"]

  @Test(arguments: TestServer.every)
  func `a day is published, superseded, read, listed and verified`(server: TestServer) async throws
  {
    let program = try Program().on(server)
    let prefix = "commands/\(UUID())"
    let store = server.arguments(prefix: prefix)
    let published = server.conditions == .full ? "published" : "pointer_skipped"
    let first = try await outcome(program, store, steps: 8432)
    #expect(first.word == published)
    #expect(first.key.hasPrefix("\(prefix)/health/v0/data/2026/02/08/revisions/"))
    let again = try await outcome(program, store, steps: 8432)
    #expect(again.word == "unchanged")
    #expect(again.id == first.id)
    let second = try await outcome(program, store, steps: 9000)
    #expect(second.word == published)
    #expect(second.id > first.id)

    #expect(try await program.steps("2026-02-08", store) == 9000)
    #expect(try await program.steps("2026-02-08", ["--revision", first.id] + store) == 8432)
    let history = try await program.succeeds(
      ["get", "--history", "--output", "json"] + Self.day + store
    ).json()
    #expect(history["latest"] as? String == second.id)
    let revisions = try #require(history["revisions"] as? [[String: String]])
    #expect(revisions.map { $0["revision_id"] } == [first.id, second.id])
    #expect(revisions.map { $0["key"] } == [first.key, second.key])

    let verify = try await program.run(
      ["verify", "2026-02-07..2026-02-08", "--output", "json"] + store, ends: 1)
    #expect(try verify.json()["missing_dates"] as? [String] == ["2026-02-07"])
    #expect(try verify.json()["ok_days"] as? Int == 1)
  }

  @Test(arguments: TestServer.every)
  func `doctor names what a server's conditional writes lack`(server: TestServer) async throws {
    let program = try Program().on(server)
    let store = server.arguments()
    // Two revisions, so that a listing of one key has another page.
    for steps in [8432, 9000] { _ = try await outcome(program, store, steps: steps) }
    let doctor = try await program.run(["doctor"] + store)
    let (code, words): (Int, String) =
      switch server.conditions {
      case _ where !server.pagesListings: (1, "no continuation token")
      // Who asks without a key is let in, too.
      case .full where !server.checksSignatures: (1, "write here without a key")
      case .full: (0, "conditional writes: compare-and-swap")
      case .create: (1, "conditional writes: create only")
      case .none: (1, "conditional writes: ignores conditions")
      }
    #expect(doctor.exitCode == code && doctor.output.contains(words), "\(doctor.output)")
    #expect(
      server.conditions == .full
        || doctor.output.contains("days are read by listing, without latest.json"))
  }

  @Test(arguments: TestServer.all.filter { $0.product.contains("RADOS") })
  func `on a versioned bucket of the gateway the pointer is skipped, and readers list (R24)`(
    server: TestServer
  ) async throws {
    let program = try Program().on(server)
    let store = server.arguments(bucket: server.versionedBucket)
    let first = try await outcome(program, store, steps: 8432)
    #expect(first.word == "pointer_skipped")
    #expect(try await outcome(program, store, steps: 8432).word == "unchanged")
    let second = try await outcome(program, store, steps: 9000)
    #expect(second.word == "pointer_skipped")
    try await program.succeeds(["get"] + Self.day + store, printing: "9,000", second.id)
    try await program.succeeds(["verify", "2026-02-08"] + store, printing: "pointer_missing")
    let text = try await program.put(payload(steps: 7), store)
    #expect(text.output.hasPrefix("published  2026-02-08"))
    #expect(text.output.contains("without latest.json"))
    try await program.run(["doctor"] + store, ends: 1, printing: "versioned")
  }

  @Test(
    arguments: TestServer.all.filter {
      $0.product.contains("RADOS") && $0.endpoint.hasPrefix("http://")
    })
  func `a bucket is found by its host name`(server: TestServer) async throws {
    let program = try Program().on(server)
    let path = server.arguments()
    let port = try #require(URLComponents(string: server.endpoint)?.port)
    var virtual = program
    virtual.environment["S3HEALTH_ADDRESSING_STYLE"] = "virtual"
    try await virtual.succeeds(
      ["put", "--input", "-"] + path + ["--endpoint-url", "http://localhost:\(port)"],
      input: payload())
    #expect(try await program.succeeds(["get"] + Self.day + path).output.contains("8,432"))
  }

  @Test(arguments: TestServer.all)
  func `prefixes are kept apart, also odd ones and none`(server: TestServer) async throws {
    let program = try Program().on(server)
    let base = "commands/\(UUID())"
    // A person's own prefix, one that begins like it, one below it, one that needs escapes, and one
    // that begins with a combining character.
    let prefixes =
      ["\(base)/me", "\(base)/me2", "\(base)/me/old", "\(base)/é +%25~(1)"]
      + ["\u{301}\(UInt32.random(in: 0 ... .max))"]
    for (number, prefix) in prefixes.enumerated() {
      try await program.put(payload(steps: 1000 + number), server.arguments(prefix: prefix))
    }
    for (number, prefix) in prefixes.enumerated() {
      let store = server.arguments(prefix: prefix)
      #expect(try await program.steps("2026-02-08", store) == Double(1000 + number))
      #expect(try await program.revisions("2026-02-08", store) == 1)
    }
    try await program.succeeds(
      ["get"] + Self.day + server.arguments(prefix: prefixes[0] + "/"), printing: "1,000")
  }

  func outcome(
    _ program: Program, _ store: [String], steps: Int
  ) async throws -> (word: String, id: String, key: String) {
    let put = try await program.succeeds(
      ["put", "--input", "-", "--output", "json"] + store, input: payload(steps: steps))
    let results = try put.results()
    let result = try #require(results.first)
    return (
      try #require(result["outcome"] as? String), try #require(result["revision_id"] as? String),
      try #require(result["key"] as? String)
    )
  }
}

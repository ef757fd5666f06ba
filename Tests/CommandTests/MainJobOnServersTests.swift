import Foundation
import TestSupport
import Testing

/// The main job on every real server that `scripts/test` has started. Where conditional writes do not
/// work, days are read by listing, without `latest.json` (R24).
@Suite(.server) struct MainJobOnServersTests {
  static let day = ["2026-02-08"]

  @Test(arguments: TestServer.every)
  func `a day is published, superseded, read, listed and verified`(server: TestServer) async throws
  {
    let program = try Program().on(server)
    defer { program.removeHome() }
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

    let latest = try await program.succeeds(["get", "--output", "json"] + Self.day + store).json()
    #expect((latest["metrics"] as? [String: Any])?["steps"] as? Double == 9000)
    let older = try await program.succeeds(
      ["get", "--revision", first.id, "--output", "json"] + Self.day + store
    ).json()
    #expect((older["metrics"] as? [String: Any])?["steps"] as? Double == 8432)
    let history = try await program.succeeds(
      ["get", "--history", "--output", "json"] + Self.day + store
    ).json()
    #expect(history["latest"] as? String == second.id)
    let revisions = try #require(history["revisions"] as? [[String: String]])
    #expect(revisions.map { $0["revision_id"] } == [first.id, second.id])
    #expect(revisions.map { $0["key"] } == [first.key, second.key])

    let verify = try await program.run(
      ["verify", "--from", "2026-02-07", "--to", "2026-02-08", "--output", "json"] + store)
    #expect(verify.exitCode == 1)
    #expect(try verify.json()["missing_dates"] as? [String] == ["2026-02-07"])
    #expect(try verify.json()["ok_days"] as? Int == 1)
  }

  @Test(arguments: TestServer.every)
  func `doctor names what a server's conditional writes lack`(server: TestServer) async throws {
    let program = try Program().on(server)
    defer { program.removeHome() }
    let store = server.arguments()
    // Two revisions, so that a listing of one key has another page.
    for steps in [8432, 9000] { _ = try await outcome(program, store, steps: steps) }
    let doctor = try await program.run(["doctor"] + store)
    let (code, words): (Int, String) =
      switch server.conditions {
      case _ where !server.pagesListings: (1, "no continuation token")
      case .full: (0, "conditional writes: compare-and-swap")
      case .create: (1, "conditional writes: create only")
      case .none: (1, "conditional writes: ignores conditions")
      }
    #expect(doctor.exitCode == code && doctor.output.contains(words), "\(doctor.output)")
    #expect(code != 1 || doctor.output.contains("days are read by listing, without latest.json"))
  }

  @Test(arguments: TestServer.all.filter { $0.product.contains("RADOS") })
  func `on a versioned bucket of the gateway the pointer is skipped, and readers list (R24)`(
    server: TestServer
  ) async throws {
    let program = try Program().on(server)
    defer { program.removeHome() }
    let store = server.arguments(bucket: server.versionedBucket)
    let first = try await outcome(program, store, steps: 8432)
    #expect(first.word == "pointer_skipped")
    #expect(try await outcome(program, store, steps: 8432).word == "unchanged")
    let second = try await outcome(program, store, steps: 9000)
    #expect(second.word == "pointer_skipped")
    let get = try await program.succeeds(["get"] + Self.day + store)
    #expect(get.output.contains("9,000") && get.output.contains(second.id))
    let verify = try await program.succeeds(
      ["verify", "--from", "2026-02-08", "--to", "2026-02-08"] + store)
    #expect(verify.output.contains("pointer_missing"))
    let text = try await program.succeeds(
      ["put", "--input", "-"] + store, input: payload(steps: 7))
    #expect(text.output.hasPrefix("published  2026-02-08"))
    #expect(text.output.contains("without latest.json"))
    let doctor = try await program.run(["doctor"] + store)
    #expect(doctor.exitCode == 1)
    #expect(doctor.output.contains("versioned"), "\(doctor.output)")
  }

  @Test(
    arguments: TestServer.all.filter {
      $0.product.contains("RADOS") && $0.endpoint.hasPrefix("http://")
    })
  func `a bucket is found by its host name`(server: TestServer) async throws {
    let program = try Program().on(server)
    defer { program.removeHome() }
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
    defer { program.removeHome() }
    let base = "commands/\(UUID())"
    // A person's own prefix, one that begins like it, one below it, and one that needs escapes.
    let prefixes = ["\(base)/me", "\(base)/me2", "\(base)/me/old", "\(base)/é +%25~(1)"]
    for (number, prefix) in prefixes.enumerated() {
      try await program.succeeds(
        ["put", "--input", "-"] + server.arguments(prefix: prefix),
        input: payload(steps: 1000 + number))
    }
    for (number, prefix) in prefixes.enumerated() {
      let get = try await program.succeeds(
        ["get", "--output", "json"] + Self.day + server.arguments(prefix: prefix))
      let metrics = try #require(try get.json()["metrics"] as? [String: Any])
      #expect(metrics["steps"] as? Int == 1000 + number)
      let history = try await program.succeeds(
        ["get", "--history"] + Self.day + server.arguments(prefix: prefix))
      #expect(history.output.split(separator: "\n").count == 1, "\(history.output)")
    }
    let slashed = try await program.succeeds(
      ["get"] + Self.day + server.arguments(prefix: prefixes[0] + "/"))
    #expect(slashed.output.contains("1,000"))
  }

  func outcome(
    _ program: Program, _ store: [String], steps: Int
  ) async throws -> (word: String, id: String, key: String) {
    let put = try await program.succeeds(
      ["put", "--input", "-", "--output", "json"] + store, input: payload(steps: steps))
    let results = try #require(try put.json()["results"] as? [[String: Any]])
    let result = try #require(results.first)
    return (
      try #require(result["outcome"] as? String), try #require(result["revision_id"] as? String),
      try #require(result["key"] as? String)
    )
  }
}

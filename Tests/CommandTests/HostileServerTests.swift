import Foundation
import TestSupport
import Testing

/// Servers whose answers are not valid. What was stored before stays, and is found again.
@Suite(.process) struct HostileServerTests {
  /// How a server misbehaves, and what must be said of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let mode: String
    let phrases: [String]

    init(_ description: String, _ mode: String, _ phrases: String...) {
      (testDescription, self.mode, self.phrases) = (description, mode, phrases)
    }
  }

  static let cases: [Case] = [
    Case("garbage", "garbage", "S3"),
    Case("a web page", "html", "check that http://127.0.0.1"),
    Case("a web site's 404", "html404", "not S3's"),
    Case("errors in a 200", "error200", "the server said"),
    Case("10 GB", "endless", "far too large"),
    Case("a cut-off body", "short", "closed the connection", "try again"),
    Case("no HTTP", "nohttp", "not HTTP"),
    Case("nothing at all", "mute", "no answer", "--timeout"),
    Case("always too busy", "slowforever", "too many requests", "try again later"),
  ]

  private static let commands = [
    ["put", "--input", "-"], ["get", "2026-02-08"],
    ["verify", "2026-02-08"],
  ]

  @Test(arguments: TestDepth.one(of: 3, cases))
  func `an answer that is not valid ends every command, and loses nothing`(_ server: Case)
    async throws
  {
    let store = try HostileStore()
    let program = try Program().onHostile().sendingOnce()
    func at(_ mode: String) -> [String] {
      [
        "--store", "s3://bucket/p", "--endpoint-url", store.endpoint(mode), "--timeout",
        mode == "mute" ? "1" : "60",
      ]
    }
    try await program.put(payload(), at("honest"))
    let written = try await store.writes()
    for command in Self.commands {
      let phrases = server.phrases + (command[0] == "put" ? ["nothing was stored"] : [])
      try await program.fails(
        command + at(server.mode), payload(steps: 9), .storageUnavailable, phrases)
    }
    #expect(try await store.writes() == written)
    let history = try await program.succeeds(["get", "2026-02-08", "--history"] + at("honest"))
    #expect(history.output.split(separator: "\n").count == 1)
    try await program.succeeds(["get", "2026-02-08"] + at("honest"), printing: "8,432")
  }

  @Test func `a read of days that breaks off is never shown as the whole (R33)`() async throws {
    let store = try HostileStore()
    let program = try Program().onHostile()
    let run = try await program.run(
      [
        "verify", "2026-01-01..2026-12-31", "--store", "s3://bucket/p",
        "--endpoint-url", store.endpoint("listloop"), "--output", "json",
      ], ends: 69)
    #expect(try run.json()["error"] is [String: Any])
    #expect(try run.json()["days"] == nil)
  }

  @Test func `writes whose answer is lost are found and stored once (R23)`() async throws {
    let store = try HostileStore()
    let program = try Program().onHostile()
    let at = store.store
    let put = ["put", "--input", "-"]
    let first = try await program.run(put + at("applycut"), input: payload())
    #expect([0, 69].contains(first.exitCode), "\(first.errors)")
    try await program.succeeds(put + at("honest"), input: payload())
    let history = try await program.succeeds(["get", "2026-02-08", "--history"] + at("honest"))
    #expect(history.output.split(separator: "\n").count == 1)
  }

  @Test func `a server with a clock of its own is followed, not fought (R21)`() async throws {
    let store = try HostileStore()
    let program = try Program().onHostile()
    let at = store.store("skewed")
    let put = try await program.succeeds(
      ["put", "--input", "-", "--output", "json"] + at, input: payload())
    let results = try put.results()
    #expect(["published", "pointer_skipped"].contains(results[0]["outcome"] as? String))
    let doctor = try await program.run(["doctor"] + at)
    #expect(doctor.output.contains("clock"))
    // Whole seconds of two clocks: the difference may round to one less or more.
    #expect(doctor.output.contains(#/server is (3599|360[01]) s ahead/#))
  }
}

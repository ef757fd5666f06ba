import Foundation
import HealthModel
import TestSupport
import Testing

/// s3race on real stores: separate processes, kills and faults, and nothing left behind.
@Suite(.server) struct StoreRaceTests {
  @Test(arguments: TestServer.one)
  func `processes race on a server through the fault proxy`(server: TestServer) async throws {
    let program = try Program().race.on(server)
    defer { program.removeHome() }
    let race = try await program.succeeds(
      [
        "--publishes", TestDepth.full("24", usual: "8"), "--writers", "4", "--processes", "2",
        "--kills", "1",
        "--faults", "drop,lose,409,503-after:6%", "--output", "json",
        "--endpoint-url", "http://127.0.0.1:1",  // a node that is down
        "--endpoint-url", server.endpoint, "--endpoint-url", server.endpoint,
      ] + server.arguments())
    let found = try #require(try race.json()["store_race"] as? [String: Any])
    #expect(found["good"] as? Bool == true)
    #expect(found["endpoints"] as? Int == 2)
    #expect(found["endpoints_left_out"] as? [String] == ["http://127.0.0.1:1"])
    #expect(try #require(found["acknowledged"] as? Int) >= 8)
    #expect((found["conditional_writes"] as? String)?.hasPrefix("compare-and-swap") == true)
    #expect(!race.output.contains(server.secretKey))
  }

  @Test func `a scratch folder that holds data is refused, and the data stays`() async throws {
    let program = try Program().race
    defer { program.removeHome() }
    let file = try program.file("store/.s3health-race/mine/data", Array("precious".utf8))
    let store = program.home.appending(path: "store").path
    try await program.fails(
      ["--store", store, "--scratch", "mine"], as: .invalidArguments,
      saying: "holds data", ".s3health-race/mine/data")
    #expect(FileManager.default.contents(atPath: file) == Data("precious".utf8))
  }

  @Test func `a store that can't be written is refused before anything is raced`() async throws {
    let program = try Program().race
    defer { program.removeHome() }
    let store = try program.folder("store")
    chmod(store.path, 0o555)
    try await program.withoutPrivileges().fails(
      ["--store", store.path], as: .notAuthorized, saying: "nothing was raced")
  }

  @Test func `options that can't be are refused with what is meant`() async throws {
    let program = try Program().race
    defer { program.removeHome() }
    let store = try program.folder("store").path
    try await program.fails(
      ["--store", store, "--faults", "gremlins"], as: .invalidArguments,
      saying: "\"gremlins\" is not a fault")
    try await program.fails(
      ["--store", store, "--faults", "truncate:5%"], as: .invalidArguments,
      saying: "a folder has no fault")
    try await program.fails(
      ["--store", store, "--endpoint-url", "http://127.0.0.1:1"], as: .invalidArguments,
      saying: "a folder has no endpoint")
    var person = program
    person.binary = Program.path
    try await person.fails(
      [
        "get", "2026-02-08", "--store", "s3://bucket", "--endpoint-url",
        "http://127.0.0.1:1", "--endpoint-url", "http://127.0.0.1:2",
      ], as: .invalidArguments, saying: "--endpoint-url was given 2 times")
    for arguments in [
      ["model", "--duration", "5s"], ["--writers", "2", "--processes", "3"],
      ["--duration", "5x"], ["--duration", "0s"], ["--kills", "-1"], ["--scratch", "a/b"],
      ["--publishes", "5", "--duration", "5s"], ["--crashes", "1"], ["--assume", "luck"],
    ] {
      let run = try await program.run(arguments)
      #expect(run.exitCode == 64, "\(arguments): \(run.errors)")
    }
    let worker = try await program.run(["worker"], input: Array("{}".utf8))
    #expect(worker.exitCode == 64)
    #expect(worker.errors.contains("no orders of a race"))
  }
}

import Foundation
import TestSupport
import Testing

/// Further readers of the cache (R39, R57).
extension CachedRangeTests {
  @Test(arguments: TestServer.one)
  func `R57: a push lists the store, and reads only changed days`(server: TestServer) async throws {
    let gateway = try BadGateway()
    let program = try program(server)
    let store = server.arguments(prefix: "commands/\(UUID())")
    try await publishYear(program, store)
    let push = ["push", "--gateway", gateway.url("ok")] + store
    let first = try await counting(program, push)
    // A page of 732 objects, and one for each of twelve months.
    #expect(first.gets == 366 && first.lists == 13, "\(first.gets) \(first.lists)")
    let second = try await counting(program, push)
    #expect(second.gets == 0 && second.lists == 13, "\(second.gets) \(second.lists)")
    try await program.put(payload("2024-02-09", steps: 77), store)
    let third = try await counting(program, push + ["--no-cache"])
    #expect(third.gets == 366 && third.lists == 13, "\(third.gets) \(third.lists)")
    #expect(Set(try await gateway.requests().map(\.body.isEmpty)) == [false])
  }

  @Test(arguments: TestServer.one)
  func `R39 programs that read at once share a cache`(server: TestServer) async throws {
    let program = try program(server)
    let store = server.arguments()
    try await publishYear(program, store)
    let verify = ["verify", "--output", "json"] + Self.range + store
    let outputs = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<3 {
        group.addTask { try await program.succeeds(verify).output }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(outputs.count == 1)
    #expect(try await counting(program, verify).gets == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: copies(program).path)
    #expect(names.count == 366)
  }

  @Test(arguments: TestServer.one)
  func `R39 an unwritable cache is said once, and fails nothing`(server: TestServer) async throws {
    var program = try program(server)
    let store = server.arguments()
    for date in ["2024-02-07", "2024-02-08"] {
      try await program.put(payload(date), store)
    }
    program.environment["XDG_CACHE_HOME"] = try program.file("no-folder", [])
    let run = try await program.succeeds(
      ["verify", "2024-02-07..2024-02-08"] + store, printing: "2 days: 2 complete")
    #expect(run.errors.components(separatedBy: "the cache is not used").count == 2)
  }

  @Test func `R39 of a folder no copies are kept`() async throws {
    var program = try Program()
    program.environment["XDG_CACHE_HOME"] = program.home.appending(path: "cache").path
    try await program.put(payload())
    try await program.succeeds(["verify", "2026-02-08"])
    let cache = program.home.appending(path: "cache/s3health/objects").path
    #expect(!FileManager.default.fileExists(atPath: cache))
    #expect(try await !program.run("doctor").output.contains("cache"))
  }
}

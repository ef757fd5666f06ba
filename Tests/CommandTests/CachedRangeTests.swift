import Foundation
import TestSupport
import Testing

/// R39 by the program, on real servers: what a second read asks for, and what it finds.
@Suite(.server) struct CachedRangeTests {
  static let range = ["--from", "2024-01-01", "--to", "2024-12-31"]

  /// The program with a cache whose place the test knows.
  func program(_ server: TestServer) throws -> Program {
    var program = try Program().on(server)
    program.environment["XDG_CACHE_HOME"] = program.home.appending(path: "cache").path
    return program
  }

  func copies(_ program: Program) -> URL { program.home.appending(path: "cache/s3health/objects") }

  /// Publishes the 366 days of 2024.
  func publishYear(_ program: Program, _ store: [String]) async throws {
    let days = (0..<366).map { number in
      let date = PlantedDate(number: 19_723 + number).text
      return #"{"date": "\#(date)", "metrics": {"steps": \#(number + 1)}}"#
    }
    let input = Array("{\"days\": [\(days.joined(separator: ","))]}".utf8)
    try await program.succeeds(["put", "--input", "-", "--date", "all"] + store, input: input)
  }

  /// Runs with a log of requests: the run, and how many objects were got and pages listed.
  func counting(
    _ program: Program, _ arguments: [String], input: [UInt8] = []
  ) async throws -> (run: Program.Run, gets: Int, lists: Int) {
    let run = try await program.run(arguments + ["--verbose"], input: input)
    let requests = run.errors.split(separator: "\n").filter { $0.contains("method=GET") }
    let lists = requests.count { $0.contains("key=-") }
    return (run, requests.count - lists, lists)
  }

  private func place(
    _ body: String, at key: String, _ program: Program, _ server: TestServer, _ prefix: String
  ) async throws {
    let folder = try program.folder("stranger-\(UUID())")
    let file = folder.appending(path: key)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(body.utf8).write(to: file)
    try await server.put(folder, below: prefix)
  }

  @Test(arguments: TestServer.one)
  func `R39 a year again costs 15 requests, and finds changes`(server: TestServer) async throws {
    let program = try program(server)
    let prefix = "commands/\(UUID())"
    let store = server.arguments(prefix: prefix)
    try await publishYear(program, store)
    let verify = ["verify", "--output", "json"] + Self.range + store
    #expect(!FileManager.default.fileExists(atPath: copies(program).path), "put has kept copies")

    let first = try await counting(program, verify)
    #expect(first.run.exitCode == 0 && first.gets == 366 && first.lists <= 4, "\(first)")
    let second = try await counting(program, verify)
    #expect(second.gets == 0 && second.gets + second.lists <= 15, "\(second)")
    #expect(second.run.output == first.run.output)

    // What agents read is spared the same.
    let question = #"""
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
      {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"health.read_range_metrics","arguments":{"start_date":"2024-01-01","end_date":"2024-12-31"}}}

      """#
    let agent = try await counting(program, ["mcp"] + store, input: question.bytes)
    #expect(agent.run.output.contains(#""found":366"#))
    #expect(agent.gets == 0 && agent.lists <= 4, "\(agent.gets) \(agent.lists)")

    // A stranger overwrites a body with another of its length; a collector publishes a day anew.
    let resolved = try #require(try first.run.json()["resolved"] as? [[String: String]])
    let id = try #require(resolved.first { $0["date"] == "2024-07-01" }?["revision_id"])
    let get = try await program.succeeds(["get", "2024-07-01", "--output", "json"] + store)
    let key = "health/v0/data/2024/07/01/revisions/\(id).json"
    let spoilt = get.output.dropLast().replacing("\"bpm\"", with: "\"bps\"")
    try await place(String(spoilt), at: key, program, server, prefix)
    try await program.put(payload("2024-09-09", steps: 77), store)
    let third = try await counting(program, verify)
    let found = try #require(try third.run.json()["findings"] as? [[String: Any]])
    #expect(Set(found.compactMap { $0["date"] as? String }) == ["2024-07-01"])
    #expect(found.contains { $0["code"] as? String == "unit_mismatch" }, "\(found)")
    // Two changed revisions, and the day with a fault once more by itself.
    #expect(third.gets <= 5 && third.lists <= 8, "\(third.gets) \(third.lists)")
    let whole = try await counting(program, verify + ["--no-cache"])
    #expect(whole.gets >= 366 && whole.run.output == third.run.output)
  }

  @Test(arguments: TestServer.one)
  func `R39 copies are private, hold no secret, and may go`(server: TestServer) async throws {
    let program = try program(server)
    let store = server.arguments()
    for date in ["2024-02-07", "2024-02-08"] {
      try await program.put(payload(date), store)
    }
    let verify = ["verify", "2024-02-07..2024-02-08"] + store
    try await program.succeeds(verify)
    let folder = copies(program)
    let files = FileManager.default
    func mode(_ path: String) throws -> Int? {
      try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(folder.path) == 0o700)
    let names = try files.contentsOfDirectory(atPath: folder.path)
    #expect(names.count == 2)
    for name in names {
      let file = folder.appending(path: name)
      #expect(try mode(file.path) == 0o600)
      let data = try Data(contentsOf: file)
      for word in [server.secretKey, server.accessKey, server.bucket, server.endpoint] {
        #expect(data.range(of: Data(word.utf8)) == nil && !name.contains(word))
      }
    }
    // Cut, spoilt, and gone: read again, and the same said.
    try Data().write(to: folder.appending(path: names[0]))
    try Data("{\"steps\":1}".utf8).write(to: folder.appending(path: names[1]))
    let spoilt = try await counting(program, verify)
    #expect(spoilt.run.exitCode == 0 && spoilt.gets == 2)
    try files.removeItem(at: folder)
    let gone = try await counting(program, verify)
    #expect(gone.run.exitCode == 0 && gone.gets == 2)
    #expect(try await counting(program, verify).gets == 0)
  }
}

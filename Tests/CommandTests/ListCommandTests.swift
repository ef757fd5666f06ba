import Foundation
import TestSupport
import Testing

/// `ls`: which days there are, by listing alone.
@Suite(.server) struct ListCommandTests {
  private func programWithDays() async throws -> Program {
    let program = try Program()
    for date in ["2026-02-03", "2026-02-04", "2026-02-07"] {
      try await program.put(payload(date))
    }
    // Ids of one second say nothing of which was made last.
    try await Task.sleep(for: .milliseconds(1100))
    try await program.put(payload("2026-02-03", steps: 1))
    return program
  }

  @Test func `days held, gaps and the newest are reported, for people and programs`() async throws {
    let program = try await programWithDays()
    let text = try await program.succeeds(
      ["ls"], printing: "2026-02-03  2026-02-04         2          3\n",
      "2026-02-05  2026-02-06         2    missing\n", "3 days stored, 2 missing in 1 gap\n",
      "newest day  2026-02-07, ")
    // The day that was corrected last is not the newest one.
    #expect(text.output.contains(#/last made   revision \S+ of 2026-02-03/#))
    let json = try await program.succeeds(["ls", "-o", "json"]).json()
    #expect(json["days_held"] as? Int == 3 && json["days_missing"] as? Int == 2)
    #expect(json["revisions"] as? Int == 4)
    let held = try #require(json["held"] as? [[String: Any]])
    #expect(held.map { $0["from"] as? String } == ["2026-02-03", "2026-02-07"])
    let newest = try #require(json["newest"] as? [String: String])
    #expect(newest["date"] == "2026-02-07")

    let part = try await program.succeeds(["ls", "2026-02-01..2026-02-05", "-o", "json"]).json()
    let gaps = try #require(part["gaps"] as? [[String: Any]])
    #expect(gaps.map { $0["from"] as? String } == ["2026-02-01", "2026-02-05"])
    #expect(try await program.succeeds(["ls", "7d"]).output.contains("no days stored"))
  }

  @Test func `objects that don't belong to the ledger are counted, one as one`() async throws {
    let program = try Program()
    try await program.put(payload())
    let data = program.defaultStore.appending(path: "health/v0/data")
    try Data([1]).write(to: data.appending(path: "a.txt"))
    try await program.succeeds(["ls"], printing: "; 1 object that doesn't belong to the ledger\n")
    try Data([1]).write(to: data.appending(path: "b.txt"))
    try await program.succeeds(["ls"], printing: "; 2 objects that don't belong to the ledger\n")
  }

  @Test(arguments: TestServer.one)
  func `a bucket's days are listed, and a listing that fails is not part of an answer`(
    server: TestServer
  ) async throws {
    let program = try Program().on(server)
    let store = server.arguments()
    try await program.fails(
      ["ls"] + store, as: .dataNotFound, saying: "the store holds no days yet")
    try await program.put(payload(), store)
    let json = try await program.succeeds(["ls", "-o", "json"] + store).json()
    #expect(json["days_held"] as? Int == 1)
    guard server.checksSignatures else { return }
    var stranger = program
    stranger.environment["AWS_SECRET_ACCESS_KEY"] = "wrong"
    try await stranger.fails(["ls"] + store, as: .notAuthorized)
  }

  @Test func `a listing that goes in circles is an error`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    try await program.fails(
      ["ls", "--store", "s3://bucket/p", "--endpoint-url", server.endpoint("listloop")],
      as: .storageUnavailable)
  }
}

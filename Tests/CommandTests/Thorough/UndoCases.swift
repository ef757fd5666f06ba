import Foundation
import TestSupport
import Testing

/// Further stores and orders of an undo (R20).
extension UndoTests {
  @Test(arguments: TestServer.all)
  func `R20 a run is undone, restored and undone again in a bucket`(server: TestServer) async throws
  {
    let house = Household(
      try Program().on(server), server.arguments(prefix: "undo/\(UUID())"))
    defer { house.program.removeHome() }
    try await story(house)
  }

  @Test func `R20, R24 a run is undone in a bucket without compare-and-swap`() async throws {
    let server = try HostileStore()
    let house = Household(
      try Program().onHostile(),
      ["--store", "s3://bucket/p", "--endpoint-url", server.endpoint("says501")])
    defer { house.program.removeHome() }
    try await story(house)
  }

  @Test func `R20 the first of two runs is undone below the second, in either order`() async throws
  {
    let house = try Household.inFolder()
    defer { house.program.removeHome() }
    let all = Household.dates.prefix(2)
    let first = try await house.publish(
      ["import", try house.export("a.xml", all.map { ($0, 100) }, hour: 8)])
    let second = try await house.publish(
      ["import", try house.export("b.xml", all.map { ($0, 200) }, hour: 9)])
    try await house.run(["undo", first, "--yes"])
    #expect(try await house.steps().prefix(2) == [200, 200])
    try await house.run(["undo", second, "--yes"])
    #expect(try await house.steps().prefix(2) == [nil, nil])
    try await house.run(["undo", first, "--restore", "--yes"])
    #expect(try await house.steps().prefix(2) == [100, 100])
    try await house.run(["undo", second, "--restore", "--yes"])
    #expect(try await house.steps().prefix(2) == [200, 200])
  }

  @Test func `R20, R49 a hub's payload is undone, and stays so when its days are looked at again`()
    async throws
  {
    let story = try Story()
    defer { story.program.removeHome() }
    try await story.tell(.payload(Telling.steps([9: 100]), at: 32, by: .hub))
    try await story.tell(.payload(Telling.steps([10: 5000]), at: 33, by: .hub))
    #expect(try await story.steps() == 5100)
    let runs = try #require(
      try await story.run(["runs", "--since", "all", "-o", "json"]).json()["runs"]
        as? [[String: Any]])
    let last = try #require(runs.first?["run"] as? String)
    #expect(runs.first?["sources"] as? [String] == ["streams"])
    try await story.run(["undo", last, "--yes"])
    #expect(try await story.steps() == 100)
    try await story.derive()
    #expect(try await story.steps() == 100)
    try await story.run(["undo", last, "--restore", "--yes"])
    #expect(try await story.steps() == 5100)
  }
}

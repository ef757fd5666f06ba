import TestSupport
import Testing

/// s3race on a store of which a node dies before the first round, after so many requests.
@Suite(.process, .slow) struct DyingNodeRaceTests {
  private let server: HostileStore

  init() throws { server = try HostileStore() }

  private func arguments(_ requests: Int, _ modes: [String]) -> [String] {
    [
      "--store", "s3://after-\(requests)/p", "--publishes", "8", "--writers", "2", "--processes",
      "2", "--kills", "0", "--faults", "none",
    ] + modes.flatMap { ["--endpoint-url", server.endpoint($0)] }
  }

  /// A look, the claim of the scratch folder (4 requests), the neighbours; then the probe.
  @Test func `a node that dies while it is probed is left out, and its part of the probe removed`()
    async throws
  {
    let program = try Program().onHostile().race
    defer { program.removeHome() }
    let race = try await program.succeeds(
      arguments(12, ["diesafter", "honest"]) + ["--output", "json"])
    let found = try #require(try race.json()["store_race"] as? [String: Any])
    #expect(found["good"] as? Bool == true)
    #expect(found["endpoints"] as? Int == 1)
    #expect(found["endpoints_left_out"] as? [String] == [server.endpoint("diesafter")])
    #expect((found["conditional_writes"] as? String)?.hasPrefix("compare-and-swap") == true)
    #expect(try await server.keys() == [], "\(race.errors)")
  }

  @Test(arguments: [(2, ".s3health-race/"), (12, "health/v0/.probe/"), (40, "health/v0/.probe/")])
  func `where no other node answers, what is left is named, with what removes it`(
    requests: Int, place: String
  ) async throws {
    let program = try Program().onHostile().race
    defer { program.removeHome() }
    let race = try await program.run(arguments(requests, ["diesafter"]))
    #expect(race.exitCode == 69, "\(race.output)\(race.errors)")
    let left = try await server.keys()
    #expect(!left.isEmpty)
    for key in left {
      #expect(key.hasPrefix("p/\(place)"))
      // Up to the random name, which is the race's alone.
      let folder = key.split(separator: "/").dropLast().joined(separator: "/")
      #expect(race.errors.contains("scratch objects are left below \(folder)/"), "\(race.errors)")
    }
    #expect(race.errors.contains("do:     remove all that lies there"), "\(race.errors)")
  }
}

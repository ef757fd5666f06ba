import Race
import Testing

@Suite(.unit, .slow) struct QueueWorldTests {
  private func explore(
    _ change: (inout OutboxScenario) -> Void
  ) -> Exploration<QueueWorld> {
    var scenario = OutboxScenario()
    change(&scenario)
    return Exploration(of: QueueWorld(scenario))
  }

  @Test func `R47, R48: nothing acknowledged is lost or stored twice, whatever is killed when`() {
    expectSound(
      explore { $0.collectors = 1 },
      fired: [
        "lost answer", "server error", "offline", "delayed create", "a sync killed",
        "a collector killed",
      ])
  }

  @Test func `R47: two collectors queue each sample once, whichever is killed when`() {
    expectSound(explore { ($0.faults, $0.syncs) = (0, 1) }, fired: ["a collector killed"])
  }

  @Test func `R48: a clock that is set back a year stops no batch`() {
    expectSound(
      explore { ($0.clockJumps, $0.collectors, $0.crashes) = (1, 1, 0) }, fired: ["clock set back"])
  }

  @Test func `R48: one entry that is refused holds up no other`() {
    expectSound(explore { ($0.refused, $0.crashes, $0.collectors) = (1, 0, 1) }, fired: ["offline"])
  }

  @Test func `R48: what is dropped for space leaves a gap and is read again`() {
    expectSound(
      explore { ($0.drops, $0.faults, $0.collectors) = (1, 0, 1) }, fired: ["row dropped"])
  }

  @Test func `R47, R48: random orders break no promise, and fire every fault`() {
    var race = ModelRace()
    race.runs = 600
    let report = race.race(OutboxField(), exploring: [])
    #expect(report.failure == nil && report.unfired.isEmpty, "\(report.unfired)")
  }

  @Test(arguments: [
    (OutboxFlaw.unsealed, OutboxOracle.once), (.confirmsBeforeStoring, .uploaded),
    (.dropsSilently, .gaps), (.anchorApart, .queued),
  ])
  func `the oracles catch what is built wrong`(flaw: OutboxFlaw, oracle: OutboxOracle) throws {
    let way = try #require(try ModelRace().caught(OutboxField(flaw))).way
    #expect(way.breach.oracle == oracle.rawValue, "\(way.breach)")
    #expect(!way.steps.isEmpty)
    // Every order finds it, too.
    for world in OutboxField(flaw).worlds(isThorough: false) {
      #expect(Exploration(of: world).breach != nil)
    }
  }
}

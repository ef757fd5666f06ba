import Race
import Testing

@Suite(.unit, .slow) struct QueueWorldTests {
  private func explore(
    _ change: (inout QueueWorld.Scenario) -> Void
  ) -> Exploration<QueueWorld> {
    var scenario = QueueWorld.Scenario()
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

  @Test(arguments: [
    (QueueWorld.Flaw.unsealed, "is stored in 2 batches"),
    (.confirmsBeforeStoring, "left the outbox as uploaded"),
    (.dropsSilently, "no gap says so"), (.anchorApart, "was never queued"),
  ])
  func `the oracles catch what is built wrong`(flaw: QueueWorld.Flaw, breach: String) throws {
    let exploration = explore {
      $0.flaw = flaw
      if flaw == .dropsSilently { $0.drops = 1 }
    }
    let example = try #require(exploration.counterexample)
    #expect(example.breach.contains(breach), "\(example.breach)")
    #expect(!example.steps.isEmpty)
  }
}

import StreamRaces
import Testing

@Suite struct DayWorldTests {
  private func explore(_ change: (inout DayWorld.Scenario) -> Void) -> Exploration<DayWorld> {
    var scenario = DayWorld.Scenario()
    change(&scenario)
    return Exploration(of: DayWorld(scenario))
  }

  @Test func `R49: two hubs that receive batches of one day end with the figures of both`() {
    expectSound(
      explore { _ in }, fired: ["crash", "crash with a create in flight", "delayed create"])
  }

  @Test func `R49: a clock that is ahead wins no day with fewer samples`() {
    expectSound(explore { ($0.skew, $0.crashes) = (3, 0) }, fired: [])
  }

  @Test func `R46: a lost answer stores nothing twice and loses nothing`() {
    expectSound(explore { ($0.lostAnswers, $0.crashes) = (1, 0) }, fired: ["lost answer"])
  }

  @Test func `R49: what somebody else publishes meanwhile is an input`() {
    expectSound(
      explore {
        ($0.hasForeignPublisher, $0.crashes) = (true, 0)
        // Each hub may make the day once more, and the foreign publisher stores one.
        $0.mostRevisions = 9
      }, fired: ["foreign revision"])
  }

  @Test(arguments: [
    (DayWorld.Flaw.noSecondPass, "the newest revision has the figures"),
    (.markerLate, "the newest revision has the figures"),
    (.sweptEarly, "the newest revision has the figures"),
    (.acknowledgedEarly, "was acknowledged and is not stored"),
    (.idPerInstance, "revisions were written of one day"),
    (.markerShared, "the newest revision has the figures"),
  ])
  func `the oracles catch what is built wrong`(flaw: DayWorld.Flaw, breach: String) throws {
    let exploration = explore {
      $0.flaw = flaw
      if flaw == .sweptEarly { $0.earlySweeps = 1 }
      if flaw == .markerShared { $0.resends = 1 }
    }
    let example = try #require(exploration.counterexample)
    #expect(example.breach.contains(breach), "\(example.breach)\n\(example.steps)")
  }
}

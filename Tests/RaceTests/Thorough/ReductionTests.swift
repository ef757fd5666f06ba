import Testing

@testable import Race

/// Steps that an exploration leaves out must hide no broken promise: every control is explored with
/// all steps and with the essential ones, and the verdicts must be the same.
@Suite(.unit) struct ReductionTests {
  /// What every subject is explored in: faults, crashes, a stranger, a third writer.
  private static func scenarios(_ flaw: LedgerFlaw?) -> [Scenario] {
    var scenarios: [Scenario] = []
    for start in Scenario.Start.allCases {
      for (faults, crashes) in [(1, 0), (0, 1)] {
        var scenario = Scenario()
        (scenario.flaw, scenario.start) = (flaw, start)
        (scenario.faults, scenario.crashes) = (faults, crashes)
        scenario.readers = faults
        scenarios.append(scenario)
      }
    }
    var skipping = scenarios[2]
    (skipping.movesPointer, skipping.crashes) = (false, 1)
    var interfered = scenarios[2]
    (interfered.faults, interfered.interference, interfered.readers) = (0, 1, 1)
    var colliding = scenarios[1]
    (colliding.clocks, colliding.hasTwins) = (.same, true)
    var backwards = scenarios[1]
    (backwards.clocks, backwards.writers, backwards.crashes) = (.backwards, 1, 2)
    var three = scenarios[0]
    (three.writers, three.readers, three.faults) = (3, 0, 0)
    var outdated = scenarios[2]
    (outdated.hasOutdated, outdated.faults, outdated.crashes) = (true, 1, 0)
    var twice = scenarios[0]
    (twice.readers, twice.faults) = (0, 2)
    return scenarios + [skipping, interfered, colliding, backwards, three, outdated, twice]
  }

  @Test(arguments: [nil] + LedgerFlaw.allCases.map(Optional.some))
  func `the essential steps show what all steps show`(flaw: LedgerFlaw?) throws {
    var isCaught = false
    for scenario in Self.scenarios(flaw) {
      let worlds = try [false, true].map { try LedgerWorld(scenario, isReduced: $0) }
      let found = worlds.map { Exploration(of: $0) }
      let (all, essential) = (found[0], found[1])
      #expect(found.allSatisfy { $0.isComplete || $0.breach != nil })
      #expect((all.breach == nil) == (essential.breach == nil), "\(scenario) \(all.steps)")
      if all.breach == nil {
        #expect(worlds[0].branches == worlds[1].branches, "\(scenario)")
        #expect(essential.states <= all.states)
      } else {
        isCaught = true
        // What the reduced one found is a way like any other.
        let run = RandomRun(of: worlds[0], essential.steps)
        #expect(run.breach?.oracle == essential.breach?.oracle)
      }
    }
    #expect(isCaught == (flaw != nil))
  }

  @Test(.nightly) func `the reduction is worth its name`() throws {
    var scenario = Scenario()
    (scenario.start, scenario.readers, scenario.faults) = (.present, 1, 2)
    let all = try Exploration(of: LedgerWorld(scenario, isReduced: false)).states
    let essential = try Exploration(of: LedgerWorld(scenario)).states
    #expect(all > 5 * essential, "\(all) \(essential)")
  }
}

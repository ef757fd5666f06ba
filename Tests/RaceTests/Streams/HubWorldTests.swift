import Race
import TestSupport
import Testing

/// Two hubs, a sweeper, another writer and a table, on one bucket (R46, R49, R54, R56).
@Suite(.unit, .slow) struct HubWorldTests {
  private func explore(_ change: (inout HubScenario) -> Void) -> Exploration<HubWorld> {
    var scenario = HubScenario()
    scenario.crashes = 0
    change(&scenario)
    return Exploration(of: HubWorld(scenario))
  }

  @Test func `R49: two hubs that receive batches of one day end with the figures of both`() {
    expectSound(explore { _ in }, fired: [])
  }

  @Test(arguments: [1500, 33_400])
  func `R46, R49, R56: random orders with crashes and lost answers break no promise`(
    seed: UInt64
  ) {
    for number in 0..<300 {
      let (start, run) = StreamRace.hubRun(seed + UInt64(number))
      #expect(run.breach == nil, "seed \(seed): \(run.lines(from: start))")
    }
  }

  @Test func `every fault of the hubs' world fires, and a seed gives the same run each time (R49)`()
  {
    var race = StreamRace(.hubs)
    (race.explores, race.runs, race.mostControlRuns) = (false, 600, 0)
    let report = race.run()
    #expect(report.unfired.isEmpty && report.failure == nil)
    #expect(report.runs == 600)
    #expect(StreamRace.hubRun(7).run.taken == StreamRace.hubRun(7).run.taken)
  }

  @Test(arguments: TestDepth.one(of: 3, HubFlaw.allCases.filter { $0 != .none }))
  func `the oracles catch what is built wrong`(flaw: HubFlaw) throws {
    let oracle: HubBreach.Oracle =
      switch flaw {
      case .instanceInPayload: .bounded
      case .blindPointer: .pointer
      case .acknowledgedEarly: .stored
      case .rowsAfterMarker, .rowsUnordered: .rows
      default: .figures
      }
    // Near a seed that catches it, because a debug build takes long for thousands of runs.
    var race = StreamRace(.hubs)
    let seeds: [HubFlaw: UInt64] = [
      .uncovered: 5300, .markerShared: 1690, .rowsUnordered: 1280, .markerFreedByRetry: 11_940,
    ]
    race.seed = seeds[flaw] ?? 1
    let caught = try #require(race.caught(flaw), "\(flaw) is not caught")
    #expect(caught.breach.hasPrefix(oracle.rawValue), "\(caught.breach)")
    #expect(caught.steps.count < 100)
  }
}

import Race
import TestSupport
import Testing

/// Compactors, a reader, late batches and batches that are sent again (R66).
@Suite(.unit, .nightly) struct PackWorldTests {
  @Test(arguments: PackScenario.all(isThorough: false).map(\.0))
  func `R66: small worlds of compactors, in every order, lose no batch and no receipt`(
    world: String
  ) throws {
    let scenario = try #require(PackScenario.all(isThorough: false).first { $0.0 == world }?.1)
    var fired: Set<String> = []
    if scenario.kills > 0 { fired.insert("kill") }
    if scenario.lateWrites > 0 { fired.formUnion(["write in flight", "delayed write"]) }
    if scenario.resends > 0 { fired.insert("resend") }
    if scenario.lateBatches > 0 { fired.insert("late batch") }
    let exploration = Exploration(of: PackWorld(scenario))
    expectSound(exploration, fired: fired)
    print("\(world): \(exploration.states) states, \(exploration.ends) ends")
  }

  @Test(arguments: [1, 40_000] as [UInt64])
  func `R66: random orders with kills, late batches and writes in flight break no promise`(
    seed: UInt64
  ) {
    var faults: Set<String> = []
    for number in 0..<1500 {
      let (start, run) = StreamRace.packRun(seed + UInt64(number))
      faults.formUnion(run.faults.keys)
      #expect(
        run.breach == nil, "seed \(seed) + \(number): \(run.shrunk(of: start).lines(from: start))")
    }
    #expect(faults == Set(PackWorld.faults))
  }

  @Test(arguments: PackFlaw.allCases.filter { $0 != .none })
  func `R66: the oracles catch a compactor or reader that is built wrong`(flaw: PackFlaw) throws {
    let promise =
      switch flaw {
      case .newOrder, .smallCounts, .noSecondListing, .monthUnknown: "first receipt"
      case .removedAtOnce, .absentIsGone, .replacedUnseen, .monthUnread: "read whole"
      default: "stored"
      }
    let start = PackWorld(flaw.scenario)
    for seed in 0..<20_000 as Range<UInt64> {
      let run = RandomRun(of: start, seed: seed)
      guard let breach = run.breach else { continue }
      #expect(breach.hasPrefix(promise), "\(run.shrunk(of: start).lines(from: start))")
      return
    }
    Issue.record("\(flaw) is not caught")
  }
}

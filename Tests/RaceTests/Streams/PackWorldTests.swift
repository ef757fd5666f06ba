import Race
import Testing

/// Compactors, a reader, late batches and batches that are sent again (R66).
@Suite(.tags(.unit, .slow)) struct PackWorldTests {
  private func explore(_ change: (inout PackScenario) -> Void) -> Exploration<PackWorld> {
    var scenario = PackScenario()
    change(&scenario)
    return Exploration(of: PackWorld(scenario))
  }

  @Test func `R66: one compactor and a reader in every order lose no batch and no receipt`() {
    expectSound(
      explore { ($0.compactors, $0.lateBatches, $0.lateWrites) = (1, 0, 0) },
      fired: ["kill", "resend"])
  }

  @Test func `R66: two compactors, a write in flight and a batch sent again lose nothing`() {
    expectSound(
      explore { ($0.reads, $0.runs, $0.kills, $0.lateBatches) = (0, 1, 0, 0) },
      fired: ["write in flight", "resend", "delayed write"])
  }

  @Test(arguments: [1, 40_000] as [UInt64])
  func `R66: random orders with kills, late batches and writes in flight break no promise`(
    seed: UInt64
  ) {
    var faults: Set<String> = []
    for number in 0..<1500 {
      var scenario = PackScenario()
      scenario.runs = 1 + number % 4
      scenario.kills = number % 3
      scenario.lateWrites = number % 4
      scenario.reads = 1 + number % 2
      scenario.resends = number % 3
      scenario.pauses = 1 + number % 4
      let start = PackWorld(scenario)
      let run = RandomRun(of: start, seed: seed + UInt64(number))
      faults.formUnion(run.faults.keys)
      #expect(
        run.breach == nil, "seed \(seed) + \(number): \(run.shrunk(of: start).lines(from: start))")
    }
    #expect(
      faults == [
        "kill", "kill with a write in flight", "write in flight", "delayed write", "late batch",
        "late batch in flight", "resend",
      ])
  }

  @Test(arguments: PackFlaw.allCases.filter { $0 != .none })
  func `R66: the oracles catch a compactor or reader that is built wrong`(flaw: PackFlaw) throws {
    let promise =
      switch flaw {
      case .newOrder, .smallCounts, .noSecondListing: "first receipt"
      case .removedAtOnce, .absentIsGone, .replacedUnseen: "read whole"
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

/// Two hubs that make the days of one bucket, a sweeper, another writer and a table.
package struct HubField: RacedField {
  package static let name = "hubs"

  private let flaw: HubFlaw?

  package init(_ flaw: HubFlaw? = nil) { self.flaw = flaw }

  /// Not with another writer, and not with a slow receipt: their orders do not fit into memory, so
  /// that random runs alone have them.
  package func worlds(isThorough: Bool) -> [HubWorld] {
    if let flaw { return [HubWorld(flaw.scenario)] }
    func made(_ change: (inout HubScenario) -> Void) -> HubWorld {
      var scenario = HubScenario()
      scenario.crashes = 0
      change(&scenario)
      return HubWorld(scenario)
    }
    let small = [made { _ in }, made { $0.skew = 3 }]
    guard isThorough else { return small }
    return small + [
      made { $0.crashes = 1 }, made { $0.lostAnswers = 1 }, made { $0.timeouts = 1 },
      made { $0.resends = 1 },
    ]
  }

  package func run(of seed: UInt64) -> RandomRun<HubWorld> {
    RandomRun(of: HubWorld(flaw?.scenario ?? Self.scenario(of: seed)), seed: seed)
  }

  private static func scenario(of seed: UInt64) -> HubScenario {
    var scenario = HubScenario()
    // Two seeds in a row have the same beginning, because even and odd ones choose in different ways.
    let choice = Int((seed >> 1) % 32)
    scenario.crashes = choice & 3
    scenario.lostAnswers = 3 - choice & 3
    scenario.timeouts = choice >> 2 & 1
    scenario.touchesTwoDays = choice >> 3 & 1 == 1
    scenario.hasTables = choice >> 4 & 1 == 1
    let other = Int((seed >> 6) % 8)
    scenario.otherPublishes = [0, 0, 1, 2][other & 3]
    scenario.resends = other & 1
    scenario.earlySweeps = other >> 2
    scenario.usesOneHub = seed >> 9 & 3 == 3
    scenario.skew = other == 3 || other == 6 ? 3 : 0
    scenario.stalls = (choice + other).isMultiple(of: 3) ? 1 : 0
    scenario.mostRevisions = 16
    return scenario
  }

  package static let faults = [
    "crash", "crash with writes in flight", "answer lost", "write in flight", "delayed write",
    "recompute given up", "resend", "revision of another writer", "slow receipt",
  ]
}

/// Two collectors and two syncs of one outbox, and a receiver.
package struct OutboxField: RacedField {
  package static let name = "outbox"

  private let flaw: OutboxFlaw?

  package init(_ flaw: OutboxFlaw? = nil) { self.flaw = flaw }

  package func worlds(isThorough: Bool) -> [QueueWorld] {
    if let flaw { return [QueueWorld(flaw.scenario)] }
    func made(_ change: (inout OutboxScenario) -> Void) -> QueueWorld {
      var scenario = OutboxScenario()
      change(&scenario)
      return QueueWorld(scenario)
    }
    let small = [
      made { $0.collectors = 1 },
      made { ($0.faults, $0.syncs) = (0, 1) },
      made { ($0.clockJumps, $0.collectors, $0.crashes) = (1, 1, 0) },
      made { ($0.refused, $0.crashes, $0.collectors) = (1, 0, 1) },
      made { ($0.drops, $0.faults, $0.collectors, $0.syncs) = (1, 0, 1, 1) },
    ]
    guard isThorough else { return small }
    return small + [
      made { _ in },
      made { ($0.collectors, $0.faults) = (1, 2) },
      made { ($0.refused, $0.collectors, $0.faults, $0.crashes) = (1, 1, 2, 0) },
    ]
  }

  package func run(of seed: UInt64) -> RandomRun<QueueWorld> {
    let worlds = worlds(isThorough: true)
    // Two seeds in a row have the same beginning, because even and odd ones choose in different ways.
    return RandomRun(of: worlds[Int((seed >> 1) % UInt64(worlds.count))], seed: seed)
  }

  package static let faults = [
    "lost answer", "server error", "offline", "delayed create", "a sync killed",
    "a collector killed", "clock set back", "row dropped",
  ]
}

/// What a race of an outbox begins with, and how much may go wrong in it.
package struct OutboxScenario: Hashable, Sendable {
  package var flaw: OutboxFlaw?
  package var samples = 3
  package var syncs = 2
  package var collectors = 2
  /// How many deliveries go wrong.
  package var faults = 1
  package var crashes = 1
  package var clockJumps = 0
  package var drops = 0
  /// An entry that the receiver refuses.
  package var refused: Int?

  package init() {}

  /// In a few words, for a table.
  var title: String {
    [
      collectors.counted("collector"), syncs.counted("sync"), faults.counted("fault"),
      crashes.counted("kill"), clockJumps.counted("clock set back"),
      refused.map { _ in "an entry refused" }, drops.counted("row dropped"),
    ].compactMap(\.self).joined(separator: ", ")
  }
}

/// A mistake to build into a race of an outbox; the oracles must find it.
package enum OutboxFlaw: String, RaceFlaw {
  case unsealed
  case confirmsBeforeStoring
  case dropsSilently
  case anchorApart

  /// What is wrong, for people.
  package var summary: String {
    switch self {
    case .unsealed: "a batch is made again for each delivery, of what waits then"
    case .confirmsBeforeStoring: "the receiver confirms first and stores later"
    case .dropsSilently: "rows that are dropped leave no gap"
    case .anchorApart: "the anchor moves before its entries are queued"
    }
  }

  /// A scenario in which the mistake can do harm.
  var scenario: OutboxScenario {
    var scenario = OutboxScenario()
    (scenario.flaw, scenario.drops) = (self, self == .dropsSilently ? 1 : 0)
    return scenario
  }
}

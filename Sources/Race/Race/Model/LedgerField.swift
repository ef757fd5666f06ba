import StoreTesting

/// Writers and readers of one day of a ledger: what is raced of it.
package final class LedgerField: RacedField {
  package static let name = "ledger"

  private let flaw: LedgerFlaw?
  /// Those of the worlds that are explored, where no publish may run out of its sends.
  private let quiet: LedgerRules
  private let counting: LedgerRules
  /// Where random runs begin.
  private let beginnings: [LedgerWorld]

  package init(_ flaw: LedgerFlaw? = nil) throws {
    self.flaw = flaw
    quiet = try LedgerRules(flaw, countsSends: false)
    let counting = try LedgerRules(flaw)
    self.counting = counting
    beginnings = Self.scenarios(flaw).map { LedgerWorld($0, isReduced: false, counting) }
  }

  package func world(_ scenario: Scenario) -> LedgerWorld {
    var scenario = scenario
    scenario.flaw = flaw
    return LedgerWorld(
      scenario, isReduced: true, scenario.canUseUpSends ? counting : quiet)
  }

  /// Two writers and a reader.
  package func worlds(isThorough: Bool) -> [LedgerWorld] {
    Scenario.all(writers: 2, readers: 1, faults: 1, crashes: isThorough ? 1 : 0).map(world)
  }

  package var decisions: (all: [String], taken: Set<String>) {
    let taken = quiet.automata.branches.union(counting.automata.branches)
    return (PublishBranch.allCases.map(\.rawValue), Set(taken.map(\.rawValue)))
  }

  package static let faults =
    RequestOutcome.faults.map(\.rawValue) + ["crash", "crash with a write in flight"]
    + LedgerWorld.Step.Interference.allCases.map(\.rawValue)

  // MARK: Random runs

  private static func scenarios(_ flaw: LedgerFlaw?) -> [Scenario] {
    var scenarios: [Scenario] = []
    for start in Scenario.Start.allCases {
      for clocks in Scenario.Clocks.allCases {
        for count in [2, 3, 3, 4] {
          for variant in 0..<(flaw?.isOfStore == false ? 4 : 5) {
            var scenario = Scenario()
            scenario.flaw = flaw
            (scenario.start, scenario.clocks, scenario.writers) = (start, clocks, count)
            scenario.hasTwins = variant == 1 && count > 1
            scenario.hasOutdated = flaw == nil && variant == 2 && start == .present
            scenario.readers = variant == 2 ? 2 : 1
            scenario.reads = variant == 3 ? 2 : 1
            // A client that read an absent or corrupt pointer can't notice a second such read.
            scenario.interference = variant == 3 && start == .present ? 1 : 0
            // A broken protocol differs in how it moves the pointer; but what is above a parent counts where
            // there is none.
            scenario.movesPointer = variant != 4 && flaw != .parentIsEnough
            scenarios.append(scenario)
          }
        }
      }
    }
    return scenarios
  }

  /// Fault positions are enumerated and not sampled: consecutive pairs of seeds go through every
  /// fault at each of the first writes. Only a second fault, crashes and interference are random.
  package func run(of seed: UInt64) -> RandomRun<LedgerWorld> {
    var random = SplitMix64(seed: seed)
    var start = beginnings[random.below(beginnings.count)]
    start.recorder = Recorder(start.state)
    let plan = Plan(seed, start.scenario, &random)
    var order = RandomOrder(of: seed, actors: 9, horizon: 40, &random)
    var writes = 0
    return RandomRun(of: start) { world, time in
      if let interference = plan.interference, interference.step == time {
        return .interfere(interference.deed)
      }
      let actors = Self.actors(of: world.state)
      guard !actors.isEmpty else { return nil }
      var step = order.choice(of: actors, at: time, &random, actor: LedgerWorld.actor)
      let isStale = world.flaw == .eventualReads && random.below(4) == 0
      switch step {
      case .advance(let index, _):
        let writer = world.state.writers[index]
        let isWrite = world.rules.automata.request(writer.node).isWrite
        if plan.crash == time {
          return .crash(index, leavesWrite: isWrite && plan.leavesWrite)
        }
        if !isWrite, isStale { step = .advance(index, .stale) }
        if isWrite, writer.check == .none { step = .advance(index, plan.outcome(of: writes)) }
        writes += isWrite ? 1 : 0
      case .read(let index, _): step = .read(index, isStale: isStale)
      default: break
      }
      return step
    }
  }

  /// What each client would do next, if nothing went wrong.
  private static func actors(of state: LedgerState) -> [LedgerWorld.Step] {
    var steps: [LedgerWorld.Step] = []
    for index in state.writers.indices where state.writers[index].node != LedgerState.Client.done {
      steps.append(state.writers[index].isRunning ? .advance(index, .answered) : .restart(index))
    }
    for index in state.readers.indices where state.readers[index].remaining > 0 {
      steps.append(.read(index, isStale: false))
    }
    for index in state.late.indices { steps.append(.arrive(index)) }
    return steps
  }

  /// Which fault meets which write of a run, and when a writer dies.
  private struct Plan {
    private var faults: [(write: Int, outcome: RequestOutcome)] = []
    let crash: Int?
    let leavesWrite: Bool
    let interference: (step: Int, deed: LedgerWorld.Step.Interference)?

    private static let enumeratedWrites = 12

    init(_ seed: UInt64, _ scenario: Scenario, _ random: inout SplitMix64) {
      let outcomes = RequestOutcome.faults
      let place = Int((seed >> 1) % UInt64(1 + Self.enumeratedWrites * outcomes.count))
      if place > 0 {
        faults.append(((place - 1) / outcomes.count, outcomes[(place - 1) % outcomes.count]))
      }
      if random.below(2) == 0 {
        faults.append(
          (random.below(Self.enumeratedWrites), outcomes[random.below(outcomes.count)]))
      }
      crash = random.below(3) == 0 ? random.below(24) : nil
      leavesWrite = random.below(2) == 0
      let deeds = LedgerWorld.Step.Interference.allCases
      interference =
        scenario.interference > 0
        ? deeds.randomElement(using: &random).map { (random.below(24), $0) } : nil
    }

    func outcome(of write: Int) -> RequestOutcome {
      for fault in faults where fault.write == write { return fault.outcome }
      return .answered
    }
  }
}

extension Scenario {
  /// Every start with these budgets, and further cases that can be explored completely: colliding
  /// ids, equal data, older data, interference by other programs, outcomes that need many faults, and
  /// the calendar's end.
  package static func all(
    writers: Int, readers: Int, faults: Int, crashes: Int
  ) -> [Scenario] {
    var base = Scenario()
    (base.writers, base.readers, base.faults, base.crashes) = (writers, readers, faults, crashes)
    var scenarios = Scenario.Start.allCases.map { start in
      var scenario = base
      scenario.start = start
      return scenario
    }
    var colliding = base
    colliding.clocks = .same
    var twins = base
    twins.start = .corrupt
    twins.hasTwins = writers > 1
    var outdated = base
    outdated.hasOutdated = true
    var interfered = base
    interfered.start = .present
    (interfered.faults, interfered.crashes, interfered.interference) = (
      crashes > 0 ? min(faults, 1) : 0, 0, 1
    )
    var interferedTwice = interfered
    (interferedTwice.readers, interferedTwice.faults, interferedTwice.interference) = (0, 0, 2)
    var givingUp = Scenario()
    (givingUp.writers, givingUp.readers, givingUp.faults, givingUp.crashes) = (1, 0, 16, 0)
    givingUp.outcomes = [.conflict, .lostBefore]
    var ending = Scenario()
    ending.isAtCalendarEnd = true
    var skipping = base
    (skipping.start, skipping.movesPointer) = (.present, false)
    scenarios += [
      colliding, twins, outdated, skipping, interfered, interferedTwice, givingUp, ending,
    ]
    return scenarios
  }
}

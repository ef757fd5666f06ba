import StoreTesting

/// Runs random schedules of one subject. The seed determines a run completely.
///
/// Fault positions are enumerated and not sampled: consecutive pairs of seeds go through every
/// fault at each of the first writes. Only a second fault, crashes and interference are random.
struct RandomRuns {
  var model: RaceModel
  private let scenarios: [Scenario]
  private let beginnings: [World]
  /// Scratch space.
  private var actors: [Actor] = []

  private enum Actor: Hashable {
    case writer(Int)
    case reader(Int)
    case arrival(Int)

    /// Its number in the order.
    var place: Int {
      switch self {
      case .writer(let index): index
      case .reader(let index): 4 + index
      case .arrival: 8
      }
    }
  }

  static let enumeratedWrites = 12

  init(_ subject: Subject, writers: Int? = nil) throws {
    model = try RaceModel(subject)
    var scenarios: [Scenario] = []
    for start in Scenario.Start.allCases {
      for clocks in Scenario.Clocks.allCases {
        for count in writers.map({ [$0] }) ?? [2, 3, 3, 4] {
          for variant in 0..<(subject.protocolFlaw == nil ? 5 : 4) {
            var scenario = Scenario()
            scenario.subject = subject
            (scenario.start, scenario.clocks, scenario.writers) = (start, clocks, count)
            scenario.hasTwins = variant == 1 && count > 1
            scenario.hasOutdated = subject == .sound && variant == 2 && start == .present
            scenario.readers = variant == 2 ? 2 : 1
            scenario.reads = variant == 3 ? 2 : 1
            // A client that read an absent or corrupt pointer can't notice a second such read.
            scenario.interference = variant == 3 && start == .present ? 1 : 0
            // A broken protocol differs in how it moves the pointer; but what is above a parent counts where
            // there is none.
            scenario.movesPointer = variant != 4 && subject.protocolFlaw != .parentIsEnough
            scenarios.append(scenario)
          }
        }
      }
    }
    self.scenarios = scenarios
    beginnings = scenarios.map { [model] in model.beginning($0) }
  }

  /// Which fault meets which write of a run, and when a writer dies.
  private struct Plan {
    var faults: [(write: Int, outcome: RequestOutcome)] = []
    var crash: Int?
    var leavesWrite = false
    var interference: (step: Int, deed: Step.Interference)?

    func outcome(of write: Int) -> RequestOutcome {
      for fault in faults where fault.write == write { return fault.outcome }
      return .answered
    }
  }

  mutating func race(_ seed: UInt64) -> Race {
    var random = SplitMix64(seed: seed)
    let choice = random.below(scenarios.count)
    let scenario = scenarios[choice]
    var race = Race(scenario, beginnings[choice])
    let plan = plan(seed, scenario, &random)
    var order = RandomOrder(of: seed, actors: 9, horizon: 40, &random)
    while true {
      let time = race.steps.count
      if let interference = plan.interference, interference.step == time {
        guard race.take(.interfere(interference.deed), &model) else { break }
        continue
      }
      collectActors(race.world)
      guard !actors.isEmpty else { break }
      let actor = order.choice(of: actors, at: time, &random, actor: \.place)
      guard race.take(step(of: actor, race, plan, time, &random), &model) else { break }
    }
    race.judge()
    return race
  }

  private func plan(_ seed: UInt64, _ scenario: Scenario, _ random: inout SplitMix64) -> Plan {
    var plan = Plan()
    let outcomes = RequestOutcome.faults
    let place = Int((seed >> 1) % UInt64(1 + Self.enumeratedWrites * outcomes.count))
    if place > 0 {
      plan.faults.append(((place - 1) / outcomes.count, outcomes[(place - 1) % outcomes.count]))
    }
    if random.below(2) == 0 {
      plan.faults.append(
        (random.below(Self.enumeratedWrites), outcomes[random.below(outcomes.count)]))
    }
    if random.below(3) == 0 { plan.crash = random.below(24) }
    plan.leavesWrite = random.below(2) == 0
    if scenario.interference > 0,
      let deed = Step.Interference.allCases.randomElement(using: &random)
    {
      plan.interference = (random.below(24), deed)
    }
    return plan
  }

  private mutating func collectActors(_ world: World) {
    actors.removeAll(keepingCapacity: true)
    for index in world.writers.indices
    where world.writers[index].node != World.Client.done {
      actors.append(.writer(index))
    }
    for index in world.readers.indices where world.readers[index].remaining > 0 {
      actors.append(.reader(index))
    }
    for index in world.late.indices { actors.append(.arrival(index)) }
  }

  private func step(
    of actor: Actor, _ race: Race, _ plan: Plan, _ time: Int, _ random: inout SplitMix64
  ) -> Step {
    let isStale = model.subject.storeFlaw == .eventualReads && random.below(4) == 0
    switch actor {
    case .writer(let index):
      let writer = race.world.writers[index]
      if writer.node == World.Client.crashed { return .restart(index) }
      let isWrite = model.automata.request(writer.node).isWrite
      if plan.crash == time { return .crash(index, leavesWrite: isWrite && plan.leavesWrite) }
      if isWrite {
        return .advance(index, writer.check == .none ? plan.outcome(of: race.writes) : .answered)
      }
      return .advance(index, isStale ? .stale : .answered)
    case .reader(let index): return .read(index, isStale: isStale)
    case .arrival(let index): return .arrive(index)
    }
  }
}

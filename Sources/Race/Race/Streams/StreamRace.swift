/// Races the machines of streams in one of their worlds: every order of events of small worlds,
/// random orders of larger ones, and the same with mistakes built in, each of which must be caught.
package struct StreamRace {
  /// A world to race in.
  package enum Place: String, CaseIterable, Sendable {
    /// Two hubs that make the days of one bucket, a sweeper, another writer and a table.
    case hubs
    /// Two collectors and two syncs of one outbox, and a receiver.
    case outbox
  }

  package let place: Place
  package var seed: UInt64 = 1
  /// Random runs; none in the world of the outbox, which is explored whole.
  package var runs = 20_000
  /// Whether to explore.
  package var explores = true
  /// Whether to explore with more going wrong, which takes minutes and gigabytes.
  package var isThorough = false
  /// Where an exploration stops, to limit memory.
  package var maximumStates = 20_000_000
  /// How many random runs a control may take before its world is explored; with none, neither.
  package var mostControlRuns = 20_000

  package init(_ place: Place) { self.place = place }

  /// What was found.
  package struct Report: Sendable {
    package struct Explored: Sendable {
      package let name: String
      package let states: Int
      package let transitions: Int
      package let ends: Int
      package let isComplete: Bool
    }

    package struct Control: Sendable {
      package let name: String
      package let summary: String
      /// What caught it, and how: nil if nothing did.
      package let caught: Caught?
    }

    package struct Caught: Sendable {
      package let breach: String
      /// The random runs that it took; nil if it was found by exploring.
      package let runs: Int?
      package let steps: [String]
    }

    package struct Failure: Sendable {
      package let breach: String
      package let steps: [String]
      /// The random run that found it; nil if it was found by exploring.
      package let seed: UInt64?
    }

    package var explored: [Explored] = []
    package var runs = 0
    package var steps = 0
    /// How often each fault fired.
    package var faults: [String: Int] = [:]
    /// Faults that were planned and never fired.
    package var unfired: [String] = []
    package var failure: Failure?
    package var controls: [Control] = []

    package var isComplete: Bool { explored.allSatisfy { $0.isComplete && $0.ends > 0 } }
    package var missed: [String] { controls.filter { $0.caught == nil }.map(\.name) }
    package var isGood: Bool {
      failure == nil && isComplete && missed.isEmpty && unfired.isEmpty
    }
  }

  /// - Parameter progress: called with a line for people before each part.
  package func run(progress: (String) -> Void = { _ in }) -> Report {
    var report = Report()
    switch place {
    case .hubs:
      if explores {
        for scenario in isThorough ? Self.thoroughHubs : Self.smallHubs {
          progress("exploring " + scenario.name)
          explore(HubWorld(scenario), named: Self.name(scenario), into: &report)
        }
      }
      race(into: &report, progress) { Self.hubRun($0) }
      if runs >= 500 {
        report.unfired = Self.hubFaults.filter { report.faults[$0] == nil }
      }
      for flaw in HubFlaw.allCases where flaw != .none && report.failure == nil {
        progress("negative control " + flaw.rawValue)
        report.controls.append(
          Report.Control(name: flaw.rawValue, summary: flaw.summary, caught: caught(flaw)))
      }
    case .outbox:
      for (name, scenario) in QueueWorld.Scenario.all(isThorough: isThorough) {
        progress("exploring " + name)
        explore(QueueWorld(scenario), named: name, into: &report)
      }
      report.unfired = QueueWorld.faults.filter { report.faults[$0] == nil }
      for flaw in QueueWorld.Flaw.allCases where flaw != .none && report.failure == nil {
        progress("negative control " + flaw.rawValue)
        let found = Exploration(of: QueueWorld(flaw.scenario)).counterexample
        report.controls.append(
          Report.Control(
            name: flaw.rawValue, summary: flaw.summary,
            caught: found.map { Report.Caught(breach: $0.breach, runs: nil, steps: $0.steps) }))
      }
    }
    return report
  }

  func explore<World: ExplorableWorld>(
    _ world: World, named name: String, into report: inout Report
  ) {
    guard report.failure == nil else { return }
    let found = Exploration(of: world, maximumStates: maximumStates)
    report.explored.append(
      Report.Explored(
        name: name, states: found.states, transitions: found.transitions, ends: found.ends,
        isComplete: !found.isCutOff && found.counterexample == nil))
    report.faults.merge(found.faults) { $0 + $1 }
    if let example = found.counterexample {
      report.failure = Report.Failure(breach: example.breach, steps: example.steps, seed: nil)
    }
  }

  func race<World: RacedWorld>(
    into report: inout Report, _ progress: (String) -> Void,
    _ run: (UInt64) -> (start: World, run: RandomRun<World>)
  ) {
    guard report.failure == nil else { return }
    for number in 0..<runs {
      if number.isMultiple(of: 5000) { progress("random run \(number) of \(runs)") }
      let (start, run) = run(seed &+ UInt64(number))
      report.runs += 1
      report.steps += run.taken.count
      report.faults.merge(run.faults) { $0 + $1 }
      guard run.breach != nil else { continue }
      let shortest = run.shrunk(of: start)
      report.failure = Report.Failure(
        breach: shortest.breach ?? "", steps: shortest.lines(from: start),
        seed: seed &+ UInt64(number))
      return
    }
  }

  /// Where the exploration of a control ends.
  private static var mostControlStates: Int { 500_000 }

  /// How a control is caught; nil if it is not.
  package func caught(_ flaw: HubFlaw) -> Report.Caught? { caught(HubWorld(flaw.scenario)) }

  func caught<World: RacedWorld>(_ start: World) -> Report.Caught? {
    for number in 0..<mostControlRuns {
      let run = RandomRun(of: start, seed: seed &+ UInt64(number))
      guard run.breach != nil else { continue }
      let shortest = run.shrunk(of: start)
      return Report.Caught(
        breach: shortest.breach ?? "", runs: number + 1, steps: shortest.lines(from: start))
    }
    guard mostControlRuns > 0 else { return nil }
    let found = Exploration(of: start, maximumStates: Self.mostControlStates).counterexample
    return found.map { Report.Caught(breach: $0.breach, runs: nil, steps: $0.steps) }
  }

  // MARK: - Scenarios

  /// The random run of a seed. A seed draws what the run begins with, too.
  package static func hubRun(
    _ seed: UInt64, flaw: HubFlaw = .none
  ) -> (start: HubWorld, run: RandomRun<HubWorld>) {
    let scenario = flaw == .none ? randomHubs(seed) : flaw.scenario
    let start = HubWorld(scenario)
    return (start, RandomRun(of: start, seed: seed))
  }

  /// What the run of a seed begins with.
  package static func randomHubs(_ seed: UInt64) -> HubScenario {
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

  /// Explored in seconds.
  private static var smallHubs: [HubScenario] {
    var (calm, clock) = (HubScenario(), HubScenario())
    calm.crashes = 0
    (clock.crashes, clock.skew) = (0, 3)
    return [calm, clock]
  }

  /// Explored in a minute. Not with another writer, and not with a slow receipt: their orders do not
  /// fit into memory, so that random runs alone have them.
  private static var thoroughHubs: [HubScenario] {
    func made(_ change: (inout HubScenario) -> Void) -> HubScenario {
      var scenario = HubScenario()
      scenario.crashes = 0
      change(&scenario)
      return scenario
    }
    return smallHubs + [
      made { $0.crashes = 1 }, made { $0.lostAnswers = 1 }, made { $0.timeouts = 1 },
      made { $0.resends = 1 },
    ]
  }

  private static func name(_ scenario: HubScenario) -> String {
    var words = [scenario.name]
    if scenario.crashes > 0 { words.append("a crash") }
    if scenario.lostAnswers > 0 { words.append("a lost answer") }
    if scenario.timeouts > 0 { words.append("a time-out") }
    return words.joined(separator: ", ")
  }

  private static let hubFaults = [
    "crash", "crash with writes in flight", "answer lost", "write in flight", "delayed write",
    "recompute given up", "resend", "revision of another writer", "slow receipt",
  ]
}

extension QueueWorld {
  static let faults = [
    "lost answer", "server error", "offline", "delayed create", "a sync killed",
    "a collector killed", "clock set back", "row dropped",
  ]
}

extension QueueWorld.Scenario {
  /// The sound worlds, with their names.
  static func all(isThorough: Bool) -> [(String, Self)] {
    func made(_ change: (inout Self) -> Void) -> Self {
      var scenario = Self()
      change(&scenario)
      return scenario
    }
    let small = [
      ("one collector, two syncs, a fault, a kill", made { $0.collectors = 1 }),
      ("two collectors, a sync, a kill", made { ($0.faults, $0.syncs) = (0, 1) }),
      (
        "a clock set back, a fault",
        made { ($0.clockJumps, $0.collectors, $0.crashes) = (1, 1, 0) }
      ),
      ("an entry refused, a fault", made { ($0.refused, $0.crashes, $0.collectors) = (1, 0, 1) }),
      (
        "a row dropped for space, a kill",
        made { ($0.drops, $0.faults, $0.collectors, $0.syncs) = (1, 0, 1, 1) }
      ),
    ]
    guard isThorough else { return small }
    return small + [
      ("two collectors, two syncs, a fault, a kill", made { _ in }),
      (
        "one collector, two syncs, two faults, a kill",
        made { ($0.collectors, $0.faults) = (1, 2) }
      ),
      (
        "an entry refused, two faults",
        made { ($0.refused, $0.collectors, $0.faults, $0.crashes) = (1, 1, 2, 0) }
      ),
    ]
  }
}

extension QueueWorld.Flaw {
  /// What is wrong, for people.
  var summary: String {
    switch self {
    case .none: "the machines as they are"
    case .unsealed: "a batch is made again for each delivery"
    case .confirmsBeforeStoring: "the receiver confirms first and stores later"
    case .dropsSilently: "rows that are dropped leave no gap"
    case .anchorApart: "the anchor moves before its entries are queued"
    }
  }

  /// A scenario in which the mistake can do harm.
  var scenario: QueueWorld.Scenario {
    var scenario = QueueWorld.Scenario()
    (scenario.flaw, scenario.drops) = (self, self == .dropsSilently ? 1 : 0)
    return scenario
  }
}

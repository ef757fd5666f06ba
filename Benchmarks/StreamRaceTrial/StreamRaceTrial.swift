import StreamRaces

/// Explores the worlds of streams with more going wrong than the tests have time for: every order of
/// events of two syncs of one outbox, and of two hubs with a sweeper that derive one day. A line for
/// each world and control; ends with an error if an oracle found something in a sound one, or
/// nothing in a control.
@main
struct StreamRaceTrial {
  private var failed = false

  static func main() throws {
    var trial = Self()
    trial.run()
    if trial.failed { throw Failure.found }
  }

  private enum Failure: Error { case found }

  private mutating func run() {
    outbox("two collectors, two syncs, a fault, a kill") { _ in }
    outbox("one collector, two syncs, two faults, a kill") { ($0.collectors, $0.faults) = (1, 2) }
    outbox("a clock set back, a fault") {
      ($0.clockJumps, $0.collectors, $0.crashes) = (1, 1, 0)
    }
    outbox("an entry refused, two faults") {
      ($0.refused, $0.collectors, $0.faults, $0.crashes) = (1, 1, 2, 0)
    }
    outbox("a row dropped for space, a fault, a kill") {
      ($0.drops, $0.collectors, $0.syncs) = (1, 1, 1)
    }
    day("two hubs, a crash") { _ in }
    day("two hubs, a lost answer") { ($0.lostAnswers, $0.crashes) = (1, 0) }
    day("two hubs, a clock ahead") { ($0.skew, $0.crashes) = (3, 0) }
    day("two hubs, a foreign publisher") {
      ($0.hasForeignPublisher, $0.mostRevisions, $0.crashes) = (true, 9, 0)
    }
    for flaw in QueueWorld.Flaw.allCases where flaw != .none {
      var scenario = QueueWorld.Scenario()
      (scenario.flaw, scenario.drops) = (flaw, flaw == .dropsSilently ? 1 : 0)
      control(flaw.rawValue, Exploration(of: QueueWorld(scenario)).counterexample?.breach)
    }
    for flaw in DayWorld.Flaw.allCases where flaw != .none {
      var scenario = DayWorld.Scenario()
      scenario.flaw = flaw
      scenario.earlySweeps = flaw == .sweptEarly ? 1 : 0
      scenario.resends = flaw == .markerShared ? 1 : 0
      control(flaw.rawValue, Exploration(of: DayWorld(scenario)).counterexample?.breach)
    }
  }

  private mutating func outbox(
    _ world: String, _ change: (inout QueueWorld.Scenario) -> Void
  ) {
    var scenario = QueueWorld.Scenario()
    change(&scenario)
    show("outbox, " + world, Exploration(of: QueueWorld(scenario), maximumStates: 40_000_000))
  }

  private mutating func day(_ world: String, _ change: (inout DayWorld.Scenario) -> Void) {
    var scenario = DayWorld.Scenario()
    change(&scenario)
    show(world, Exploration(of: DayWorld(scenario), maximumStates: 40_000_000))
  }

  private mutating func show<World: ExplorableWorld>(
    _ world: String, _ exploration: Exploration<World>
  ) {
    let faults = exploration.faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    print(
      "\(world): \(exploration.states) states, \(exploration.ends) ends; "
        + faults.joined(separator: ", "))
    if let found = exploration.counterexample {
      print("  \(found.breach):\n    \(found.steps.joined(separator: "\n    "))")
    }
    if exploration.isCutOff { print("  cut off at the limit of states") }
    let isSound = exploration.counterexample == nil && !exploration.isCutOff
    failed = failed || !isSound || exploration.ends == 0
  }

  private mutating func control(_ flaw: String, _ breach: String?) {
    print("control \(flaw): \(breach ?? "NOT CAUGHT")")
    failed = failed || breach == nil
  }
}

import Testing

@testable import Race

/// R20 to R30 under every interleaving, on small scenarios; the command explores larger ones.
@Suite(.unit, .slow) struct ExhaustiveTests {
  /// Every order of what a scenario allows.
  private func explore(
    isReduced: Bool = true, _ change: (inout Scenario) -> Void
  ) throws -> Exploration<LedgerWorld> {
    var scenario = Scenario()
    change(&scenario)
    return Exploration(of: try LedgerWorld(scenario, isReduced: isReduced))
  }

  private func expectSound(
    states: Int = 0, _ change: (inout Scenario) -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try explore(change)
    #expect(found.breach == nil, "\(found.steps)", sourceLocation: sourceLocation)
    #expect(
      found.isComplete && found.states > states, "\(found.states)",
      sourceLocation: sourceLocation)
  }

  @Test(arguments: Scenario.Start.allCases, [0, 1])
  func `two writers, a reader, a fault and a crash keep every promise`(
    start: Scenario.Start, crashes: Int
  ) throws {
    try expectSound(states: 400) { ($0.start, $0.crashes) = (start, crashes) }
  }

  @Test func `ids that collide, twins and a crash keep every promise`() throws {
    try expectSound {
      ($0.clocks, $0.hasTwins, $0.readers, $0.faults) = (.same, true, 0, 0)
    }
  }

  @Test func `three writers and a fault over an older pointer keep every promise`() throws {
    try expectSound(states: 2000) {
      ($0.start, $0.writers, $0.readers, $0.crashes) = (.present, 3, 0, 0)
    }
  }

  @Test func `two writers of the same data, two faults and a crash keep every promise`() throws {
    try expectSound(states: 1000) { ($0.hasTwins, $0.readers, $0.faults) = (true, 0, 2) }
  }

  @Test(arguments: Scenario.Start.allCases)
  func `R20 older data never replaces what a survey found to be captured later`(
    start: Scenario.Start
  ) throws {
    try expectSound { ($0.start, $0.hasOutdated, $0.crashes) = (start, true, 0) }
  }

  @Test func `a store that ignores If-Match needs an older pointer or a third writer`() throws {
    func isCaught(_ start: Scenario.Start, _ writers: Int) throws -> Bool {
      try explore {
        ($0.flaw, $0.faults, $0.crashes) = (.ignoresIfMatch, 0, 0)
        ($0.start, $0.writers) = (start, writers)
      }.breach != nil
    }
    #expect(try !isCaught(.absent, 2))
    #expect(try isCaught(.present, 2))
    #expect(try isCaught(.absent, 3))
  }

  @Test func `every branch of the publish machine is taken by some schedule`() throws {
    let field = try LedgerField()
    let worlds = Scenario.all(writers: 2, readers: 0, faults: 1, crashes: 0).map(field.world)
    let report = ModelRace().race(field, exploring: worlds)
    #expect(report.failure == nil, "\(String(describing: report.failure))")
    #expect(report.missedDecisions == [] && report.isComplete)
  }

  /// Two orders of two steps: the count must be of paths, not of states.
  @Test func `the interleavings are the paths`() throws {
    var scenario = Scenario()
    (scenario.writers, scenario.readers, scenario.faults, scenario.crashes) = (1, 0, 0, 0)
    let alone = try explore { $0 = scenario }
    #expect(alone.interleavings == 1)
    scenario.readers = 1
    let beside = try explore(isReduced: false) { $0 = scenario }
    #expect(beside.interleavings > 1)
    let world = try LedgerWorld(scenario, isReduced: false)
    #expect(beside.interleavings == Self.pathsByHand(world))
  }

  /// Walks every path, one by one.
  private static func pathsByHand(_ world: LedgerWorld) -> Double {
    let steps = world.steps
    guard !steps.isEmpty else { return 1 }
    return steps.reduce(0.0) { sum, step in
      var next = world
      _ = next.take(step)
      return sum + pathsByHand(next)
    }
  }
}

/// A world that goes round, with a mistake on the way or without.
private struct Ring: RacedWorld {
  let size: Int
  let broken: Int?
  var place = 0
  var title: String { "ring" }
  var steps: [String] { place == size - 1 && broken != nil ? [] : ["on"] }
  var breach: Breach? { place == broken ? Breach(LedgerOracle.tooManySends, "there") : nil }
  mutating func take(_: String) -> [String] {
    place = (place + 1) % size
    return place == 0 ? ["round"] : []
  }
  static func actor(of _: String) -> Int? { nil }
  static func isFault(_: String) -> Bool { false }
}

extension ExhaustiveTests {
  @Test func `what can go on forever is a broken promise, in any world`() {
    let found = Exploration(of: Ring(size: 3, broken: nil))
    #expect(found.breach == .neverEnds && found.steps.count == 3 && !found.isComplete)
    #expect(RandomRun(of: Ring(size: 3, broken: nil), seed: 1).breach == .neverEnds)
    let mistaken = Exploration(of: Ring(size: 9, broken: 5))
    #expect(mistaken.breach?.message == "there" && mistaken.steps.count == 5)
    #expect(Exploration(of: Ring(size: 900, broken: 900), maximumStates: 900).isComplete == false)
  }
}

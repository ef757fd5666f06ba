import Testing

@testable import Race

/// R20 to R30 under every interleaving, on small scenarios; the command explores larger ones.
@Suite(.unit, .slow) struct ExhaustiveTests {
  @Test(arguments: Scenario.Start.allCases, [0, 1])
  func `two writers, a reader, a fault and a crash keep every promise`(
    start: Scenario.Start, crashes: Int
  ) throws {
    var scenario = Scenario()
    (scenario.start, scenario.crashes) = (start, crashes)
    var exploration = try ExhaustiveExploration(scenario)
    let report = exploration.run()
    #expect(report.breach == nil, "\(Schedule(scenario, report.steps).text)")
    #expect(report.isComplete)
    #expect(report.states > 400, "\(report.states)")
    #expect(report.interleavings > 1e4, "\(report.interleavings)")
  }

  @Test func `ids that collide, twins and a crash keep every promise`() throws {
    var scenario = Scenario()
    (scenario.clocks, scenario.hasTwins) = (.same, true)
    (scenario.readers, scenario.faults) = (0, 0)
    var exploration = try ExhaustiveExploration(scenario)
    #expect(exploration.run().breach == nil)
  }

  @Test func `three writers and a fault over an older pointer keep every promise`() throws {
    var scenario = Scenario()
    (scenario.start, scenario.writers) = (.present, 3)
    (scenario.readers, scenario.crashes) = (0, 0)
    var exploration = try ExhaustiveExploration(scenario)
    let report = exploration.run()
    #expect(report.breach == nil, "\(Schedule(scenario, report.steps).text)")
    #expect(report.isComplete && report.states > 2000, "\(report.states)")
  }

  @Test func `two writers of the same data, two faults and a crash keep every promise`() throws {
    var scenario = Scenario()
    (scenario.hasTwins, scenario.readers, scenario.faults) = (true, 0, 2)
    var exploration = try ExhaustiveExploration(scenario)
    let report = exploration.run()
    #expect(report.breach == nil, "\(Schedule(scenario, report.steps).text)")
    #expect(report.isComplete && report.states > 1000, "\(report.states)")
  }

  @Test(arguments: Scenario.Start.allCases)
  func `R20 older data never replaces what a survey found to be captured later`(
    start: Scenario.Start
  ) throws {
    var scenario = Scenario()
    (scenario.start, scenario.hasOutdated, scenario.crashes) = (start, true, 0)
    var exploration = try ExhaustiveExploration(scenario)
    let report = exploration.run()
    #expect(report.breach == nil, "\(Schedule(scenario, report.steps).text)")
  }

  @Test func `a store that ignores If-Match needs an older pointer or a third writer`() throws {
    var scenario = Scenario()
    scenario.subject = .brokenStore(.ignoresIfMatch)
    (scenario.faults, scenario.crashes) = (0, 0)
    var absent = try ExhaustiveExploration(scenario)
    #expect(absent.run().breach == nil)
    scenario.start = .present
    var present = try ExhaustiveExploration(scenario)
    #expect(present.run().breach != nil)
    (scenario.start, scenario.writers) = (.absent, 3)
    var three = try ExhaustiveExploration(scenario)
    #expect(three.run().breach != nil)
  }

  @Test func `every branch of the publish machine is taken by some schedule`() throws {
    var branches: Set<PublishBranch> = []
    for scenario in ModelRace.allScenarios(writers: 2, readers: 0, faults: 1, crashes: 0) {
      var exploration = try ExhaustiveExploration(scenario)
      let report = exploration.run()
      #expect(report.breach == nil, "\(Schedule(scenario, report.steps).text)")
      branches.formUnion(report.branches)
    }
    #expect(Set(PublishBranch.allCases).subtracting(branches) == [])
  }

  /// Two orders of two steps: the count must be of paths, not of states.
  @Test func `the interleavings are the paths`() throws {
    var scenario = Scenario()
    (scenario.writers, scenario.readers, scenario.reads) = (1, 0, 1)
    (scenario.faults, scenario.crashes) = (0, 0)
    var alone = try ExhaustiveExploration(scenario)
    let one = alone.run()
    #expect(one.interleavings == 1)
    scenario.readers = 1
    scenario.writers = 1
    var beside = try ExhaustiveExploration(scenario, isReduced: false)
    let two = beside.run()
    #expect(two.interleavings > 1)
    #expect(two.interleavings == Self.pathsByHand(scenario))
  }

  /// Walks every path, one by one.
  private static func pathsByHand(_ scenario: Scenario) -> Double {
    guard var model = try? RaceModel(scenario.subject) else { return 0 }
    func walk(_ world: World) -> Double {
      var steps: [Step] = []
      model.steps(of: world, scenario, into: &steps)
      guard !steps.isEmpty else { return 1 }
      return steps.reduce(0.0) { sum, step in
        var next = world
        _ = model.take(step, in: &next, scenario)
        return sum + walk(next)
      }
    }
    return walk(model.beginning(scenario))
  }
}

extension ExhaustiveTests {
  /// A key that forgot something would join worlds that differ, and leave some unvisited.
  @Test func `worlds have equal keys if and only if they are equal`() throws {
    var scenario = Scenario()
    (scenario.start, scenario.readers, scenario.reads) = (.present, 1, 2)
    (scenario.interference, scenario.crashes, scenario.clocks) = (1, 1, .backwards)
    var model = try RaceModel(.brokenStore(.eventualReads))
    var keys = WorldKeys()
    var worlds: [WorldKey: World] = [:]
    var visited: Set<World> = []
    var open = [model.beginning(scenario)]
    var steps: [Step] = []
    while let world = open.popLast(), visited.count < 20_000 {
      guard visited.insert(world).inserted else { continue }
      let found = keys.key(of: world, late: world.late)
      let key = try #require(found)
      let other = worlds.updateValue(world, forKey: key)
      #expect(other == nil)
      model.steps(of: world, scenario, into: &steps)
      for step in steps {
        var next = world
        if model.take(step, in: &next, scenario).breach == nil { open.append(next) }
      }
    }
    #expect(worlds.count == visited.count && visited.count >= 20_000)
  }
}

/// The result of visiting every state of a scenario.
package struct ExhaustiveReport: Sendable {
  package let scenario: Scenario
  /// Distinct worlds, each visited once.
  package var states = 0
  /// Distinct pairs of a world and the next.
  package var transitions = 0
  /// Distinct paths from the beginning to an end, counted over the graph of worlds.
  package var interleavings = 0.0
  /// Steps of the longest path.
  package var depth = 0
  /// Branches of the publish machine that some path took.
  package var branches: Set<PublishBranch> = []
  /// The first broken promise, if there is one, and the steps to it.
  package var breach: Breach?
  package var steps: [Step] = []
  /// False if the limit on states ended the exploration.
  package var isComplete = true
}

/// Visits every world that a scenario can reach, depth first, each once.
///
/// The graph has no cycle, because every step spends a budget or moves a client forward; a cycle
/// would be a breach. So the number of interleavings is the number of paths, and the number for
/// each world is the sum over its successors.
package struct ExhaustiveExploration {
  /// Longer than any path that ends: a longer one goes on forever.
  private static let maximumDepth = 1000

  private var model: RaceModel
  private let scenario: Scenario
  private let maximumStates: Int
  private let isReduced: Bool
  private var keys = WorldKeys()
  private var visited = VisitedWorlds()
  private var way: [Step] = []
  private var report: ExhaustiveReport

  /// - Parameters:
  /// - maximumStates: where the exploration stops, incomplete, to limit memory.
  /// - isReduced: whether to leave out steps whose order can't matter (docs/RACE.md).
  package init(
    _ scenario: Scenario, maximumStates: Int = 20_000_000, isReduced: Bool = true
  ) throws {
    model = try RaceModel(
      scenario.subject, countsSends: !isReduced || scenario.canUseUpSends)
    self.scenario = scenario
    self.maximumStates = maximumStates
    self.isReduced = isReduced
    report = ExhaustiveReport(scenario: scenario)
  }

  package mutating func run() -> ExhaustiveReport {
    let first = visit(model.beginning(scenario))
    report.states = visited.count
    if let first {
      report.interleavings = visited[first].paths
      report.depth = Int(visited[first].depth)
    }
    report.branches = model.automata.branches
    return report
  }

  /// The number of a world, visited with all its successors; nil if the exploration stops.
  private mutating func visit(_ world: World) -> Int32? {
    var late = world.late
    if isReduced, !late.isEmpty { late.removeAll { model.isVain($0, world) } }
    guard let key = keys.key(of: world, late: late), visited.count < maximumStates else {
      report.isComplete = false
      return nil
    }
    let (number, isNew) = visited.number(key)
    guard isNew, way.count < Self.maximumDepth else {
      guard !isNew, visited[number].paths >= 0 else {
        (report.breach, report.steps) = (.neverEnds, way)
        return nil
      }
      return number
    }
    var steps: [Step] = []
    if isReduced {
      model.essentialSteps(of: world, scenario, into: &steps)
    } else {
      model.steps(of: world, scenario, into: &steps)
    }
    var successors: [Int32] = []
    for step in steps {
      let length = way.count
      var next = world
      guard take(step, &next), let successor = visit(next) else { return nil }
      way.removeLast(way.count - length)
      // Faults with the same visible effect count as one successor.
      if !successors.contains(successor) { successors.append(successor) }
    }
    report.transitions += successors.count
    visited[number] = .init(
      paths: successors.isEmpty ? 1 : successors.reduce(0) { $0 + visited[$1].paths },
      depth: (successors.map { visited[$0].depth }.max() ?? -1) + 1)
    return number
  }

  /// Takes a step, and all steps that need not wait. Returns false if one breaks a promise.
  private mutating func take(_ step: Step, _ world: inout World) -> Bool {
    var step = step
    let length = way.count
    while true {
      way.append(step)
      if let breach = model.take(step, in: &world, scenario).breach {
        (report.breach, report.steps) = (breach, way)
        return false
      }
      guard isReduced, let next = model.localStep(of: world, scenario) else { return true }
      guard way.count - length < RaceHistory.defaultMaximumRequests else {
        (report.breach, report.steps) = (.neverEnds, way)
        return false
      }
      step = next
    }
  }
}

/// What visiting every state of a scenario found.
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
  /// The first broken promise met, if one was, and the way there.
  package var breach: Breach?
  package var steps: [Step] = []
  /// False where the bound on states ended the exploration.
  package var isComplete = true
}

/// Visits every world that a scenario can come to, depth first, each once.
///
/// The graph has no cycle, for every step spends a budget or takes a client onward; so the number of
/// interleavings is the number of paths, and each world's is the sum of its successors'.
package struct ExhaustiveExploration {
  private var model: RaceModel
  private let scenario: Scenario
  private let maximumStates: Int
  private var numbers: [WorldKey: Int32] = [:]
  private var keys = WorldKeys()
  private var paths: [Double] = []
  private var depths: [Int32] = []
  private var way: [Step] = []
  private var report: ExhaustiveReport

  /// - Parameter maximumStates: the exploration ends there, incomplete, to bound memory.
  package init(_ scenario: Scenario, maximumStates: Int = 4_000_000) throws {
    model = try RaceModel(scenario.subject)
    self.scenario = scenario
    self.maximumStates = maximumStates
    report = ExhaustiveReport(scenario: scenario)
  }

  package mutating func run() -> ExhaustiveReport {
    let first = visit(model.beginning(scenario))
    report.states = paths.count
    report.interleavings = paths[Int(first)]
    report.depth = Int(depths[Int(first)])
    report.branches = model.automata.branches
    return report
  }

  /// The number of a world, visited with all that follows it.
  private mutating func visit(_ world: World) -> Int32 {
    let key = keys.key(of: world)
    if let known = numbers[key] { return known }
    let number = Int32(paths.count)
    numbers[key] = number
    paths.append(0)
    depths.append(0)
    guard paths.count < maximumStates else {
      report.isComplete = false
      return number
    }
    var steps: [Step] = []
    model.steps(of: world, scenario, into: &steps)
    var successors: [Int32] = []
    for step in steps {
      var next = world
      let result = model.take(step, in: &next, scenario)
      way.append(step)
      defer { way.removeLast() }
      if let breach = result.breach {
        (report.breach, report.steps) = (breach, way)
        return number
      }
      let successor = visit(next)
      if report.breach != nil || !report.isComplete { return number }
      // Faults that look the same to all are one way on, not many.
      if !successors.contains(successor) { successors.append(successor) }
    }
    report.transitions += successors.count
    paths[Int(number)] = successors.isEmpty ? 1 : successors.reduce(0) { $0 + paths[Int($1)] }
    depths[Int(number)] = (successors.map { depths[Int($0)] }.max() ?? -1) + 1
    return number
  }
}

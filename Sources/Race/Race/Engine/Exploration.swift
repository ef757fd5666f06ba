/// Every world that a world can reach, by every order of its steps: depth first, each once.
///
/// A world that is reached from itself is a breach: something goes on forever. So the number of
/// interleavings is the number of paths, and the number for each world is the sum over its successors.
package struct Exploration<World: RacedWorld> {
  /// Distinct worlds, each visited once.
  package var states: Int { visited.count }
  /// Distinct pairs of a world and the next.
  package private(set) var transitions = 0
  /// Worlds at rest.
  package private(set) var ends = 0
  /// Distinct paths from the beginning to an end.
  package private(set) var interleavings = 0.0
  /// Transitions of the longest path.
  package private(set) var depth = 0
  /// How often each fault fired.
  package private(set) var faults: [String: Int] = [:]
  /// The first broken promise, if there is one, and the steps to it.
  package private(set) var breach: Breach?
  package private(set) var steps: [World.Step] = []
  /// False if the limit on states, or a broken promise, ended the exploration.
  package private(set) var isComplete = false

  private var visited = VisitedWorlds<World>()
  private var open: [Visit] = []

  /// A world whose successors are being explored.
  private struct Visit {
    let world: World
    let number: Int32
    /// The steps that still have to be taken, the next one last.
    var steps: [World.Step]
    /// How many steps led to it.
    let length: Int
    var successors: [Int32] = []
  }

  /// - Parameter maximumStates: where it stops, incomplete, to limit memory.
  package init(of start: World, maximumStates: Int = 20_000_000) {
    reach(start)
    while breach == nil, visited.count < maximumStates {
      guard let last = open.indices.last else {
        isComplete = true
        break
      }
      guard let step = open[last].steps.popLast() else {
        end(open.removeLast())
        continue
      }
      steps.removeLast(steps.count - open[last].length)
      var world = open[last].world
      take(step, &world)
      while breach == nil, let next = world.localStep { take(next, &world) }
      if breach == nil { reach(world) }
    }
    (interleavings, depth) = (max(0, visited[0].paths), Int(visited[0].depth))
  }

  private mutating func take(_ step: World.Step, _ world: inout World) {
    steps.append(step)
    for fault in world.take(step) { faults[fault, default: 0] += 1 }
    if steps.count >= RandomRun<World>.mostSteps { breach = .neverEnds }
  }

  private mutating func reach(_ world: World) {
    let (number, isNew) = visited.number(world)
    if let last = open.indices.last, !open[last].successors.contains(number) {
      // Faults with the same visible effect count as one successor.
      open[last].successors.append(number)
    }
    guard isNew else {
      if visited[number].paths < 0 { breach = .neverEnds }
      return
    }
    breach = world.breach
    open.append(
      Visit(world: world, number: number, steps: world.steps.reversed(), length: steps.count))
  }

  private mutating func end(_ visit: Visit) {
    let next = visit.successors.map { visited[$0] }
    transitions += next.count
    if next.isEmpty { ends += 1 }
    visited[visit.number] = .init(
      paths: next.isEmpty ? 1 : next.reduce(0) { $0 + $1.paths },
      depth: (next.map(\.depth).max() ?? -1) + 1)
  }
}

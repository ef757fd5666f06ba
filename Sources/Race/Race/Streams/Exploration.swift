/// A world that is explored whole: a value, the steps that are possible in it, and what must hold.
package protocol ExplorableWorld: Hashable {
  associatedtype Step: Hashable & CustomStringConvertible

  /// What can happen next, in any order; empty at rest.
  var steps: [Step] { get }
  /// Lets a step happen. Returns the faults that it fired, by name.
  mutating func take(_ step: Step) -> [String]
  /// What is broken now, in a sentence; nil if nothing is. At rest more must hold.
  var breach: String? { get }
  /// What a step does in this world, for people.
  func words(of step: Step) -> String
}

extension ExplorableWorld {
  package func words(of step: Step) -> String { step.description }

  /// What steps do, one after the other, for people.
  func lines(of steps: [Step]) -> [String] {
    var world = self
    return steps.map { step in
      defer { _ = world.take(step) }
      return world.words(of: step)
    }
  }
}

/// Every state that a world can reach, by every order of its steps.
package struct Exploration<World: ExplorableWorld> {
  /// A way to a state in which something is broken. None is shorter.
  package struct Counterexample {
    package let breach: String
    package let steps: [String]
  }

  package private(set) var states = 0
  package private(set) var transitions = 0
  /// States at rest.
  package private(set) var ends = 0
  /// How often each fault fired.
  package private(set) var faults: [String: Int] = [:]
  package private(set) var counterexample: Counterexample?
  /// Whether the limit ended it before everything was seen.
  package private(set) var isCutOff = false

  /// Explores breadth first, up to the first breach.
  package init(of start: World, maximumStates: Int = 2_000_000) {
    var cameFrom: [Int: (Int, World.Step)] = [:]
    var seen: Set<Int> = [Self.key(start)]
    var frontier = [start]
    if let breach = start.breach {
      counterexample = Counterexample(breach: breach, steps: [])
      return
    }
    while !frontier.isEmpty {
      var next: [World] = []
      for world in frontier {
        states += 1
        let steps = world.steps
        if steps.isEmpty { ends += 1 }
        let key = Self.key(world)
        for step in steps {
          var after = world
          for fault in after.take(step) { faults[fault, default: 0] += 1 }
          transitions += 1
          let reached = Self.key(after)
          guard seen.insert(reached).inserted else { continue }
          cameFrom[reached] = (key, step)
          if let breach = after.breach {
            counterexample = Counterexample(
              breach: breach, steps: start.lines(of: Self.path(to: reached, cameFrom)))
            return
          }
          next.append(after)
        }
      }
      guard seen.count <= maximumStates else {
        isCutOff = true
        return
      }
      frontier = next
    }
  }

  private static func path(
    to key: Int, _ cameFrom: [Int: (Int, World.Step)]
  ) -> [World.Step] {
    var steps: [World.Step] = []
    var key = key
    while let (before, step) = cameFrom[key] {
      steps.append(step)
      key = before
    }
    return steps.reversed()
  }

  /// 64 bits of a state, by a hash that differs from run to run: two of a million states are taken
  /// for one in one run of thirty million.
  private static func key(_ world: World) -> Int {
    var hasher = Hasher()
    hasher.combine(world)
    return hasher.finalize()
  }
}

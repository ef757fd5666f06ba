import StoreTesting

/// A world that can be raced at random: its steps have actors, and some are faults.
package protocol RacedWorld: ExplorableWorld {
  /// Whose step it is, as a small number; nil for one of chance.
  static func actor(of step: Step) -> Int?
  /// Whether it is something that goes wrong.
  static func isFault(_ step: Step) -> Bool
}

/// One run: the steps that it took, and the promise that it broke, if it did.
package struct RandomRun<World: RacedWorld> {
  package private(set) var world: World
  package private(set) var taken: [World.Step] = []
  package private(set) var faults: [String: Int] = [:]
  package private(set) var breach: String?

  /// No run of a sound world is longer.
  private static var mostSteps: Int { 500 }

  private init(_ world: World) {
    self.world = world
    breach = world.breach
  }

  /// A run that the seed determines completely: even seeds walk at random, odd ones follow random
  /// priorities of the actors that change at two moments (PCT, depth 3).
  package init(of world: World, seed: UInt64) {
    self.init(world)
    var random = SplitMix64(seed: seed, stream: 17)
    var order = RandomOrder(of: seed, actors: 16, horizon: 60, &random)
    // Some runs break early and often, others late.
    let rate = [4, 10, 25][Int((seed >> 1) % 3)]
    while breach == nil {
      let steps = self.world.steps
      guard !steps.isEmpty else { break }
      let (faults, plain) = (steps.filter(World.isFault), steps.filter { !World.isFault($0) })
      if plain.isEmpty || (!faults.isEmpty && random.chance(rate)) {
        take(random.pick(faults))
        continue
      }
      take(order.choice(of: plain, at: taken.count, &random, actor: World.actor))
    }
  }

  /// A run of those of these steps that the world allows, and then without faults to its end.
  fileprivate init(of world: World, _ steps: [World.Step]) {
    self.init(world)
    for step in steps where breach == nil && self.world.steps.contains(step) { take(step) }
    while breach == nil, let step = self.world.steps.first(where: { !World.isFault($0) }) {
      take(step)
    }
  }

  private mutating func take(_ step: World.Step) {
    for fault in world.take(step) { faults[fault, default: 0] += 1 }
    taken.append(step)
    breach =
      world.breach ?? (taken.count >= Self.mostSteps ? "never ends: \(taken.count) steps" : nil)
  }

  /// The steps, for people.
  package func lines(from start: World) -> [String] { start.lines(of: taken) }

  /// The same broken promise in fewer steps.
  package func shrunk(of start: World) -> RandomRun {
    // A run without end is not shortened: each attempt could be one, too.
    guard let breach, taken.count < Self.mostSteps else { return self }
    let promise = breach.prefix { $0 != ":" }
    return smallestFailure(
      from: self, weight: \.taken.count,
      candidates: { $0.taken.shortened(by: [16, 8, 4, 2, 1]) }
    ) { steps in
      let run = RandomRun(of: start, steps)
      return run.breach?.prefix { $0 != ":" } == promise ? run : nil
    }
  }
}

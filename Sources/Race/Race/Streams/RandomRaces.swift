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
    var priorities = (0..<16).map { _ in random.below(1 << 30) }
    let changes = [random.below(60), random.below(60)]
    let isWalk = seed & 1 == 0
    // Some runs break early and often, others late.
    let rate = [4, 10, 25][Int((seed >> 1) % 3)]
    while breach == nil {
      let steps = self.world.steps
      guard let first = steps.first else { break }
      let (faults, plain) = (steps.filter(World.isFault), steps.filter { !World.isFault($0) })
      if plain.isEmpty || (!faults.isEmpty && random.chance(rate)) {
        take(random.pick(faults))
        continue
      }
      guard !isWalk else {
        take(random.pick(plain))
        continue
      }
      func priority(_ step: World.Step) -> Int {
        World.actor(of: step).map { priorities[$0] } ?? 1 << 29
      }
      let best = plain.max { priority($0) < priority($1) } ?? first
      if changes.contains(taken.count), let actor = World.actor(of: best) {
        priorities[actor] = -taken.count
      }
      take(best)
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
    var best = self
    var isShorter = true
    while isShorter {
      isShorter = false
      search: for length in [16, 8, 4, 2, 1] where best.taken.count >= length {
        for place in (0...(best.taken.count - length)).reversed() {
          var fewer = best.taken
          fewer.removeSubrange(place..<(place + length))
          let run = RandomRun(of: start, fewer)
          guard run.breach?.prefix(while: { $0 != ":" }) == promise,
            run.taken.count < best.taken.count
          else { continue }
          best = run
          isShorter = true
          break search
        }
      }
    }
    return best
  }
}

import StoreTesting

/// One run: the steps that it took, and the promise that it broke, if it did.
package struct RandomRun<World: RacedWorld> {
  /// The world in which it began.
  package let start: World
  package private(set) var world: World
  package private(set) var steps: [World.Step] = []
  package private(set) var faults: [String: Int] = [:]
  package private(set) var breach: Breach?

  /// No run, and no way to a world, is longer.
  static var mostSteps: Int { 1000 }

  /// - Parameter next: the next step; nil at the end.
  init(of start: World, next: (World, _ time: Int) -> World.Step?) {
    (self.start, world, breach) = (start, start, start.breach)
    while breach == nil, let step = next(world, steps.count) { take(step) }
    breach = breach ?? world.breachOfRun
  }

  /// A run that the seed determines completely.
  package init(of start: World, seed: UInt64) {
    var random = SplitMix64(seed: seed, stream: 17)
    var order = RandomOrder(of: seed, horizon: 60, &random)
    // Some runs break early and often, others late.
    let rate = [4, 10, 25][Int((seed >> 1) % 3)]
    self.init(of: start) { world, time in
      let steps = world.steps
      guard !steps.isEmpty else { return nil }
      let (faults, plain) = (steps.filter(World.isFault), steps.filter { !World.isFault($0) })
      if plain.isEmpty || (!faults.isEmpty && random.chance(rate)) { return random.pick(faults) }
      return order.choice(of: plain, at: time, &random, actor: World.actor)
    }
  }

  /// A run of those of these steps that the world allows, and then without faults to its end.
  package init(of start: World, _ steps: [World.Step]) {
    var left = steps[...]
    self.init(of: start) { world, _ in
      while let step = left.popFirst() { if world.allows(step) { return step } }
      return world.steps.first { !World.isFault($0) }
    }
  }

  private mutating func take(_ step: World.Step) {
    for fault in world.take(step) { faults[fault, default: 0] += 1 }
    steps.append(step)
    breach = world.breach ?? (steps.count >= Self.mostSteps ? .neverEnds : nil)
  }

  /// The steps, for people.
  package var lines: [String] { start.lines(of: steps) }

  /// The same broken promise in a simpler world, and in fewer steps.
  package var shrunk: RandomRun {
    // A run without end is not shortened: each attempt could be one, too.
    guard breach != nil, steps.count < Self.mostSteps else { return self }
    var best = self
    while let smaller = best.smaller { best = smaller }
    return best
  }

  private var smaller: RandomRun? {
    for start in start.simpler {
      let run = RandomRun(of: start, steps)
      if run.breach?.oracle == breach?.oracle, run.steps.count <= steps.count { return run }
    }
    for length in [16, 8, 4, 2, 1] where length <= steps.count {
      for place in (0...(steps.count - length)).reversed() {
        let run = RandomRun(of: start, Array(steps[..<place] + steps[(place + length)...]))
        if run.breach?.oracle == breach?.oracle, run.steps.count < steps.count { return run }
      }
    }
    return nil
  }
}

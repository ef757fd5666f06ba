import StoreTesting

/// How a random run chooses whose step is next.
package enum Strategy: String, CaseIterable, Hashable, Sendable {
  /// Any, with equal chances.
  case walk = "random walk"
  /// By random priorities of the actors that change at two random moments (PCT, depth 3).
  case priorities = "PCT"

  /// Even seeds walk at random, odd ones follow priorities.
  init(of seed: UInt64) { self = seed & 1 == 0 ? .walk : .priorities }
}

/// The order of one random run, in any world: whose step is next. The seed determines it completely.
struct RandomOrder {
  private let strategy: Strategy
  private var priorities: [Int]
  private let changes: [Int]

  /// - Parameters:
  ///   - actors: how many there are at most.
  ///   - horizon: before which step the priorities change.
  init(of seed: UInt64, actors: Int, horizon: Int, _ random: inout SplitMix64) {
    strategy = Strategy(of: seed)
    priorities = (0..<actors).map { _ in random.below(1 << 30) }
    changes = [random.below(horizon), random.below(horizon)]
  }

  /// One of the choices, which must not be empty.
  ///
  /// - Parameters:
  ///   - time: how many steps the run has taken.
  ///   - actor: whose a choice is, as a number below that of all actors; nil for one of chance.
  mutating func choice<Choice>(
    of choices: [Choice], at time: Int, _ random: inout SplitMix64,
    actor: (Choice) -> Int?
  ) -> Choice {
    guard strategy == .priorities else { return random.pick(choices) }
    var best = 0
    var highest = Int.min
    for index in choices.indices {
      let priority = actor(choices[index]).map { priorities[$0] } ?? 1 << 29
      if priority > highest { (best, highest) = (index, priority) }
    }
    if changes.contains(time), let actor = actor(choices[best]) { priorities[actor] = -time }
    return choices[best]
  }
}

import StoreTesting

/// The order of one random run, in any world: whose step is next. The seed determines it completely.
///
/// Even seeds walk at random. Odd ones follow random priorities of the actors that change at two
/// random moments (PCT, depth 3).
struct RandomOrder {
  private let walks: Bool
  private var priorities: [Int]
  private let changes: [Int]

  /// - Parameter horizon: before which step the priorities change.
  init(of seed: UInt64, actors: Int = 16, horizon: Int, _ random: inout SplitMix64) {
    walks = seed & 1 == 0
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
    guard !walks else { return random.pick(choices) }
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

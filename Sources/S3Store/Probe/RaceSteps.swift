import ObjectStore

/// Concurrent writers. They can show that conditions are not atomic, but never prove that they are.
extension ConditionalWriteProbe {
  mutating func raceCreate(_ spelling: ETagSpelling, round: Int) -> Action {
    guard let race, round < race.rounds else { return finish(.compareAndSwap(spelling)) }
    return go(
      .raceCreate(spelling, round: round),
      .race(.raced(round: round), firstBody: 100, count: race.writers, .absent))
  }

  /// The answers alone do not prove who won: the object must be read.
  mutating func afterRacing(
    _ answer: Answer, _ round: Int, _ stage: (_ winners: [Int], _ unclear: Int) -> Stage
  ) -> Action {
    guard case .raced(let winners, let unclear) = answer else { return confused() }
    return go(stage(winners, unclear), .read(.raced(round: round)))
  }

  mutating func afterReadingRaceCreated(
    _ answer: Answer, _ spelling: ETagSpelling, _ round: Int, _ winners: [Int], _ unclear: Int
  ) -> Action {
    let name = "create one object \(race?.writers ?? 0) times at once, round \(round + 1)"
    guard judge(name, winners, unclear, answer) else { return finish(.racy) }
    guard case .found(_, let etag) = answer, let race else {
      // Nothing was written, and no writer was told otherwise. The next round may show more.
      return raceCreate(spelling, round: round + 1)
    }
    return go(
      .raceReplace(spelling, round: round),
      .race(
        .raced(round: round), firstBody: 200, count: race.writers, .matches(etag, spelling)))
  }

  mutating func afterReadingRaceReplaced(
    _ answer: Answer, _ spelling: ETagSpelling, _ round: Int, _ winners: [Int], _ unclear: Int
  ) -> Action {
    let name = "replace one object \(race?.writers ?? 0) times at once, round \(round + 1)"
    guard judge(name, winners, unclear, answer) else { return finish(.racy) }
    return raceCreate(spelling, round: round + 1)
  }

  /// There must be one winner whose body is stored, or none if the winner got no clear answer.
  private mutating func judge(
    _ name: String, _ winners: [Int], _ unclear: Int, _ stored: Answer
  ) -> Bool {
    let isSound: Bool
    switch (winners.count, stored) {
    case (1, .found(let body, _)): isSound = body == winners[0]
    case (0, .found), (0, .nothing): isSound = unclear > 0
    default: isSound = false
    }
    note(
      name, "one winner, and its body is stored",
      "\(Answer.raced(winners: winners, unclear: unclear).words), \(stored.words) stored",
      isSound ? .passed : .failed)
    return isSound
  }
}

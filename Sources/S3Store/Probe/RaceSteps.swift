import ObjectStore

/// Writers at the same time: can show that conditions are not atomic, and never prove that they are.
extension ConditionalWriteProbe {
  mutating func raceCreate(_ spelling: ETagSpelling, round: Int) -> Action {
    guard let race, round < race.rounds else { return finish(.compareAndSwap(spelling)) }
    return go(
      .raceCreate(spelling, round: round),
      .race(.raced(round: round), firstBody: 100, count: race.writers, .absent))
  }

  /// Who is said to have won proves nothing before the object is read.
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
      // Nothing was written and nobody was told so: the next round may say more.
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

  /// One winner, whose body is stored; or none, where the winner got no clear answer.
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
      "\(winners.count) winners, \(unclear) unclear, \(stored.words) stored",
      isSound ? .passed : .failed)
    return isSound
  }
}

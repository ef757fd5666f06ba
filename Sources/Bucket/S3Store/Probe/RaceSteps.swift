import ObjectStore

/// How concurrent writers race.
extension ConditionalWriteProbe {
  struct Race: Hashable, Sendable {
    /// The writers of one object.
    var writers = 2
    /// The objects that are raced for at once. Only what overlaps the first writer of an object can
    /// show a fault, so many objects with few writers show more than one object with many.
    var lanes = 8
    /// How often they race, to create and then to replace. All must meet each time.
    var rounds: Int

    /// For `doctor` and before a race.
    static let thorough = Race(rounds: 5)
    /// For the verdict that publishing trusts.
    static let publishing = Race(rounds: 2)

    /// All on one object, for a server that does not take so many connections at once.
    var narrow: Race { Race(writers: writers * lanes, lanes: 1, rounds: rounds) }
  }

  /// What became of the writes to one object that were sent at once.
  struct Lane: Hashable, Sendable {
    /// The bodies that got a clear 2xx.
    var winners: [Int]
    /// How many writes got no clear answer.
    var unclear: Int
    /// How many writes were refused because another one was under way (409).
    var conflicts = 0
    /// What was stored before: the number of the body; nil for nothing.
    var before: Int?
    /// What is stored afterwards: the number of the body, or -1 if it is not one of ours; nil for
    /// nothing.
    var stored: Int?
    /// The etag of what is stored.
    var etag: ETag?

    /// True if nobody won because all were in each other's way, and nothing has changed.
    var isEmpty: Bool { winners.isEmpty && unclear == 0 && conflicts > 0 && stored == before }

    /// One winner whose body is stored. None, if one that got no clear answer may have won, or if all
    /// were in each other's way.
    var isSound: Bool {
      switch winners.count {
      case 0: unclear > 0 || isEmpty
      case 1: stored == winners[0]
      default: false
      }
    }
  }
}

/// Concurrent writers. They can show that conditions are not atomic, but never prove that they are.
/// A race in which the writers did not meet, or after which nothing has changed because all were in
/// each other's way, shows nothing, so it is run again.
extension ConditionalWriteProbe {
  /// The most races that show nothing.
  private static let maximumEmptyRaces = 3

  mutating func raceCreate(_ spelling: ETagSpelling, round: Int) -> Action {
    guard let race, round < race.rounds else { return finish(.compareAndSwap(spelling)) }
    let slots = (0..<race.lanes).map { Slot.raced(round: round + emptyRaces * 100, lane: $0) }
    return go(
      .raceCreate(spelling, round: round),
      .race(slots.map { Heat($0, .absent) }, writers: race.writers))
  }

  mutating func afterRacing(
    _ answer: Answer, _ spelling: ETagSpelling, _ round: Int, creates: Bool
  ) -> Action {
    guard case .raced(let heats, let lanes, let met) = answer, let race else { return confused() }
    let isSound = lanes.allSatisfy(\.isSound)
    let told = lanes.filter { !$0.isEmpty }
    // Those who met for an object that nobody won met for nothing. Of the others, two must have met.
    let metForMore = met - race.writers * (lanes.count - told.count)
    // Where nothing is stored, nobody was told otherwise, and nothing was shown.
    let hasMet =
      told.allSatisfy { $0.etag != nil } && told.count * 2 >= lanes.count
      && metForMore > told.count
    let objects = lanes.count == 1 ? "an object" : "\(lanes.count) objects"
    note(
      "\(creates ? "create" : "replace") \(objects) by \(race.writers) writers each at once, "
        + "round \(round + 1)",
      "one winner each, and its body is stored", lanes.words(met: met),
      !isSound ? .failed : hasMet ? .passed : .unclear)
    guard isSound else { return finish(.racy) }
    guard hasMet else {
      return raceAgain(spelling, round, isCrowded: lanes.contains { $0.isEmpty })
    }
    guard creates else { return raceCreate(spelling, round: round + 1) }
    let next = zip(heats, lanes).compactMap { heat, lane in
      lane.etag.map { Heat(heat.slot, .matches($0, spelling), before: lane.stored) }
    }
    return go(.raceReplace(spelling, round: round), .race(next, writers: race.writers))
  }

  /// - Parameter isCrowded: whether the writers were in each other's way. More of them for one object
  ///   would be even more so.
  private mutating func raceAgain(
    _ spelling: ETagSpelling, _ round: Int, isCrowded: Bool
  ) -> Action {
    emptyRaces += 1
    guard emptyRaces < Self.maximumEmptyRaces else {
      return finish(isCrowded ? .crowded : .unmet)
    }
    if !isCrowded { race = race?.narrow }
    return raceCreate(spelling, round: round)
  }
}

extension [ConditionalWriteProbe.Lane] {
  /// For a report: `1 winner, 0 unclear, body 7 stored, 16 met`, of the first that shows a fault.
  fileprivate func words(met: Int) -> String {
    guard let lane = first(where: { !$0.isSound }) ?? first(where: { !$0.isEmpty }) ?? first
    else { return "nothing" }
    let winners = "\(lane.winners.count) \(lane.winners.count == 1 ? "winner" : "winners")"
    let stored = lane.stored.map { "body \($0)" } ?? "nothing"
    let empty = count { $0.isEmpty }
    let crowded = empty == 0 ? "" : ", \(empty) of \(count) without a winner, because of conflicts"
    return "\(winners), \(lane.unclear) unclear, \(stored) stored; \(met) met\(crowded)"
  }
}

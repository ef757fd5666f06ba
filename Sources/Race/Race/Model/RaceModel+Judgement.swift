import HealthLedger
import HealthModel

/// Checks of a writer: its requests, and how its publish ends.
extension RaceModel {
  /// Whether the day's newest readable revision has the writer's word and all others, so that there is nothing to
  /// store.
  ///
  /// A revision below the pointer does not count: if the pointer dangles, a newer revision must be
  /// stored.
  func tells(_ index: Int, _ world: World, _ scenario: Scenario) -> Bool {
    let codes = automata.codes
    let readable = world.revisions.filter { codes.isReadable($0.body) }
    guard let newest = readable.last, newest.id >= world.pointer else { return false }
    let told = codes.told(newest.body)
    return isTold(index, by: told, scenario)
      && readable.allSatisfy {
        codes.told($0.body) & ~told == 0 && codes.hasWords(newest.body, of: $0.body)
      }
  }

  /// Checks a write before it is sent.
  func judge(
    _ request: Automata.Request, of index: Int, _ world: inout World, _ scenario: Scenario,
    _ result: inout Result
  ) {
    var sends = world.writers[index].sends
    switch request {
    case .create(let id, _):
      if world.writers[index].isKept { result.breach = .storedTwice(Codes.revisionID(id)) }
      sends = max(sends, 0) + 1
    case .writePointer(let id, _):
      if !scenario.movesPointer { result.breach = .pointerUnproven(Codes.revisionID(id)) }
      sends = min(sends, 0) - 1
    default: return
    }
    guard automata.countsSends else { return }
    world.writers[index].sends = sends
    if abs(sends) > PublishMachine.maximumAttempts { result.breach = .tooManySends }
  }

  /// Checks a publish that has ended.
  func judgeEnd(
    _ index: Int, _ world: inout World, _ scenario: Scenario, _ result: inout Result
  ) {
    let request = automata.request(world.writers[index].node)
    switch request {
    case .acknowledge(let id, let outcome):
      // Without a pointer, readers' obligations follow only from this; see `floor`.
      if !scenario.movesPointer, world.readers.contains(where: { $0.remaining > 0 }) {
        world.acknowledged = max(world.acknowledged, id)
      }
      result.breach =
        result.breach ?? untruth(id, outcome, index, world, scenario)
    case .fail(let failure):
      // A collector may give up only after as many faults as it has sends.
      if scenario.faults < PublishMachine.maximumAttempts {
        result.breach = result.breach ?? .publishFailed(failure.word)
      }
    default: return
    }
    result.ended = request
    if case .acknowledge = request { world.told |= 1 << index }
    world.writers[index].node = World.Client.done
    world.writers[index].isKept = false
    world.writers[index].sends = 0
  }

  /// What is wrong in an acknowledgement, if anything.
  private func untruth(
    _ id: Codes.ID, _ outcome: Automata.Success, _ index: Int, _ world: World,
    _ scenario: Scenario
  ) -> Breach? {
    // Computed only if it is reported, because most acknowledgements are true.
    var name: RevisionID { Codes.revisionID(id) }
    // Readers must get it.
    if scenario.movesPointer, world.high < id { return .acknowledgedBehind(name) }
    let body = world.body(of: id)
    if body == 0 { return .acknowledgedMissing(name) }
    if !isTold(index, by: automata.codes.told(body), scenario) { return .acknowledgedAnother(name) }
    let isTrue =
      switch outcome {
      // The writer has read since then, and the pointer may have moved on.
      case .published: scenario.movesPointer && world.high >= id
      case .superseded(let by): scenario.movesPointer && by > id && world.high >= by
      case .unchanged: true
      case .pointerSkipped: !scenario.movesPointer
      }
    return isTrue ? nil : .outcomeUntrue("\(outcome.word) \(name)")
  }

  /// The writer whose acknowledged word the next publish would not find, if any; nil while a write is on its
  /// way.
  func forgotten(in world: World, _ scenario: Scenario) -> Breach? {
    guard world.told != 0, world.deeds == 0, world.late.isEmpty,
      !world.writers.contains(where: \.isRunning)
    else { return nil }
    let codes = automata.codes
    let readable = world.revisions.filter { codes.isReadable($0.body) }
    guard let newest = readable.last else { return nil }
    let parent = codes.parent(newest.body)
    let named = readable.contains { $0.id == world.pointer } ? world.pointer : 0
    let isBlind = scenario.movesPointer && named == 0
    // Where nobody died, everybody has looked until the newest had all.
    let isSettled = world.crashes == scenario.crashes
    let told = readable.filter {
      $0.id == newest.id || !isSettled && (isBlind || $0.id > parent || $0.id == named)
    }.reduce(0) { $0 | codes.told($1.body) }
    for index in world.writers.indices where world.told >> index & 1 == 1 {
      if !isTold(index, by: told, scenario) { return .wordForgotten(index) }
    }
    return nil
  }
}

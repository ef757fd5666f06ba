import HealthLedger
import HealthModel

/// Checks of a writer: its requests, and how its publish ends.
extension RaceModel {
  /// Whether the day's newest readable revision has the writer's data or data that was captured
  /// later, so that there is nothing to store.
  ///
  /// A revision below the pointer does not count: if the pointer dangles, a newer revision must be
  /// stored.
  func tells(_ index: Int, _ world: World, _ scenario: Scenario) -> Bool {
    for revision in world.revisions.reversed() where revision.id >= world.pointer {
      let told = automata.codes.payload(revision.body)
      if told != 0 { return told == payload(index, scenario) || isOutdated(index, scenario) }
    }
    return false
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
      let isJustified =
        scenario.isFull
        ? failure == .noGreaterID : scenario.faults >= PublishMachine.maximumAttempts
      if !isJustified { result.breach = result.breach ?? .publishFailed(failure.word) }
    default: return
    }
    result.ended = request
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
    let payload = payload(index, scenario)
    // Readers must also get the newer data that stays (R20).
    if scenario.movesPointer, world.high < id { return .acknowledgedBehind(name) }
    if outcome == .keptNewer {
      // Nothing was stored.
      let kept = automata.codes.payload(world.body(of: id))
      let isTrue = kept != 0 && kept != payload && isOutdated(index, scenario)
      return isTrue ? nil : .outcomeUntrue("\(outcome.word) \(name)")
    }
    let body = world.body(of: id)
    if body == 0 { return .acknowledgedMissing(name) }
    if automata.codes.payload(body) != payload { return .acknowledgedAnother(name) }
    let isTrue =
      switch outcome {
      case .published: scenario.movesPointer && world.pointer == id
      // The writer has read the other revision since then, and the pointer may have moved on.
      case .superseded(let by): scenario.movesPointer && by > id && world.high >= by
      case .unchanged: true
      case .pointerSkipped: !scenario.movesPointer
      case .keptNewer: false
      }
    return isTrue && !scenario.isFull ? nil : .outcomeUntrue("\(outcome.word) \(name)")
  }
}

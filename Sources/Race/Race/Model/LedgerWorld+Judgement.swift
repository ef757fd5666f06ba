import HealthLedger
import HealthModel

/// What writers and readers of a ledger promise.
package enum LedgerOracle: String, CaseIterable, Sendable {
  case pointerWentBack = "pointer went back"
  case pointerDangles = "pointer dangles"
  case pointerRewritten = "pointer rewritten"
  case pointerUnproven = "pointer without compare-and-swap"
  case revisionOverwritten = "revision overwritten"
  case acknowledgedBehind = "acknowledged, pointer behind"
  case acknowledgedMissing = "acknowledged, revision missing"
  case acknowledgedAnother = "acknowledged, other data"
  case wordForgotten = "acknowledged, forgotten"
  case outcomeUntrue = "outcome untrue"
  case storedTwice = "stored twice"
  case answeredTooLow = "reader answered too low"
  case publishFailed = "publish failed without need"
  case notLinearizable = "not linearizable"
  case tooManyRequests = "too many requests"
  case tooManySends = "too many sends"
}

/// Checks of a writer: its requests, and how its publish ends.
extension LedgerWorld {
  /// Whether the day's newest readable revision has the writer's word and all others, so that there is nothing to
  /// store.
  ///
  /// A revision below the pointer does not count: if the pointer dangles, a newer revision must be
  /// stored.
  func tells(_ index: Int) -> Bool {
    let codes = rules.automata.codes
    let readable = state.revisions.filter { codes.isReadable($0.body) }
    guard let newest = readable.last, newest.id >= state.pointer else { return false }
    let told = codes.told(newest.body)
    return isTold(index, by: told)
      && readable.allSatisfy {
        codes.told($0.body) & ~told == 0 && codes.hasWords(newest.body, of: $0.body)
      }
  }

  /// Checks how many requests one publish or resolve has made, where they are counted.
  mutating func judge(_ requests: Int?) {
    guard let requests, requests > RaceHistory.defaultMaximumRequests else { return }
    breach = Breach(
      LedgerOracle.tooManyRequests, "one publish or resolve made \(requests) requests")
  }

  /// Checks a write before it is sent.
  mutating func judge(_ request: Automata.Request, of index: Int) {
    var sends = state.writers[index].sends
    switch request {
    case .create(let id, _):
      if state.writers[index].isKept {
        breach = Breach(
          LedgerOracle.storedTwice,
          "\(Codes.revisionID(id)) was stored, although the newest revision held the same or "
            + "newer data all along")
      }
      sends = max(sends, 0) + 1
    case .writePointer(let id, _):
      if !scenario.movesPointer {
        breach = Breach(
          LedgerOracle.pointerUnproven,
          "latest.json was written with \(Codes.revisionID(id)) in a store without "
            + "compare-and-swap")
      }
      sends = min(sends, 0) - 1
    default: return
    }
    guard rules.automata.countsSends else { return }
    state.writers[index].sends = sends
    if abs(sends) > PublishMachine.maximumAttempts {
      breach = Breach(
        LedgerOracle.tooManySends,
        "one object was sent more than \(PublishMachine.maximumAttempts) times")
    }
  }

  /// Checks a publish that has ended.
  mutating func judgeEnd(_ index: Int) {
    let request = rules.automata.request(state.writers[index].node)
    switch request {
    case .acknowledge(let id, let outcome):
      // Without a pointer, readers' obligations follow only from this; see `floor`.
      if !scenario.movesPointer, state.readers.contains(where: { $0.remaining > 0 }) {
        state.acknowledged = max(state.acknowledged, id)
      }
      breach = breach ?? untruth(id, outcome, index)
      state.told |= 1 << index
    case .fail(let failure):
      // A collector may give up only after as many faults as it has sends.
      if scenario.faults < PublishMachine.maximumAttempts {
        breach = breach ?? Breach(LedgerOracle.publishFailed, failure.rawValue)
      }
    default: return
    }
    recorder?.ended(index, request)
    state.writers[index].node = LedgerState.Client.done
    state.writers[index].isKept = false
    state.writers[index].sends = 0
  }

  /// What is wrong in an acknowledgement, if anything.
  private func untruth(_ id: Codes.ID, _ outcome: Automata.Success, _ index: Int) -> Breach? {
    // Computed only if it is reported, because most acknowledgements are true.
    var name: RevisionID { Codes.revisionID(id) }
    // Readers must get it.
    if scenario.movesPointer, state.high < id {
      return Breach(
        LedgerOracle.acknowledgedBehind,
        "\(name) was acknowledged, but latest.json never reached it")
    }
    let body = state.body(of: id)
    if body == 0 {
      return Breach(
        LedgerOracle.acknowledgedMissing,
        "\(name) was acknowledged, but there is no such revision")
    }
    if !isTold(index, by: rules.automata.codes.told(body)) {
      return Breach(
        LedgerOracle.acknowledgedAnother,
        "\(name) was acknowledged, but it lacks what its writer said")
    }
    let isTrue =
      switch outcome {
      // The writer has read since then, and the pointer may have moved on.
      case .published: scenario.movesPointer && state.high >= id
      case .superseded(let by): scenario.movesPointer && by > id && state.high >= by
      case .unchanged: true
      case .pointerSkipped: !scenario.movesPointer
      }
    return isTrue
      ? nil
      : Breach(
        LedgerOracle.outcomeUntrue,
        "a publish ended as \(outcome.word) \(name), which is not true")
  }

  /// The writer whose acknowledged word the next publish would not find, if any; nil while a write is on its
  /// way.
  var forgotten: Breach? {
    guard state.told != 0, state.deeds == 0, state.late.isEmpty,
      !state.writers.contains(where: \.isRunning)
    else { return nil }
    let codes = rules.automata.codes
    let readable = state.revisions.filter { codes.isReadable($0.body) }
    guard let newest = readable.last else { return nil }
    let parent = codes.parent(newest.body)
    let named = readable.contains { $0.id == state.pointer } ? state.pointer : 0
    let isBlind = scenario.movesPointer && named == 0
    // Where nobody died, everybody has looked until the newest had all.
    let isSettled = state.crashes == scenario.crashes
    let told = readable.filter {
      $0.id == newest.id || !isSettled && (isBlind || $0.id > parent || $0.id == named)
    }.reduce(0) { $0 | codes.told($1.body) }
    for index in state.writers.indices where state.told >> index & 1 == 1 {
      if !isTold(index, by: told) {
        return Breach(
          LedgerOracle.wordForgotten,
          "what writer \(index + 1) said was acknowledged, and the next publish will not find it")
      }
    }
    return nil
  }

  /// The record of the whole run is one of a max-register, in some order.
  package var breachOfRun: Breach? {
    guard let operations = recorder?.entries.map(\.operation),
      let refutation = MaxRegisterChecker.refute(operations)
    else { return nil }
    let value = operations[refutation.read].value
    return Breach(
      LedgerOracle.notLinearizable,
      "no order of the publishes and reads explains it: a read of "
        + (value == 0 ? "nothing" : "\(Codes.revisionID(value))")
        + (refutation.reason == .neverWritten ? ", which nobody wrote" : ""))
  }
}

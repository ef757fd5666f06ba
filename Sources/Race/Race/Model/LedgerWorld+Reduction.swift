import HealthLedger

/// Which steps an exploration may take immediately or leave out and still find every broken
/// promise.
///
/// docs/RACE.md has the reasons. Each rule names its assumption. If that does not hold, because of
/// a broken store or interference, the rule is off. Tests check that both explorations give equal
/// results.
extension LedgerWorld {
  /// Whether the store's contents change only by its own rules: a revision never changes, and the
  /// pointer only gets values that it never had. The first step that violates this is a breach by
  /// itself.
  private var isOrderly: Bool {
    flaw?.isOfStore != true && state.interference == 0 && state.deeds == 0
  }

  /// Whether the store refuses a write now and forever.
  func isVain(_ write: LedgerState.Write) -> Bool {
    guard isOrderly else { return false }
    switch write.condition {
    case .none: return false
    case .absent:
      return write.target == .pointer ? state.pointer != 0 : state.body(of: write.id) != 0
    case .matches(let code): return state.pointer != code
    }
  }

  /// A step that no other client's step can affect and that affects no other client, so that its
  /// order need not be explored; nil if there is none.
  package var localStep: Step? {
    guard isReduced, breach == nil else { return nil }
    let isStale = flaw == .eventualReads
    for index in state.writers.indices {
      let writer = state.writers[index]
      if writer.node == LedgerState.Client.crashed { return .restart(index) }
      guard writer.isRunning else { continue }
      let request = rules.automata.request(writer.node)
      switch request {
      case .readRevision(let id):
        if !isStale, state.body(of: id) != 0 { return .advance(index, .answered) }
      case .create, .writePointer:
        if let write = write(request), isVain(write),
          rules.automata.takesAlike(writer.node)
        {
          coverOutcomes(writer.node)
          return .advance(index, .answered)
        }
      default: continue
      }
    }
    guard !isStale else { return nil }
    for index in state.readers.indices where state.readers[index].remaining > 0 {
      if case .readRevision(let id) = rules.automata.request(state.readers[index].node),
        state.body(of: id) != 0
      {
        return .read(index, isStale: false)
      }
    }
    return nil
  }

  /// The steps without those whose effects other steps cover.
  var essentialSteps: [Step] {
    // Readers change nothing. What others do after all have read, they can also do before any has
    // begun.
    if scenario.readers > 0, state.readers.allSatisfy({ $0.remaining == 0 }) { return [] }
    return isOrderly ? allSteps.filter(isEssential) : allSteps
  }

  private func isEssential(_ step: Step) -> Bool {
    switch step {
    case .arrive(let index): return !isVain(state.late[index])
    case .crash(let index, let leavesWrite):
      guard isPlain(state.writers[index].node), scenario.clocks != .backwards else { return true }
      return leavesWrite
    case .advance(let index, let outcome):
      let node = state.writers[index].node
      guard outcome != .answered, isPlain(node) else { return true }
      coverOutcomes(node)
      return outcome == standIn(scenario.outcomes, outcome)
    default: return true
    }
  }

  /// Counts the branches of both failed answers, if an outcome may give them, although only one is
  /// taken.
  private func coverOutcomes(_ node: Int32) {
    guard state.faults > 0 else { return }
    for answer in 1...2 { _ = rules.automata.next(node, .put, answer) }
  }

  /// Whether a writer is at a conditional write for which only success matters, or at a read, which
  /// has no outcomes.
  private func isPlain(_ node: Int32) -> Bool {
    let request = rules.automata.request(node)
    guard let write = write(request) else { return flaw?.isBlind != true }
    return write.condition != .none && rules.automata.takesAlike(node)
  }

  /// The outcome that covers the effects of this one, or this one itself.
  ///
  /// A delayed write may never arrive, or arrive immediately. A second copy of a conditional write
  /// has no effect.
  private func standIn(_ outcomes: [RequestOutcome], _ outcome: RequestOutcome) -> RequestOutcome? {
    if outcome == .duplicated { return nil }
    if outcomes.contains(.delayed) { return .delayed }
    let isApplied: (RequestOutcome) -> Bool = { $0 == .lostAfter || $0 == .resent }
    return outcomes.first { $0 != .duplicated && isApplied($0) == isApplied(outcome) }
  }
}

extension LedgerFlaw {
  /// Whether it sends writes of which a copy could be applied again.
  fileprivate var isBlind: Bool {
    switch self {
    case .blindPut, .headThenPut, .blindAfterConflicts: true
    default: false
    }
  }
}

import HealthLedger
import HealthModel

/// Writers and readers of one day of a ledger, on a store that does what its conditions say (R20 to
/// R30).
///
/// Writers and readers are the production machines. One step is one request.
package struct LedgerWorld: RacedWorld {
  let rules: LedgerRules
  let scenario: Scenario
  /// Whether steps whose order can't matter are left out (docs/RACE.md).
  let isReduced: Bool
  var state: LedgerState
  package internal(set) var breach: Breach?
  /// What the clients see, where somebody asks for it.
  var recorder: Recorder?

  /// - Parameters:
  ///   - isReduced: whether to leave out steps whose order can't matter.
  ///   - rules: those of the scenario's flaw; made if nil.
  package init(
    _ scenario: Scenario, isReduced: Bool = true, by rules: LedgerRules? = nil
  ) throws {
    let rules =
      try rules
      ?? LedgerRules(scenario.flaw, countsSends: !isReduced || scenario.canUseUpSends)
    self.init(scenario, isReduced: isReduced, rules)
  }

  init(_ scenario: Scenario, isReduced: Bool, _ rules: LedgerRules) {
    (self.rules, self.scenario, self.isReduced) = (rules, scenario, isReduced)
    state = LedgerState()
    if scenario.start != .absent {
      state.store(rules.older.id, rules.older.body)
      state.acknowledged = rules.older.id
    }
    switch scenario.start {
    case .absent: break
    case .present: (state.pointer, state.high) = (rules.older.id, rules.older.id)
    case .corrupt:
      state.pointer = Codes.corrupt
      state.store(rules.older.id + 60 << 24, rules.junk)
    case .dangling:
      state.pointer = rules.older.id + 600 << 24
      state.high = state.pointer
    }
    if scenario.isAtCalendarEnd { state.store(Codes.id(.last, entropy: 0), rules.junk) }
    state.writers = (0..<scenario.writers).map { LedgerState.Client(node: first($0)) }
    state.readers = Array(
      repeating: .init(node: rules.readerNode, remaining: UInt8(scenario.reads)),
      count: scenario.readers)
    state.faults = Int8(scenario.faults)
    state.crashes = Int8(scenario.crashes)
    state.interference = Int8(scenario.interference)
    state.stalePointer = state.pointer
  }

  var flaw: LedgerFlaw? { rules.flaw }

  /// Branches of the publish machine that some world of the same rules took.
  package var branches: Set<PublishBranch> { rules.automata.branches }

  // MARK: Identity

  /// What all that follows depends on: not a write that is refused forever.
  private var identity: LedgerState {
    guard isReduced, !state.late.isEmpty else { return state }
    var identity = state
    identity.late.removeAll(where: isVain)
    return identity
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.breach == b.breach && a.identity == b.identity
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
    hasher.combine(breach)
  }

  // MARK: Writers

  /// The state in which a writer begins, and begins again after a crash.
  func first(_ index: Int) -> Int32 {
    rules.first(draft(index), movesPointer: scenario.movesPointer)
  }

  /// Whether a day that has the words of these writers has what this one says. Of what its source has said
  /// later, an outdated one says nothing.
  func isTold(_ index: Int, by told: Int) -> Bool {
    told >> draft(index) & 1 == 1 || isOutdated(index) && told & 1 == 1
  }

  /// Whether a writer offers data that was captured before all other data.
  func isOutdated(_ index: Int) -> Bool {
    scenario.hasOutdated && index == scenario.writers - 1
  }

  private func draft(_ index: Int) -> Int {
    if isOutdated(index) { return LedgerRules.maximumWriters }
    return scenario.hasTwins && index == 1 ? 0 : index
  }

  // MARK: What may come next

  package var steps: [Step] {
    if breach != nil { return [] }
    return isReduced ? essentialSteps : allSteps
  }

  /// Every step that the world's budgets allow, in a fixed order.
  var allSteps: [Step] {
    var steps: [Step] = []
    for (index, writer) in state.writers.enumerated() {
      if writer.node == LedgerState.Client.crashed {
        steps.append(.restart(index))
        continue
      }
      guard writer.isRunning else { continue }
      steps.append(.advance(index, .answered))
      let isWrite = rules.automata.request(writer.node).isWrite
      if state.faults > 0 {
        if isWrite, writer.check == .none {
          for outcome in scenario.outcomes { steps.append(.advance(index, outcome)) }
        } else if flaw == .eventualReads {
          steps.append(.advance(index, .stale))
        }
      }
      if state.crashes > 0 {
        steps.append(.crash(index, leavesWrite: false))
        if isWrite { steps.append(.crash(index, leavesWrite: true)) }
      }
    }
    for (index, reader) in state.readers.enumerated() where reader.remaining > 0 {
      steps.append(.read(index, isStale: false))
      if flaw == .eventualReads, state.faults > 0 {
        steps.append(.read(index, isStale: true))
      }
    }
    for index in state.late.indices { steps.append(.arrive(index)) }
    if state.interference > 0 {
      for deed in Step.Interference.allCases where state.deeds & deed.bit == 0 {
        steps.append(.interfere(deed))
      }
    }
    return steps
  }

  /// Ignoring budgets, so that a shortened run still runs.
  package func allows(_ step: Step) -> Bool {
    switch step {
    case .advance(let index, let outcome):
      guard let isWrite = isWriting(index) else { return false }
      return outcome == .answered || (isWrite == (outcome != .stale))
    case .crash(let index, let leavesWrite):
      guard let isWrite = isWriting(index) else { return false }
      return !leavesWrite || isWrite
    case .restart(let index):
      return state.writers.indices.contains(index)
        && state.writers[index].node == LedgerState.Client.crashed
    case .read(let index, _):
      return state.readers.indices.contains(index) && state.readers[index].remaining > 0
    case .arrive(let index): return state.late.indices.contains(index)
    case .interfere: return true
    }
  }

  /// Whether the writer's next request is a write; nil if it has none.
  private func isWriting(_ index: Int) -> Bool? {
    guard state.writers.indices.contains(index), state.writers[index].isRunning else { return nil }
    return rules.automata.request(state.writers[index].node).isWrite
  }

  package static func actor(of step: Step) -> Int? {
    switch step {
    case .advance(let index, _), .crash(let index, _), .restart(let index): index
    case .read(let index, _): 4 + index
    case .arrive: 8
    case .interfere: nil
    }
  }

  package static func isFault(_ step: Step) -> Bool {
    switch step {
    case .advance(_, let outcome): outcome != .answered
    case .read(_, let isStale): isStale
    case .crash, .interfere: true
    case .restart, .arrive: false
    }
  }
}

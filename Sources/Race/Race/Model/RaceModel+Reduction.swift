import HealthLedger

/// Which steps an exploration may take immediately or leave out and still find every broken
/// promise.
///
/// docs/RACE.md has the reasons. Each rule names its assumption. If that does not hold, because of
/// a broken store or interference, the rule is off. Tests check that both explorations give equal
/// results.
extension RaceModel {
  /// Whether the store's contents change only by its own rules: a revision never changes, and the
  /// pointer only gets values that it never had. The first step that violates this is a breach by
  /// itself.
  private func isOrderly(_ world: World) -> Bool {
    subject.storeFlaw == nil && world.interference == 0 && world.deeds == 0
  }

  /// Whether the store refuses a write now and forever.
  func isVain(_ write: World.Write, _ world: World) -> Bool {
    guard isOrderly(world) else { return false }
    switch write.condition {
    case .none: return false
    case .absent:
      return write.target == .pointer ? world.pointer != 0 : world.body(of: write.id) != 0
    case .matches(let code): return world.pointer != code
    }
  }

  /// A step that no other client's step can affect and that affects no other client, so that its
  /// order need not be explored; nil if there is none.
  mutating func localStep(of world: World, _ scenario: Scenario) -> Step? {
    let isStale = subject.storeFlaw == .eventualReads
    for index in world.writers.indices {
      let writer = world.writers[index]
      if writer.node == World.Client.crashed { return .restart(index) }
      guard writer.isRunning else { continue }
      let request = automata.request(writer.node)
      switch request {
      case .readRevision(let id):
        if !isStale, world.body(of: id) != 0 { return .advance(index, .answered) }
      case .create, .writePointer:
        if let write = write(request), isVain(write, world),
          automata.takesAlike(writer.node)
        {
          coverOutcomes(writer.node, world)
          return .advance(index, .answered)
        }
      default: continue
      }
    }
    guard !isStale else { return nil }
    for index in world.readers.indices where world.readers[index].remaining > 0 {
      if case .readRevision(let id) = automata.readerRequest(world.readers[index].node),
        world.body(of: id) != 0
      {
        return .read(index, isStale: false)
      }
    }
    return nil
  }

  /// The steps without those whose effects other steps cover.
  mutating func essentialSteps(
    of world: World, _ scenario: Scenario, into steps: inout [Step]
  ) {
    // Readers change nothing. What others do after all have read, they can also do before any has
    // begun.
    if scenario.readers > 0, world.readers.allSatisfy({ $0.remaining == 0 }) {
      steps.removeAll(keepingCapacity: true)
      return
    }
    self.steps(of: world, scenario, into: &steps)
    guard isOrderly(world) else { return }
    var kept = 0
    for place in steps.indices where isEssential(steps[place], world, scenario) {
      steps[kept] = steps[place]
      kept += 1
    }
    steps.removeLast(steps.count - kept)
  }

  private mutating func isEssential(
    _ step: Step, _ world: World, _ scenario: Scenario
  ) -> Bool {
    switch step {
    case .arrive(let index): return !isVain(world.late[index], world)
    case .crash(let index, let leavesWrite):
      guard isPlain(world.writers[index].node), scenario.clocks != .backwards else { return true }
      return leavesWrite
    case .advance(let index, let outcome):
      let node = world.writers[index].node
      guard outcome != .answered, isPlain(node) else { return true }
      coverOutcomes(node, world)
      return outcome == standIn(scenario.outcomes, outcome)
    default: return true
    }
  }

  /// Counts the branches of both failed answers, if an outcome may give them, although only one is
  /// taken.
  private mutating func coverOutcomes(_ node: Int32, _ world: World) {
    guard world.faults > 0 else { return }
    for answer in 1...2 { _ = automata.next(node, .put, answer) }
  }

  /// Whether a writer is at a conditional write for which only success matters, or at a read, which
  /// has no outcomes.
  private mutating func isPlain(_ node: Int32) -> Bool {
    let request = automata.request(node)
    guard let write = write(request) else { return subject.protocolFlaw?.isBlind != true }
    return write.condition != .none && automata.takesAlike(node)
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

extension ProtocolFlaw {
  /// Whether it sends writes of which a copy could be applied again.
  fileprivate var isBlind: Bool {
    switch self {
    case .blindPut, .headThenPut, .blindAfterConflicts: true
    default: false
    }
  }
}

import HealthLedger

/// Which steps an exploration may take at once, or leave out, and still meet every broken promise.
///
/// docs/RACE.md has the reasons. Each rule names what it rests on; where that does not hold, for a
/// broken store or a stranger's deeds, the rule is off. Tests hold both explorations equal.
extension RaceModel {
  /// Whether what the store holds changes by its own rules alone: a revision never, and the pointer
  /// only to values that it never had. The first step against this is a breach by itself.
  private func isOrderly(_ world: World) -> Bool {
    subject.storeFlaw == nil && world.meddling == 0 && world.deeds == 0
  }

  /// Whether the store refuses a write now and for ever after.
  func isVain(_ write: World.Write, _ world: World) -> Bool {
    guard isOrderly(world) else { return false }
    switch write.condition {
    case .none: return false
    case .absent:
      return write.target == .pointer ? world.pointer != 0 : world.body(of: write.id) != 0
    case .matches(let code): return world.pointer != code
    }
  }

  /// A step that nobody else's steps can change and that changes nothing for anybody else, so that
  /// no order of it and theirs needs to be tried; nil if there is none.
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
          coverFates(writer.node, world)
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

  /// The steps without those that show nothing which the others do not show.
  mutating func essentialSteps(
    of world: World, _ scenario: Scenario, into steps: inout [Step]
  ) {
    // Readers change nothing: what others do when all have read, they do while none has begun.
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
    case .advance(let index, let fate):
      let node = world.writers[index].node
      guard fate != .answered, isPlain(node) else { return true }
      coverFates(node, world)
      return fate == standIn(scenario.fates, fate)
    default: return true
    }
  }

  /// Counts the branches of both bad answers, where a fate may give them, although one is taken.
  private mutating func coverFates(_ node: Int32, _ world: World) {
    guard world.faults > 0 else { return }
    for answer in 1...2 { _ = automata.next(node, .put, answer) }
  }

  /// Whether a writer is at a conditional write whose answers are told apart by success alone;
  /// or at a read, which has no fates.
  private mutating func isPlain(_ node: Int32) -> Bool {
    let request = automata.request(node)
    guard let write = write(request) else { return subject.protocolFlaw?.isBlind != true }
    return write.condition != .none && automata.takesAlike(node)
  }

  /// The fate that shows all that this one does; itself, if only it does.
  ///
  /// A delayed write may never arrive, or at once; a second copy of a conditional write is vain.
  private func standIn(_ fates: [Fate], _ fate: Fate) -> Fate? {
    if fate == .duplicated { return nil }
    if fates.contains(.delayed) { return .delayed }
    let isApplied: (Fate) -> Bool = { $0 == .lostAfter || $0 == .resent }
    return fates.first { $0 != .duplicated && isApplied($0) == isApplied(fate) }
  }
}

extension ProtocolFlaw {
  /// Whether it sends writes that a copy of could be applied again.
  fileprivate var isBlind: Bool {
    switch self {
    case .blindPut, .headThenPut, .blindAfterConflicts: true
    default: false
    }
  }
}

import HealthLedger
import HealthModel

/// The effect of a step.
extension LedgerWorld {
  package mutating func take(_ step: Step) -> [String] {
    let pointer = state.pointer
    let fault = perform(step)
    if state.pointer != pointer { recorder?.sees(state.pointer) }
    recorder?.time += 1
    return fault.map { [$0] } ?? []
  }

  private mutating func perform(_ step: Step) -> String? {
    switch step {
    case .advance(let index, let outcome):
      if outcome != .answered { state.faults -= 1 }
      advance(index, outcome)
      return outcome == .answered ? nil : outcome.rawValue
    case .crash(let index, let leavesWrite):
      state.crashes -= 1
      let request = rules.automata.request(state.writers[index].node)
      if leavesWrite, let write = write(request) {
        // A write whose sender dies while it is in flight was invoked and may still take effect.
        recorder?.asks(index, request)
        state.add(late: write)
      }
      recorder?.forget(index)
      state.writers[index].node = LedgerState.Client.crashed
      state.writers[index].check = .none
      state.writers[index].isKept = false
      state.writers[index].sends = 0
      return leavesWrite ? "crash with a write in flight" : "crash"
    case .restart(let index):
      state.writers[index].node = first(index)
      // Counted only where it matters. Otherwise equal worlds would differ by it.
      if scenario.clocks == .backwards { state.writers[index].starts += 1 }
      return nil
    case .read(let index, let isStale):
      if isStale { state.faults -= 1 }
      read(index, isStale)
      return isStale ? RequestOutcome.stale.rawValue : nil
    case .arrive(let index):
      apply(state.late.remove(at: index))
      return nil
    case .interfere(let deed):
      state.interference -= 1
      state.deeds |= deed.bit
      switch deed {
      case .deletePointer: state.pointer = 0
      case .overwritePointer: state.pointer = Codes.corrupt
      case .brokenRevision:
        state.store((state.revisions.last?.id ?? rules.older.id) + 7 << 24, rules.junk)
      }
      return deed.rawValue
    }
  }

  private mutating func advance(_ index: Int, _ outcome: RequestOutcome) {
    let writer = state.writers[index]
    let request = rules.automata.request(writer.node)
    judge(recorder?.asks(index, request))
    var node: Int32
    if writer.node == first(index) { state.writers[index].isKept = tells(index) }
    switch request {
    case .readPointer:
      let seen = outcome == .stale ? state.stalePointer : state.pointer
      node = rules.automata.next(writer.node, .pointer, seen)
    case .list:
      let list = rules.automata.list(ids(isStale: outcome == .stale))
      node = rules.automata.next(writer.node, .revisions, list)
    case .readRevision(let id):
      let body = outcome == .stale && id == state.newest ? 0 : state.body(of: id)
      node = rules.automata.next(writer.node, .revision, body)
    case .create, .writePointer:
      if flaw == .checksOutsideLock, outcome == .answered, writer.check == .none,
        let write = write(request)
      {
        state.writers[index].check = holds(write) ? .passed : .failed
        return
      }
      judge(request, of: index)
      guard breach == nil else { return }
      let answer = send(request, writer.check, outcome)
      state.writers[index].check = .none
      node = rules.automata.next(writer.node, .put, answer)
    case .mint, .acknowledge, .fail, .answer: return
    }
    if rules.automata.request(node) == .mint {
      let now = RaceDay.noon.adding(
        seconds: scenario.clock(of: index, starts: Int(writer.starts)))
      node = rules.automata.next(
        node, .minted, Codes.id(now, entropy: scenario.suffix(of: index)))
    }
    state.writers[index].node = node
    judgeEnd(index)
    breach = breach ?? forgotten
  }

  /// Sends a write with an outcome. Returns the answer as the writer's client understands it.
  private mutating func send(
    _ request: Automata.Request, _ check: LedgerState.Client.Check, _ outcome: RequestOutcome
  ) -> Int {
    let (stored, refused, unknown) = (0, 1, 2)
    guard let write = write(request) else { return unknown }
    func answer(_ isApplied: Bool) -> Int { isApplied || flaw == .answers304 ? stored : refused }
    switch outcome {
    case .answered, .stale: return answer(apply(write, check))
    case .lostBefore, .serverError: return unknown
    case .errorBody: return flaw == .errorBody ? stored : unknown
    case .lostAfter:
      apply(write, check)
      return unknown
    case .delayed:
      state.add(late: write)
      return unknown
    case .duplicated:
      let isApplied = apply(write, check)
      state.add(late: write)
      return answer(isApplied)
    case .resent:
      apply(write, check)
      return answer(apply(write, check))
    case .conflict, .refused: return refused
    }
  }

  func write(_ request: Automata.Request) -> LedgerState.Write? {
    switch request {
    case .create(let id, let body):
      LedgerState.Write(id: id, target: .revision(body: body), condition: .absent)
    case .writePointer(let id, let condition):
      LedgerState.Write(id: id, target: .pointer, condition: condition)
    default: nil
    }
  }
}

/// Readers, and the answers that they must not get.
extension LedgerWorld {
  /// What a resolve that begins now must reach: everything that was acknowledged or read before.
  ///
  /// What the pointer named is at least that, and is always compared with a publish that ends.
  private var floor: Codes.ID {
    let named = rules.automata.codes.isReadable(state.body(of: state.high)) ? state.high : 0
    return max(named, state.acknowledged, state.answered)
  }

  private mutating func read(_ index: Int, _ isStale: Bool) {
    var reader = state.readers[index]
    judge(recorder?.reads(index))
    switch rules.automata.request(reader.node) {
    case .readPointer:
      reader.floor = floor
      reader.node = rules.automata.next(
        reader.node, .pointer, isStale ? state.stalePointer : state.pointer)
    case .list(let after):
      let list = rules.automata.list(ids(after: after, isStale: isStale))
      reader.node = rules.automata.next(reader.node, .revisions, list)
    case .readRevision(let id):
      let body = isStale && id == state.newest ? 0 : state.body(of: id)
      reader.node = rules.automata.next(reader.node, .revision, body)
    default: break
    }
    if case .answer(let id) = rules.automata.request(reader.node) {
      let floor = reader.floor ?? 0
      if id < floor {
        breach =
          breach
          ?? Breach(
            LedgerOracle.answeredTooLow,
            "a reader got \(id == 0 ? "nothing" : "\(Codes.revisionID(id))") after "
              + "\(Codes.revisionID(floor)) was known")
      }
      state.answered = max(state.answered, id)
      recorder?.answered(index, id)
      reader = .init(node: rules.readerNode, remaining: reader.remaining - 1)
    }
    state.readers[index] = reader
    if state.readers.allSatisfy({ $0.remaining == 0 }) {
      (state.acknowledged, state.answered) = (0, 0)
    }
  }
}

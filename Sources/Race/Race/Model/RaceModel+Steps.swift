import HealthLedger
import HealthModel

/// The effect of a step.
extension RaceModel {
  /// The result of a step, in addition to the new world.
  struct Result {
    var breach: Breach?
    /// For a write that reached the store: whether it was applied.
    var isApplied: Bool?
    /// How a writer's publish ended, if it did.
    var ended: Automata.Request?
    /// The final answer to a reader: an id, or 0 for none.
    var answer: Codes.ID?
  }

  mutating func take(_ step: Step, in world: inout World, _ scenario: Scenario) -> Result {
    switch step {
    case .advance(let index, let outcome):
      if outcome != .answered { world.faults -= 1 }
      return advance(index, outcome, &world, scenario)
    case .crash(let index, let leavesWrite):
      world.crashes -= 1
      if leavesWrite, let write = write(automata.request(world.writers[index].node)) {
        world.add(late: write)
      }
      world.writers[index].node = World.Client.crashed
      world.writers[index].check = .none
      world.writers[index].isKept = false
      world.writers[index].sends = 0
      return Result()
    case .restart(let index):
      world.writers[index].node = first(index, scenario)
      // Counted only where it matters. Otherwise equal worlds would differ by it.
      if scenario.clocks == .backwards { world.writers[index].starts += 1 }
      return Result()
    case .read(let index, let isStale):
      if isStale { world.faults -= 1 }
      return read(index, isStale, &world)
    case .arrive(let index):
      let write = world.late.remove(at: index)
      var result = Result()
      result.isApplied = apply(write, .none, &world, &result.breach)
      return result
    case .interfere(let deed):
      world.interference -= 1
      world.deeds |= deed.bit
      switch deed {
      case .deletePointer: world.pointer = 0
      case .overwritePointer: world.pointer = Codes.corrupt
      case .brokenRevision:
        world.store((world.revisions.last?.id ?? older.id) + 7 << 24, junk)
      }
      return Result()
    }
  }

  private mutating func advance(
    _ index: Int, _ outcome: RequestOutcome, _ world: inout World, _ scenario: Scenario
  ) -> Result {
    let writer = world.writers[index]
    let request = automata.request(writer.node)
    var result = Result()
    var node: Int32
    if writer.node == first(index, scenario) {
      world.writers[index].isKept = tells(index, world, scenario)
    }
    switch request {
    case .readPointer:
      let seen = outcome == .stale ? world.stalePointer : world.pointer
      node = automata.next(writer.node, .pointer, seen)
    case .list:
      let list = automata.list(ids(world, after: 0, isStale: outcome == .stale))
      node = automata.next(writer.node, .revisions, list)
    case .readRevision(let id):
      let body = outcome == .stale && id == world.newest ? 0 : world.body(of: id)
      node = automata.next(writer.node, .revision, body)
    case .create, .writePointer:
      if subject.storeFlaw == .checksOutsideLock, outcome == .answered, writer.check == .none,
        let write = write(request)
      {
        world.writers[index].check = holds(write, world) ? .passed : .failed
        return result
      }
      judge(request, of: index, &world, scenario, &result)
      guard result.breach == nil else { return result }
      let answer = send(request, writer.check, outcome, &world, &result)
      world.writers[index].check = .none
      node = automata.next(writer.node, .put, answer)
    case .mint, .acknowledge, .fail: return result
    }
    if automata.request(node) == .mint {
      let now = RaceDay.noon.adding(
        seconds: scenario.clock(of: index, starts: Int(writer.starts)))
      node = automata.next(
        node, .minted, Codes.id(now, entropy: scenario.suffix(of: index)))
    }
    world.writers[index].node = node
    judgeEnd(index, &world, scenario, &result)
    result.breach = result.breach ?? forgotten(in: world, scenario)
    return result
  }

  /// Sends a write with an outcome. Returns the answer as the writer's client understands it.
  private func send(
    _ request: Automata.Request, _ check: World.Client.Check, _ outcome: RequestOutcome,
    _ world: inout World,
    _ result: inout Result
  ) -> Int {
    let (stored, refused, unknown) = (0, 1, 2)
    guard let write = write(request) else { return unknown }
    func applied() -> Int {
      let isApplied = apply(write, check, &world, &result.breach)
      result.isApplied = isApplied
      return isApplied || subject.storeFlaw == .answers304 ? stored : refused
    }
    switch outcome {
    case .answered, .stale: return applied()
    case .lostBefore, .serverError: return unknown
    case .errorBody: return subject.storeFlaw == .errorBody ? stored : unknown
    case .lostAfter:
      _ = applied()
      return unknown
    case .delayed:
      world.add(late: write)
      return unknown
    case .duplicated:
      let answer = applied()
      world.add(late: write)
      return answer
    case .resent:
      _ = applied()
      return applied()
    case .conflict, .refused: return refused
    }
  }

  func write(_ request: Automata.Request) -> World.Write? {
    switch request {
    case .create(let id, let body):
      World.Write(id: id, target: .revision(body: body), condition: .absent)
    case .writePointer(let id, let condition):
      World.Write(id: id, target: .pointer, condition: condition)
    default: nil
    }
  }
}

/// Readers, and the answers that they must not get.
extension RaceModel {
  /// What a resolve that begins now must reach: everything that was acknowledged or read before.
  ///
  /// What the pointer named is at least that, and is always compared with a publish that ends.
  private func floor(_ world: World) -> Codes.ID {
    let named = automata.codes.isReadable(world.body(of: world.high)) ? world.high : 0
    return max(named, world.acknowledged, world.answered)
  }

  mutating func read(_ index: Int, _ isStale: Bool, _ world: inout World) -> Result {
    var reader = world.readers[index]
    var result = Result()
    switch automata.readerRequest(reader.node) {
    case .readPointer:
      reader.floor = floor(world)
      reader.node = automata.nextReader(
        reader.node, .pointer, isStale ? world.stalePointer : world.pointer)
    case .list(let after):
      let list = automata.list(ids(world, after: after, isStale: isStale))
      reader.node = automata.nextReader(reader.node, .revisions, list)
    case .readRevision(let id):
      let body = isStale && id == world.newest ? 0 : world.body(of: id)
      reader.node = automata.nextReader(reader.node, .revision, body)
    case .answer: break
    }
    if case .answer(let id) = automata.readerRequest(reader.node) {
      let floor = reader.floor ?? 0
      if id < floor {
        result.breach = .answeredTooLow(
          id == 0 ? nil : Codes.revisionID(id), floor: Codes.revisionID(floor))
      }
      world.answered = max(world.answered, id)
      result.answer = id
      reader = .init(node: readerNode, remaining: reader.remaining - 1)
    }
    world.readers[index] = reader
    if world.readers.allSatisfy({ $0.remaining == 0 }) {
      (world.acknowledged, world.answered) = (0, 0)
    }
    return result
  }
}

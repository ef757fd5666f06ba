import HealthLedger
import HealthModel

/// The rules of a race: which steps a world allows, and what each does and breaks.
///
/// It keeps the automata of the ledger's machines, so one model serves any number of scenarios with
/// the same subject.
struct RaceModel {
  let subject: Subject
  var automata: Automata
  private var firstNodes: [Int32] = []
  private let twinNode: Int32
  private let readerNode: Int32
  private let older: World.Stored
  private let junk: Int

  /// 9999-12-31T23:59:59Z.
  private static let lastMoment = Timestamp(secondsSince1970: 253_402_300_799)

  /// Most uploaders of a scenario.
  static let maximumWriters = 4

  init(_ subject: Subject) throws {
    self.subject = subject
    guard let date = CalendarDate(RaceDay.text) else {
      throw ReportingDay.Failure.unknownTimeZone(RaceDay.text)
    }
    let day = try ReportingDay(date: date, timeZoneName: "UTC")
    func draft(_ steps: Int) -> DayDraft {
      DayDraft(
        day: day, collector: RaceDay.collector, readings: [.steps: .value(Double(steps))],
        capturedAt: RaceDay.noon)
    }
    automata = Automata(date: date)
    for index in 0..<Self.maximumWriters {
      firstNodes.append(automata.start(draft(index), flaw: subject.protocolFlaw))
    }
    twinNode = automata.start(draft(0), flaw: subject.protocolFlaw)
    readerNode = automata.startReader()
    let moment = RaceDay.noon.adding(seconds: -7200)
    older = World.Stored(
      id: Codes.id(moment, entropy: 0x1),
      body: automata.codes.body(draft(99).revision(at: moment).encoded))
    junk = automata.codes.body(Array("{}".utf8))
    _ = automata.codes.pointer(Codes.corrupt)
  }

  // MARK: Beginning

  func beginning(_ scenario: Scenario) -> World {
    var world = World()
    if scenario.start != .absent {
      world.store(older.id, older.body)
      world.acknowledged = older.id
    }
    switch scenario.start {
    case .absent: break
    case .present: (world.pointer, world.high) = (older.id, older.id)
    case .corrupt:
      world.pointer = Codes.corrupt
      world.store(older.id + 60 << 24, junk)
    case .dangling:
      world.pointer = older.id + 600 << 24
      world.high = world.pointer
    }
    if scenario.isFull {
      world.store(Codes.id(Self.lastMoment, entropy: 0xFF_FFFF), junk)
    }
    for index in 0..<scenario.writers {
      world.uploaders.append(World.Client(node: first(index, scenario)))
    }
    for _ in 0..<scenario.readers {
      world.readers.append(.init(node: readerNode, remaining: UInt8(scenario.reads)))
    }
    world.faults = Int8(scenario.faults)
    world.crashes = Int8(scenario.crashes)
    world.meddling = Int8(scenario.meddling)
    world.stalePointer = world.pointer
    return world
  }

  private func first(_ index: Int, _ scenario: Scenario) -> Int32 {
    scenario.hasTwins && index == 1 ? twinNode : firstNodes[index]
  }

  // MARK: What may come next

  /// Every step that the world's budgets allow, in a fixed order.
  func steps(of world: World, _ scenario: Scenario, into steps: inout [Step]) {
    steps.removeAll(keepingCapacity: true)
    for (index, uploader) in world.uploaders.enumerated() {
      if uploader.node == World.Client.crashed {
        steps.append(.restart(index))
        continue
      }
      guard uploader.isRunning else { continue }
      steps.append(.advance(index, .answered))
      let isWrite = automata.request(uploader.node).isWrite
      if world.faults > 0 {
        if isWrite, uploader.check == .none {
          for fate in scenario.fates { steps.append(.advance(index, fate)) }
        } else if subject.storeFlaw == .eventualReads {
          steps.append(.advance(index, .stale))
        }
      }
      if world.crashes > 0 {
        steps.append(.crash(index, leavesWrite: false))
        if isWrite { steps.append(.crash(index, leavesWrite: true)) }
      }
    }
    for (index, reader) in world.readers.enumerated() where reader.remaining > 0 {
      steps.append(.read(index, isStale: false))
      if subject.storeFlaw == .eventualReads, world.faults > 0 {
        steps.append(.read(index, isStale: true))
      }
    }
    for index in world.late.indices { steps.append(.arrive(index)) }
    if world.meddling > 0 {
      for deed in Step.Meddling.allCases where world.deeds & deed.bit == 0 {
        steps.append(.meddle(deed))
      }
    }
  }

  /// Whether a step can be taken, budgets aside: so that a shortened schedule still runs.
  func allows(_ step: Step, in world: World) -> Bool {
    switch step {
    case .advance(let index, let fate):
      guard world.uploaders.indices.contains(index), world.uploaders[index].isRunning else {
        return false
      }
      let isWrite = automata.request(world.uploaders[index].node).isWrite
      return fate == .answered || (isWrite == (fate != .stale))
    case .crash(let index, let leavesWrite):
      guard world.uploaders.indices.contains(index), world.uploaders[index].isRunning else {
        return false
      }
      return !leavesWrite || automata.request(world.uploaders[index].node).isWrite
    case .restart(let index):
      return world.uploaders.indices.contains(index)
        && world.uploaders[index].node == World.Client.crashed
    case .read(let index, _):
      return world.readers.indices.contains(index) && world.readers[index].remaining > 0
    case .arrive(let index): return world.late.indices.contains(index)
    case .meddle: return true
    }
  }

  // MARK: What a step does

  /// What came of a step, besides the new world.
  struct Result {
    var breach: Breach?
    /// Of a write that reached the store: whether it was applied.
    var isApplied: Bool?
    /// How an uploader's publish ended, if it did.
    var ended: Automata.Request?
    /// What a reader was answered at last: an id, or 0 for nothing.
    var answer: Codes.ID?
  }

  mutating func take(_ step: Step, in world: inout World, _ scenario: Scenario) -> Result {
    switch step {
    case .advance(let index, let fate):
      if fate != .answered { world.faults -= 1 }
      return advance(index, fate, &world, scenario)
    case .crash(let index, let leavesWrite):
      world.crashes -= 1
      if leavesWrite, let write = write(automata.request(world.uploaders[index].node)) {
        world.add(late: write)
      }
      world.uploaders[index].node = World.Client.crashed
      world.uploaders[index].check = .none
      return Result()
    case .restart(let index):
      world.uploaders[index].node = first(index, scenario)
      // Counted only where it matters, or equal worlds would differ by it.
      if scenario.clocks == .backwards { world.uploaders[index].starts += 1 }
      return Result()
    case .read(let index, let isStale):
      if isStale { world.faults -= 1 }
      return read(index, isStale, &world)
    case .arrive(let index):
      let write = world.late.remove(at: index)
      var result = Result()
      result.isApplied = apply(write, .none, &world, &result.breach)
      return result
    case .meddle(let deed):
      world.meddling -= 1
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
    _ index: Int, _ fate: Fate, _ world: inout World, _ scenario: Scenario
  ) -> Result {
    let uploader = world.uploaders[index]
    let request = automata.request(uploader.node)
    var result = Result()
    var node: Int32
    switch request {
    case .readPointer:
      let seen = fate == .stale ? world.stalePointer : world.pointer
      node = automata.next(uploader.node, .pointer, seen)
    case .list(let after):
      let list = automata.list(ids(world, after: after, isStale: fate == .stale))
      node = automata.next(uploader.node, .revisions, list)
    case .readRevision(let id):
      let body = fate == .stale && id == world.newest ? 0 : world.body(of: id)
      node = automata.next(uploader.node, .revision, body)
    case .create, .writePointer:
      if subject.storeFlaw == .checksOutsideLock, fate == .answered, uploader.check == .none,
        let write = write(request)
      {
        world.uploaders[index].check = holds(write, world) ? .passed : .failed
        return result
      }
      let answer = send(request, uploader.check, fate, &world, &result)
      world.uploaders[index].check = .none
      node = automata.next(uploader.node, .put, answer)
    case .mint, .acknowledge, .fail: return result
    }
    if automata.request(node) == .mint {
      let now = RaceDay.noon.adding(
        seconds: scenario.clock(of: index, starts: Int(uploader.starts)))
      node = automata.next(
        node, .minted, Codes.id(now, entropy: scenario.suffix(of: index)))
    }
    world.uploaders[index].node = node
    end(index, &world, scenario, &result)
    return result
  }

  /// Judges a publish that has ended.
  private func end(
    _ index: Int, _ world: inout World, _ scenario: Scenario, _ result: inout Result
  ) {
    let request = automata.request(world.uploaders[index].node)
    switch request {
    case .acknowledge(let id, _):
      // Only a reader that is still to come can tell.
      if world.readers.contains(where: { $0.remaining > 0 }) {
        world.acknowledged = max(world.acknowledged, id)
      }
      if world.high < id {
        result.breach = result.breach ?? .acknowledgedBehind(Codes.revisionID(id))
      }
      if world.body(of: id) == 0 {
        result.breach = result.breach ?? .acknowledgedMissing(Codes.revisionID(id))
      }
    case .fail(let failure):
      // Only as many faults as sends allowed can justify that a publisher gives up.
      if scenario.faults < PublishMachine.maximumAttempts, !scenario.isFull {
        result.breach = result.breach ?? .publishFailed(failure.word)
      }
    default: return
    }
    result.ended = request
    world.uploaders[index].node = World.Client.done
  }

  /// Sends a write to its fate; the answer as the uploader's client understands it.
  private func send(
    _ request: Automata.Request, _ check: World.Client.Check, _ fate: Fate, _ world: inout World,
    _ result: inout Result
  ) -> Int {
    let (stored, refused, unknown) = (0, 1, 2)
    guard let write = write(request) else { return unknown }
    func applied() -> Int {
      let isApplied = apply(write, check, &world, &result.breach)
      result.isApplied = isApplied
      return isApplied || subject.storeFlaw == .answers304 ? stored : refused
    }
    switch fate {
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

  private func write(_ request: Automata.Request) -> World.Write? {
    switch request {
    case .create(let id, let body):
      World.Write(id: id, target: .revision(body: body), condition: .absent)
    case .writePointer(let id, let condition):
      World.Write(id: id, target: .pointer, condition: condition)
    default: nil
    }
  }

  // MARK: The store

  private func holds(_ write: World.Write, _ world: World) -> Bool {
    let flaw = subject.storeFlaw
    let current = write.target == .pointer ? world.pointer : world.body(of: write.id)
    switch write.condition {
    case .none: return true
    case .absent: return current == 0 || flaw == .ignoresIfNoneMatch || flaw == .ignoresBoth
    case .matches(let code):
      return current == code || flaw == .ignoresIfMatch || flaw == .ignoresBoth
        || (flaw == .createsMissing && current == 0)
    }
  }

  private func apply(
    _ write: World.Write, _ check: World.Client.Check, _ world: inout World,
    _ breach: inout Breach?
  ) -> Bool {
    guard check == .none ? holds(write, world) : check == .passed else { return false }
    switch write.target {
    case .revision(let body):
      let old = world.body(of: write.id)
      if old != 0, old != body { breach = .revisionOverwritten(Codes.revisionID(write.id)) }
      world.store(write.id, body)
      if subject.storeFlaw == .eventualReads { world.newest = write.id }
    case .pointer:
      if write.id < world.high {
        breach = .pointerWentBack(
          from: Codes.revisionID(world.high), to: Codes.revisionID(write.id))
      } else if world.body(of: write.id) == 0 {
        breach = .pointerDangles(Codes.revisionID(write.id))
      }
      if subject.storeFlaw == .eventualReads { world.stalePointer = world.pointer }
      world.pointer = write.id
      world.high = max(world.high, write.id)
    }
    return true
  }

  private func ids(_ world: World, after id: Codes.ID, isStale: Bool) -> [Codes.ID] {
    var ids: [Codes.ID] = []
    for revision in world.revisions where revision.id > id {
      if !isStale || revision.id != world.newest { ids.append(revision.id) }
    }
    return ids
  }

  // MARK: Readers

  private mutating func read(_ index: Int, _ isStale: Bool, _ world: inout World) -> Result {
    var reader = world.readers[index]
    var result = Result()
    switch automata.readerRequest(reader.node) {
    case .readPointer:
      reader.floor = max(world.acknowledged, world.answered)
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

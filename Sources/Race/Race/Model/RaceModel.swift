import HealthLedger
import HealthModel

/// The rules of a race: which steps a world allows, and what each does and breaks.
///
/// It holds the automata of the ledger's machines, so one model works for any number of scenarios
/// with the same subject.
struct RaceModel {
  let subject: Subject
  var automata: Automata
  /// The first state of each writer, with and without a pointer to move.
  private var firstNodes: [Bool: [Int32]] = [:]
  let readerNode: Int32
  let older: World.Stored
  let junk: Int

  /// The most writers of a scenario.
  static let maximumWriters = 4

  init(_ subject: Subject, countsSends: Bool = true) throws {
    self.subject = subject
    guard let date = CalendarDate(RaceDay.text) else {
      throw ReportingDay.Failure.unknownTimeZone(RaceDay.text)
    }
    let day = try ReportingDay(date: date, timeZoneName: "UTC")
    func draft(_ number: Int) throws -> DayDraft {
      // The one after the writers' is the first writer's source, read long before any id that a clock of a race
      // can give.
      let isOutdated = number == Self.maximumWriters
      guard let source = DataSource(rawValue: "writer-\(isOutdated ? 0 : number)") else {
        throw ReportingDay.Failure.unknownTimeZone("")
      }
      return DayDraft(
        day: day, collector: RaceDay.collector, source: source,
        readings: [.steps: .value(Double(number))],
        capturedAt: isOutdated ? RaceDay.noon.adding(seconds: -700_000_000) : RaceDay.noon)
    }
    automata = Automata(date: date, countsSends: countsSends)
    automata.codes.words = try (0...Self.maximumWriters).flatMap { try draft($0).words }
    for index in 0...Self.maximumWriters {
      for movesPointer in [true, false] {
        firstNodes[movesPointer, default: []].append(
          try automata.start(draft(index), movesPointer: movesPointer, flaw: subject.protocolFlaw))
      }
    }
    readerNode = automata.startReader()
    let moment = RaceDay.noon.adding(seconds: -7200)
    let id = RevisionID(at: moment, entropy: 0x1)
    older = World.Stored(
      id: Codes.id(id),
      body: automata.codes.body(try draft(99).revision(at: moment).encoded, id))
    junk = automata.codes.body(Array("{}".utf8), id)
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
    if scenario.isAtCalendarEnd { world.store(Codes.id(.last, entropy: 0), junk) }
    for index in 0..<scenario.writers {
      world.writers.append(World.Client(node: first(index, scenario)))
    }
    for _ in 0..<scenario.readers {
      world.readers.append(.init(node: readerNode, remaining: UInt8(scenario.reads)))
    }
    world.faults = Int8(scenario.faults)
    world.crashes = Int8(scenario.crashes)
    world.interference = Int8(scenario.interference)
    world.stalePointer = world.pointer
    return world
  }

  /// The state in which a writer begins, and begins again after a crash.
  func first(_ index: Int, _ scenario: Scenario) -> Int32 {
    firstNodes[scenario.movesPointer]?[draft(index, scenario)] ?? World.Client.done
  }

  /// Whether a day that has the words of these writers has what this one says. Of what its source has said
  /// later, an outdated one says nothing.
  func isTold(_ index: Int, by told: Int, _ scenario: Scenario) -> Bool {
    told >> draft(index, scenario) & 1 == 1 || isOutdated(index, scenario) && told & 1 == 1
  }

  /// Whether a writer offers data that was captured before all other data.
  func isOutdated(_ index: Int, _ scenario: Scenario) -> Bool {
    scenario.hasOutdated && index == scenario.writers - 1
  }

  private func draft(_ index: Int, _ scenario: Scenario) -> Int {
    if isOutdated(index, scenario) { return Self.maximumWriters }
    return scenario.hasTwins && index == 1 ? 0 : index
  }

  // MARK: What may come next

  /// Every step that the world's budgets allow, in a fixed order.
  func steps(of world: World, _ scenario: Scenario, into steps: inout [Step]) {
    steps.removeAll(keepingCapacity: true)
    for (index, writer) in world.writers.enumerated() {
      if writer.node == World.Client.crashed {
        steps.append(.restart(index))
        continue
      }
      guard writer.isRunning else { continue }
      steps.append(.advance(index, .answered))
      let isWrite = automata.request(writer.node).isWrite
      if world.faults > 0 {
        if isWrite, writer.check == .none {
          for outcome in scenario.outcomes { steps.append(.advance(index, outcome)) }
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
    if world.interference > 0 {
      for deed in Step.Interference.allCases where world.deeds & deed.bit == 0 {
        steps.append(.interfere(deed))
      }
    }
  }

  /// Whether a step is possible, ignoring budgets, so that a shortened schedule still runs.
  func allows(_ step: Step, in world: World) -> Bool {
    switch step {
    case .advance(let index, let outcome):
      guard world.writers.indices.contains(index), world.writers[index].isRunning else {
        return false
      }
      let isWrite = automata.request(world.writers[index].node).isWrite
      return outcome == .answered || (isWrite == (outcome != .stale))
    case .crash(let index, let leavesWrite):
      guard world.writers.indices.contains(index), world.writers[index].isRunning else {
        return false
      }
      return !leavesWrite || automata.request(world.writers[index].node).isWrite
    case .restart(let index):
      return world.writers.indices.contains(index)
        && world.writers[index].node == World.Client.crashed
    case .read(let index, _):
      return world.readers.indices.contains(index) && world.readers[index].remaining > 0
    case .arrive(let index): return world.late.indices.contains(index)
    case .interfere: return true
    }
  }
}

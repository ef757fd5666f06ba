import HealthModel

/// One schedule that is being run: a world, and the record of its events.
struct Race {
  let scenario: Scenario
  private(set) var world: World
  private(set) var recorder: Recorder
  private(set) var steps: [Step] = []
  private(set) var breach: Breach?
  /// The number of writes sent so far.
  private(set) var writes = 0
  private(set) var faults = 0
  /// Whose publish the last step ended, and how.
  private var ended: (index: Int, request: Automata.Request)?

  init(_ scenario: Scenario, _ beginning: World) {
    self.scenario = scenario
    world = beginning
    recorder = Recorder(beginning)
    steps.reserveCapacity(48)
  }

  /// Takes a step. Returns false once a promise is broken.
  @discardableResult
  mutating func take(_ step: Step, _ model: inout RaceModel) -> Bool {
    let time = steps.count
    let pointer = world.pointer
    steps.append(step)
    var advanced: Int?
    switch step {
    case .advance(let index, let outcome):
      advanced = index
      let request = model.automata.request(world.writers[index].node)
      recorder.asks(index, request, at: time)
      if request.isWrite { writes += 1 }
      if outcome != .answered { faults += 1 }
      if recorder.requests[index] > RaceHistory.defaultMaximumRequests {
        breach = .tooManyRequests(recorder.requests[index])
      }
    case .crash(let index, let leavesWrite):
      faults += 1
      // A write whose sender dies while it is in flight was invoked and may still take effect.
      if leavesWrite {
        recorder.asks(index, model.automata.request(world.writers[index].node), at: time)
      }
      recorder.forget(index)
    case .read(let index, let isStale):
      if isStale { faults += 1 }
      recorder.reads(index, at: time)
      if recorder.readersRequests[index] > RaceHistory.defaultMaximumRequests {
        breach = .tooManyRequests(recorder.readersRequests[index])
      }
    case .restart, .arrive, .interfere: break
    }
    let result = model.take(step, in: &world, scenario)
    ended = nil
    if let index = advanced, let ended = result.ended {
      recorder.ended(index, ended, at: time)
      self.ended = (index, ended)
    }
    if case .read(let index, _) = step, let answer = result.answer {
      recorder.answered(index, answer, at: time)
    }
    if world.pointer != pointer { recorder.sees(world.pointer, at: time) }
    breach = breach ?? result.breach
    return breach == nil
  }

  /// How the last step ended a writer's publish, if it did.
  func lastOutcome(_ index: Int) -> String? {
    guard let ended, ended.index == index else { return nil }
    switch ended.request {
    case .acknowledge(let id, let outcome): return "\(outcome.word) \(Codes.revisionID(id))"
    case .fail(let failure): return "fails: \(failure.word)"
    default: return nil
    }
  }

  /// Checks the whole record, if no single step broke a promise.
  mutating func judge() {
    guard breach == nil, let refutation = MaxRegisterChecker.refute(recorder.operations) else {
      return
    }
    let value = recorder.operations[refutation.read].value
    breach = .notLinearizable(
      "a read of " + (value == 0 ? "nothing" : "\(Codes.revisionID(value))")
        + (refutation.reason == .neverWritten ? ", which nobody wrote" : ""))
  }

  /// The record as a history that can be stored and checked again.
  func history(_ codes: Codes) -> RaceHistory {
    var history = RaceHistory(date: codes.date)
    if scenario.start == .dangling, let first = recorder.pointers.first?.code {
      history.dangling = Codes.revisionID(first)
    }
    for (index, operation) in recorder.operations.enumerated() {
      let (client, detail) = (recorder.clients[index], recorder.details[index])
      let id = operation.value == 0 ? nil : Codes.revisionID(operation.value)
      let observation: RaceHistory.Observation
      if operation.kind == .read {
        observation = .read(id)
      } else if let id {
        observation = .write(
          id, digest: detail.body == 0 ? nil : codes.digest(detail.body),
          requests: detail.requests == 0 ? nil : detail.requests,
          movesPointer: client >= 0 && scenario.movesPointer)
      } else {
        continue
      }
      history.events.append(
        .init(
          client: Self.name(client), from: operation.from,
          to: operation.to == RegisterOperation.open ? nil : operation.to,
          observation: observation))
    }
    // And a final check of everything at the end.
    for (time, code) in recorder.pointers + [(steps.count, world.pointer)] {
      let pointer: RaceHistory.Pointer =
        code == 0 ? .absent : code == Codes.corrupt ? .corrupt : .names(Codes.revisionID(code))
      history.events.append(
        .init(client: "store", from: time, to: time, observation: .pointer(pointer)))
    }
    for revision in world.revisions {
      let observation = RaceHistory.Observation.revision(
        Codes.revisionID(revision.id), digest: codes.digest(revision.body))
      history.events.append(
        .init(client: "store", from: steps.count, to: steps.count, observation: observation))
    }
    return history
  }

  private static func name(_ client: Int) -> String {
    client < 0 ? "before" : client < 100 ? "writer-\(client + 1)" : "reader-\(client - 99)"
  }
}

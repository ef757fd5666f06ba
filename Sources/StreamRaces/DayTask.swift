import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams

/// One thing that a hub or a sweeper does, with the machine that it is in.
struct DayTask: Hashable {
  enum Work: Hashable {
    case append(AppendMachine, AppendMachine.Action)
    case derive(DerivationMachine, Pending)
    case deleteMarker
    case sweep(SweepMachine, SweepMachine.Action)
    case ended
  }

  /// The next action of a derivation, without the draft.
  enum Pending: Hashable {
    case readBasis
    case listBatches
    case listRevisions
    case derive(DerivationInputs)
    case survey(figures: Int)
    /// With the rank of the newest revision that the survey saw.
    case create(figures: Int, above: Int)
    case writeBasis(DerivationBasis)
    case finish(DerivationMachine.Outcome)
  }

  static let date = Timestamp(secondsSince1970: DayWorld.epoch).utcDate

  let batch: Int
  let hub: Int
  let isSweep: Bool
  var work: Work
  /// The sweep around a derivation.
  var around: SweepMachine?
  /// A marker that the flawed receiver writes after its batch.
  var owesMarker = false

  init(receiving batch: Int, hub: Int) {
    (self.batch, self.hub, isSweep) = (batch, hub, false)
    var machine = AppendMachine(partCount: 1, needsMarker: true)
    let action = machine.start()
    work = .append(machine, action)
  }

  init(sweeping dates: Set<CalendarDate>, hub: Int) {
    (batch, self.hub, isSweep) = (-1, hub, true)
    var machine = SweepMachine(dates: dates)
    let action = machine.start()
    work = .sweep(machine, action)
  }

  var isAlive: Bool { work != .ended }

  mutating func end() {
    (work, around) = (.ended, nil)
  }

  var createsPart: Bool {
    if case .append(_, .createPart) = work { true } else { false }
  }

  /// Whether its next step is a create whose answer can be lost.
  var createsObject: Bool {
    switch work {
    case .append(_, .createMarker), .append(_, .createPart): true
    default: false
    }
  }
}

extension DayWorld {
  /// Performs the next action of a task.
  mutating func act(_ number: Int, losesAnswer: Bool) {
    switch tasks[number].work {
    case .append(let machine, let action): append(number, machine, action, losesAnswer: losesAnswer)
    case .derive(let machine, let pending): derive(number, machine, pending)
    case .deleteMarker:
      let key = key(of: number)
      markers.removeAll { $0.key == key }
      tasks[number].end()
    case .sweep(let machine, let action): sweep(number, machine, action)
    case .ended: break
    }
  }

  /// A marker's name: of its batch and of chance, here the task's number.
  private func key(of number: Int) -> String {
    scenario.flaw == .markerShared
      ? "\(tasks[number].batch)" : "\(tasks[number].batch)-\(number)"
  }

  private mutating func createMarker(_ number: Int) {
    let key = key(of: number)
    guard !markers.contains(where: { $0.key == key }) else { return }
    markers.append(Marker(key: key, batch: tasks[number].batch, task: number))
  }

  private mutating func append(
    _ number: Int, _ machine: AppendMachine, _ action: AppendMachine.Action, losesAnswer: Bool
  ) {
    let batch = tasks[number].batch
    var machine = machine
    let event: AppendMachine.Event
    switch action {
    case .createMarker:
      if scenario.flaw == .markerLate {
        tasks[number].owesMarker = true
      } else {
        createMarker(number)
      }
      event = .put(losesAnswer ? .unknown : .stored)
    case .readMarker:
      let isThere = markers.contains { $0.key == key(of: number) } || tasks[number].owesMarker
      event = .read(isThere ? .same : .absent)
    case .createPart:
      if scenario.flaw == .acknowledgedEarly, !acknowledged.contains(batch) {
        // The acknowledgement is a step of its own, and comes first.
        acknowledged.insert(batch)
        if !batches.contains(batch) { inFlight.removeAll { $0 == batch } }
        return
      }
      let isNew = batches.insert(batch).inserted
      event = .put(losesAnswer ? .unknown : isNew ? .stored : .refused)
    case .readPart: event = .read(batches.contains(batch) ? .same : .absent)
    case .rest: event = .rested
    case .confirm:
      if tasks[number].owesMarker {
        tasks[number].owesMarker = false
        createMarker(number)
        return
      }
      acknowledged.insert(batch)
      startDeriving(number)
      return
    case .fail:
      tasks[number].end()
      return
    }
    let next = machine.handle(event, markerAge: 0)
    tasks[number].work = .append(machine, next)
  }

  private mutating func startDeriving(_ number: Int) {
    var machine = DerivationMachine(rules: 1)
    let action = machine.start()
    tasks[number].work = .derive(machine, pending(action))
  }

  private func pending(_ action: DerivationMachine.Action) -> DayTask.Pending {
    switch action {
    case .readBasis: .readBasis
    case .listBatches: .listBatches
    case .listRevisions: .listRevisions
    case .derive(let inputs): .derive(inputs)
    case .publish(let draft):
      .survey(figures: Int(draft.readings[.steps]?.number ?? 0))
    case .writeBasis(let basis): .writeBasis(basis)
    case .finish(let outcome): .finish(outcome)
    }
  }

  private mutating func derive(
    _ number: Int, _ machine: DerivationMachine, _ pending: DayTask.Pending
  ) {
    let author = scenario.flaw == .idPerInstance ? tasks[number].hub : 0
    let event: DerivationMachine.Event
    switch pending {
    case .readBasis: event = .basis(basis)
    case .listBatches: event = .batches(Set(batches.map { "\($0)" }))
    case .listRevisions: event = .revisions(Set(revisions.map(\.id)))
    case .derive(let inputs): event = .derived(made(of: inputs, author: author))
    case .survey(let figures):
      if let newest = revisions.last, newest.figures == figures,
        newest.author == author
      {
        event = .published(.unchanged(newest.id))
      } else {
        tasks[number].work = .derive(
          machine, .create(figures: figures, above: rank(of: revisions.last)))
        return
      }
    case .create(let figures, let above):
      let skew = tasks[number].hub == 0 ? scenario.skew : 0
      let id = store(
        figures: figures, author: author, above: max(above, skew), entropy: UInt32(number))
      event = .published(.published(id))
      if scenario.flaw == .noSecondPass {
        finish(number, isSettled: true)
        return
      }
    case .writeBasis(let found):
      basis = found
      event = .wroteBasis
    case .finish(let outcome):
      finish(number, isSettled: outcome.isSettled)
      return
    }
    var machine = machine
    let action = machine.handle(event)
    tasks[number].work = .derive(machine, self.pending(action))
  }

  private func made(
    of inputs: DerivationInputs, author: Int
  ) -> DerivationMachine.Derived {
    let listed = revisions.filter { inputs.revisions.contains($0.id) }
    let read = Set(inputs.batches.compactMap { Int($0) })
    let figures = figures(of: read, listed)
    guard !read.isEmpty || listed.contains(where: { $0.author != 9 }) else { return .nothing }
    if let newest = listed.last, newest.figures == figures,
      scenario.flaw != .idPerInstance || newest.author == author
    {
      return .held(newest.id)
    }
    guard let day = try? ReportingDay(date: DayTask.date, timeZoneName: "UTC") else {
      return .nothing
    }
    return .draft(
      DayDraft(
        day: day, collector: .derivation, readings: [.steps: .value(Double(figures))],
        capturedAt: Timestamp(secondsSince1970: Self.epoch)))
  }

  /// A derivation has ended: the receiver's marker has served, or the sweep goes on.
  private mutating func finish(_ number: Int, isSettled: Bool) {
    if var sweep = tasks[number].around {
      tasks[number].around = nil
      let action = sweep.handle(.recomputed(isSettled: isSettled))
      tasks[number].work = .sweep(sweep, action)
    } else if isSettled {
      tasks[number].work = .deleteMarker
    } else {
      tasks[number].end()
    }
  }

  private mutating func sweep(
    _ number: Int, _ machine: SweepMachine, _ action: SweepMachine.Action
  ) {
    var machine = machine
    let event: SweepMachine.Event
    switch action {
    case .listMarkers:
      event = .markers(
        markers.map {
          SweepMachine.Marker(
            key: $0.key, dates: [DayTask.date],
            isOld: $0.isOld || scenario.flaw == .sweptEarly)
        })
    case .recompute:
      tasks[number].around = machine
      startDeriving(number)
      return
    case .deleteMarker(let key):
      markers.removeAll { $0.key == key }
      event = .deletedMarker
    case .finish:
      tasks[number].end()
      return
    }
    let next = machine.handle(event)
    tasks[number].work = .sweep(machine, next)
  }
}

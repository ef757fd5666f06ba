import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams
import ObjectStore

/// Sweeps, and the recomputes that they and the queues of hubs ask for, request by request.
extension HubWorld {
  // MARK: - Sweeps

  mutating func sweep(_ hub: Int, _ machine: SweepMachine, _ action: SweepMachine.Action) {
    var machine = machine
    switch action {
    case .listMarkers:
      let listed = store.markers.map { marker in
        SweepMachine.Marker(
          key: marker.key,
          dates: Set(marker.days.map { HubStore.dates[$0] }),
          isOld: marker.isOld || scenario.flaw == .sweptEarly)
      }
      let next = machine.handle(.markers(listed))
      go(hub, machine, next)
    case .deleteMarker(let key):
      _ = store.apply(.deletion(key))
      let next = machine.handle(.deletedMarker)
      go(hub, machine, next)
    case .recompute, .finish: go(hub, machine, action)
    }
  }

  /// Goes on to the next request of a sweep.
  mutating func go(_ hub: Int, _ machine: SweepMachine, _ action: SweepMachine.Action) {
    switch action {
    case .recompute(let date):
      let day = HubStore.dates.firstIndex(of: date) ?? 0
      hubs[hub].loop = .sweepDay(machine, Recompute(day, isCovered: isUncovered))
    case .finish: hubs[hub].loop = .free
    case .listMarkers, .deleteMarker: hubs[hub].loop = .sweep(machine, action)
    }
  }

  // MARK: - Recomputes

  /// Performs the next request of a recompute. Returns how it ended, if it did.
  mutating func run(
    _ recompute: inout Recompute, _ hub: Int, _ outcome: Outcome
  ) -> DayQueue.Ending? {
    let day = recompute.day
    let event: DerivationMachine.Event
    switch recompute.action {
    case .publish(var machine, var action):
      guard publish(&machine, &action, day: day, actor: hub, outcome) else {
        recompute.action = .publish(machine, action)
        return nil
      }
      guard case .finish(let outcome) = action else { return .failed }
      if scenario.flaw == .noSecondPass { return settled(&recompute) }
      event = .published(outcome)
    case .derivation(.readBasis): event = .basis(store.days[day].basis)
    case .derivation(.listBatches):
      let found = Set(
        store.batches.filter { HubStore.days(of: $0, scenario).contains(day) }.map { "\($0)" })
      if recompute.firstListing == nil { recompute.firstListing = found }
      event = .batches(
        scenario.flaw == .staleList ? recompute.firstListing ?? found : found, zones: "")
    case .derivation(.listRevisions): event = .revisions(Set(store.days[day].revisions.map(\.id)))
    case .derivation(.createCover):
      let marker = cover(of: &recompute, hub)
      guard send(.marker(marker), outcome) == .stored else { return .failed }
      event = .createdCover
    case .derivation(.writeBasis(let basis)):
      store.days[day].basis = basis
      event = .wroteBasis
    case .readForRow:
      guard let newest = store.days[day].revisions.last?.id else { return uncovered(&recompute) }
      recompute.action = .writeRow(newest)
      return nil
    case .writeRow(let id):
      let write = HubStore.Write.row(day, id, isOrdered: scenario.flaw != .rowsUnordered)
      guard send(write, outcome) != .unknown else { return .behindTables }
      return uncovered(&recompute)
    case .removeCover(let key):
      _ = store.apply(.deletion(key))
      return .settled
    case .derivation: preconditionFailure("what needs no request was done with the last one")
    }
    let next = recompute.machine.handle(event)
    return follow(next, &recompute, hub)
  }

  /// Does what needs no request, up to the next one.
  private mutating func follow(
    _ action: DerivationMachine.Action, _ recompute: inout Recompute, _ hub: Int
  ) -> DayQueue.Ending? {
    switch action {
    case .derive(let inputs):
      let made = made(recompute.day, of: inputs, hub)
      return follow(recompute.machine.handle(.derived(made)), &recompute, hub)
    case .publish(let draft):
      var machine = PublishMachine(draft, movesPointer: true)
      let action = machine.start()
      recompute.action = .publish(machine, action)
      return nil
    case .finish(let outcome):
      guard outcome.isSettled else {
        if case .unsettled(let wrote) = outcome, !wrote.isEmpty { return .overtaken }
        return .failed
      }
      return settled(&recompute)
    case .stop: return .failed
    case .readBasis, .listBatches, .listRevisions, .createCover, .writeBasis:
      recompute.action = .derivation(action)
      return nil
    }
  }

  /// The ledger has the day; its row is next.
  private func settled(_ recompute: inout Recompute) -> DayQueue.Ending? {
    guard scenario.hasTables, scenario.flaw != .rowsAfterMarker else {
      return uncovered(&recompute)
    }
    recompute.action = .readForRow
    return nil
  }

  /// All is done; its own marker goes last.
  private func uncovered(_ recompute: inout Recompute) -> DayQueue.Ending? {
    guard let key = recompute.cover else { return .settled }
    recompute.action = .removeCover(key)
    return nil
  }

  /// A marker of this recompute alone. Its name is of chance; here it is the first free one.
  func cover(of recompute: inout Recompute, _ hub: Int) -> HubStore.Marker {
    let taken = Set(
      store.markers.map(\.key)
        + store.inFlight.compactMap { if case .marker(let marker) = $0 { marker.key } else { nil } }
    )
    var number = 0
    while taken.contains("cover \(hub).\(number)") { number += 1 }
    recompute.cover = "cover \(hub).\(number)"
    return HubStore.Marker(key: "cover \(hub).\(number)", days: [recompute.day])
  }

  func author(_ hub: Int) -> Int { scenario.flaw == .instanceInPayload ? hub + 1 : 0 }

  private func made(
    _ day: Int, of inputs: DerivationInputs, _ hub: Int
  ) -> DerivationMachine.Derived {
    let listed = store.days[day].revisions.filter { inputs.revisions.contains($0.id) }
    let read = Set(inputs.batches.compactMap { Int($0) })
    guard !read.isEmpty || listed.contains(where: { $0.author != HubStore.otherAuthor }) else {
      return .nothing
    }
    let figures = HubStore.figures(day, of: read, scenario)
    guard var draft = HubStore.draft(day, figures: figures, author: author(hub)) else {
      return .nothing
    }
    if scenario.flaw == .instanceInPayload {
      draft.unknownMembers["hub"] = .string("\(author(hub))")
    }
    if let newest = listed.last,
      let revision = newest.reading.decoded(date: HubStore.dates[day], id: newest.id)?.revision,
      draft.adds(nothingTo: revision), store.days[day].pointer.map({ $0 >= newest.id }) ?? false
    {
      return .held(newest.id)
    }
    return .draft(draft)
  }
}

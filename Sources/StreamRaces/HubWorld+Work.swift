import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams
import ObjectStore

/// What the processes do, request by request. Whatever reads only what never changes follows at once:
/// no other process could make a difference.
extension HubWorld {
  // MARK: - Receipts

  mutating func receive(_ hub: Int, _ place: Int, _ fate: Fate) {
    var receipt = hubs[hub].receipts[place]
    guard let event = perform(&receipt, fate) else {
      if case .confirm = receipt.action {
        hubs[hub].receipts.remove(at: place)
        confirm(receipt, hub)
        return
      }
      hubs[hub].receipts[place] = receipt
      return
    }
    receipt.action = receipt.machine.handle(event, markerAge: 0)
    while true {
      switch receipt.action {
      case .rest: receipt.action = receipt.machine.handle(.rested, markerAge: 0)
      case .readPart where store.batches.contains(receipt.batch):
        receipt.action = receipt.machine.handle(.read(.same), markerAge: 0)
      case .confirm where !receipt.owesMarker:
        hubs[hub].receipts.remove(at: place)
        confirm(receipt, hub)
        return
      case .fail:
        hubs[hub].receipts.remove(at: place)
        return
      default:
        hubs[hub].receipts[place] = receipt
        return
      }
    }
  }

  /// Performs a receipt's action; nil for a step that only a flawed receiver takes.
  private mutating func perform(_ receipt: inout Receipt, _ fate: Fate) -> AppendMachine.Event? {
    switch receipt.action {
    case .createMarker:
      if scenario.flaw == .markerLate {
        receipt.owesMarker = true
        return .put(.stored)
      }
      return .put(append(send(.marker(marker(of: &receipt)), fate)))
    case .readMarker:
      let isThere = store.markers.contains { $0.key == receipt.markers.last }
      return .read(isThere ? .same : .absent)
    case .createPart:
      if scenario.flaw == .acknowledgedEarly, !receipt.isAcknowledged {
        receipt.isAcknowledged = true
        acknowledged.insert(receipt.batch)
        return nil
      }
      return .put(append(send(.part(receipt.batch), fate)))
    case .readPart: return .read(.absent)
    case .confirm:
      receipt.owesMarker = false
      _ = store.apply(.marker(marker(of: &receipt)))
      return nil
    case .rest, .fail: return nil
    }
  }

  private func append(_ answer: PublishMachine.PutAnswer) -> AppendMachine.PutAnswer {
    switch answer {
    case .stored: .stored
    case .refused: .refused
    case .unknown: .unknown
    }
  }

  private func marker(of receipt: inout Receipt) -> HubStore.Marker {
    let key =
      scenario.flaw == .markerShared ? "\(receipt.batch)" : "\(receipt.batch)-\(receipt.number)"
    if receipt.markers.last != key { receipt.markers.append(key) }
    return HubStore.Marker(key: key, days: HubStore.days(of: receipt.batch, scenario))
  }

  /// The write that a receipt is about to send.
  func write(of receipt: Receipt) -> HubStore.Write? {
    var receipt = receipt
    switch receipt.action {
    case .createMarker: return .marker(marker(of: &receipt))
    case .createPart: return .part(receipt.batch)
    default: return nil
    }
  }

  private mutating func confirm(_ receipt: Receipt, _ hub: Int) {
    acknowledged.insert(receipt.batch)
    let days = HubStore.days(of: receipt.batch, scenario)
    hubs[hub].queue.add(
      Set(days.map { HubStore.dates[$0] }), markers: receipt.markers, today: HubStore.dates[0],
      at: hubs[hub].clock)
    if scenario.flaw == .markerFreedUncovered, case .recompute(var running) = hubs[hub].loop,
      days == [running.day]
    {
      running.uncovered += receipt.markers
      hubs[hub].loop = .recompute(running)
    }
  }

  // MARK: - The loop of a hub

  mutating func work(_ hub: Int, _ fate: Fate) {
    switch hubs[hub].loop {
    case .free: begin(hub, fate)
    case .release(var keys):
      if let key = keys.popLast() { _ = store.apply(.deletion(key)) }
      hubs[hub].loop = keys.isEmpty ? .free : .release(keys)
    case .recompute(var recompute):
      guard let outcome = run(&recompute, hub, fate) else {
        hubs[hub].loop = .recompute(recompute)
        return
      }
      end(hub, outcome, recompute.uncovered)
    case .sweep(let machine, let action): sweep(hub, machine, action)
    case .sweepDay(var machine, var recompute):
      guard let outcome = run(&recompute, hub, fate) else {
        hubs[hub].loop = .sweepDay(machine, recompute)
        return
      }
      let action = machine.handle(.recomputed(isSettled: outcome == .settled))
      go(hub, machine, action)
    }
  }

  /// Whether recomputes take themselves for covered, though they are not.
  private var isUncovered: Bool { scenario.flaw == .uncovered }

  private mutating func begin(_ hub: Int, _ fate: Fate) {
    if let day = hubs[hub].lateRow {
      hubs[hub].lateRow = nil
      if let newest = store.days[day].revisions.last?.id {
        _ = store.apply(.row(day, newest, isOrdered: true))
      }
      return
    }
    if let dates = hubs[hub].dueSweep {
      hubs[hub].dueSweep = nil
      var machine = SweepMachine(dates: dates)
      let action = machine.start()
      sweep(hub, machine, action)
      return
    }
    guard case .recompute(let date) = hubs[hub].queue.next(at: hubs[hub].clock),
      let day = HubStore.dates.firstIndex(of: date)
    else { return }
    if scenario.flaw == .markerFreedBeforePublish {
      // Asks the queue what it would release at the end.
      var queue = hubs[hub].queue
      for key in queue.done(.settled, at: hubs[hub].clock) { _ = store.apply(.deletion(key)) }
    }
    hubs[hub].loop = .recompute(
      Recompute(day, isCovered: hubs[hub].queue.isCovered(at: hubs[hub].clock) || isUncovered))
    work(hub, fate)
  }

  /// A recompute of the queue has ended.
  mutating func end(_ hub: Int, _ ending: DayQueue.Ending, _ uncovered: [String] = []) {
    let day = hubs[hub].loop.recompute?.day ?? 0
    var released: [String] = []
    if scenario.flaw == .markerFreedUnsettled, ending == .failed {
      var queue = hubs[hub].queue
      released = queue.done(.settled, at: hubs[hub].clock)
    }
    released += hubs[hub].queue.done(ending, at: hubs[hub].clock) + uncovered
    if scenario.flaw == .markerFreedByFirstDay {
      released += store.markers.map(\.key).filter { $0.hasPrefix("1-") }
    }
    hubs[hub].loop = released.isEmpty ? .free : .release(released)
    if scenario.flaw == .rowsAfterMarker, ending == .settled {
      // The row follows once the markers are gone.
      hubs[hub].lateRow = day
    }
  }

  // MARK: - Sweeps

  private mutating func sweep(_ hub: Int, _ machine: SweepMachine, _ action: SweepMachine.Action) {
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
  private mutating func go(_ hub: Int, _ machine: SweepMachine, _ action: SweepMachine.Action) {
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
  private mutating func run(
    _ recompute: inout Recompute, _ hub: Int, _ fate: Fate
  ) -> DayQueue.Ending? {
    let day = recompute.day
    let event: DerivationMachine.Event
    switch recompute.action {
    case .publish(var machine, var action):
      let answer = publish(&machine, &action, day: day, actor: hub, fate)
      guard let answer else {
        recompute.action = .publish(machine, action)
        return nil
      }
      guard case .success(let outcome) = answer else { return .failed }
      if scenario.flaw == .noSecondPass { return settled(&recompute) }
      event = .published(outcome)
    case .derivation(.readBasis): event = .basis(store.days[day].basis)
    case .derivation(.listBatches):
      let found = Set(
        store.batches.filter { HubStore.days(of: $0, scenario).contains(day) }.map { "\($0)" })
      if recompute.firstListing == nil { recompute.firstListing = found }
      event = .batches(scenario.flaw == .staleList ? recompute.firstListing ?? found : found)
    case .derivation(.listRevisions): event = .revisions(Set(store.days[day].revisions.map(\.id)))
    case .derivation(.createCover):
      let marker = cover(of: &recompute, hub)
      guard send(.marker(marker), fate) == .stored else { return .failed }
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
      guard send(write, fate) != .unknown else { return .behindTables }
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
  private func cover(of recompute: inout Recompute, _ hub: Int) -> HubStore.Marker {
    let taken = Set(
      store.markers.map(\.key)
        + store.inFlight.compactMap { if case .marker(let marker) = $0 { marker.key } else { nil } }
    )
    var number = 0
    while taken.contains("cover \(hub).\(number)") { number += 1 }
    recompute.cover = "cover \(hub).\(number)"
    return HubStore.Marker(key: "cover \(hub).\(number)", days: [recompute.day])
  }

  private func author(_ hub: Int) -> Int { scenario.flaw == .idPerInstance ? hub + 1 : 0 }

  private func made(
    _ day: Int, of inputs: DerivationInputs, _ hub: Int
  ) -> DerivationMachine.Derived {
    let listed = store.days[day].revisions.filter { inputs.revisions.contains($0.id) }
    let read = Set(inputs.batches.compactMap { Int($0) })
    let known =
      scenario.flaw == .foreignIgnored
      ? listed.filter { $0.author != HubStore.foreignAuthor } : listed
    let figures = HubStore.figures(day, of: read, known, scenario)
    guard !read.isEmpty || listed.contains(where: { $0.author != HubStore.foreignAuthor }) else {
      return .nothing
    }
    if let newest = listed.last, newest.figures == figures,
      scenario.flaw != .idPerInstance || newest.author == author(hub)
    {
      return .held(newest.id)
    }
    return HubStore.draft(day, figures: figures, author: author(hub)).map { .draft($0) } ?? .nothing
  }

  // MARK: - Publishing

  /// Performs the next request of a publish. Returns how it ended, if it did.
  mutating func publish(
    _ machine: inout PublishMachine, _ action: inout PublishMachine.Action, day: Int, actor: Int,
    _ fate: Fate
  ) -> Result<PublishOutcome, Unpublished>? {
    switch action {
    case .readPointer: action = machine.handle(.pointer(store.pointer(day)))
    case .listRevisions(let after):
      let ids = store.days[day].revisions.map(\.id).filter { id in after.map { id > $0 } ?? true }
      action = machine.handle(.revisions(ids))
    case .readRevision(let id): action = machine.handle(.revision(store.revision(day, id)))
    case .createRevision, .writePointer:
      let answer = send(write(of: machine, action, day, actor), fate)
      action = machine.handle(.put(answer))
    case .mint, .backOff, .finish, .fail: break
    }
    while true {
      switch action {
      case .mint:
        let moment = HubStore.epoch + (actor == 0 ? scenario.skew : 0)
        action = machine.handle(
          .minted(now: Timestamp(secondsSince1970: moment), entropy: UInt32(actor)))
      case .backOff: action = machine.handle(.rested)
      case .readRevision(let id) where store.days[day].revisions.contains { $0.id == id }:
        action = machine.handle(.revision(store.revision(day, id)))
      case .finish(let outcome): return .success(outcome)
      case .fail: return .failure(Unpublished())
      default: return nil
      }
    }
  }

  /// A publish that failed.
  struct Unpublished: Error {}

  private func write(
    of machine: PublishMachine, _ action: PublishMachine.Action, _ day: Int, _ actor: Int
  ) -> HubStore.Write {
    switch action {
    case .createRevision(let id, let body):
      let figures = Int(machine.draft.readings[.steps]?.number ?? 0)
      let author = actor == HubStore.foreignAuthor ? actor : author(actor)
      return .revision(
        day, HubStore.Revision(id: id, figures: figures, author: author, body: body))
    case .writePointer(let value, let precondition):
      return .pointer(
        day, value.revisionID, scenario.flaw == .blindPointer ? nil : precondition)
    default: preconditionFailure("only writes are sent")
    }
  }

  /// The write that a hub's recompute is about to send.
  func pendingWrite(of hub: Int) -> HubStore.Write? {
    guard var recompute = hubs[hub].loop.recompute else { return nil }
    switch recompute.action {
    case .derivation(.createCover): return .marker(cover(of: &recompute, hub))
    case .publish(let machine, let action) where action.isPut:
      return write(of: machine, action, recompute.day, hub)
    case .writeRow(let id):
      return .row(recompute.day, id, isOrdered: scenario.flaw != .rowsUnordered)
    default: return nil
    }
  }
}

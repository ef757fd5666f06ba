import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams
import ObjectStore

/// What the processes do, request by request. Whatever reads only what never changes follows at once:
/// no other process could make a difference.
extension HubWorld {
  // MARK: - Receipts

  /// Performs a receipt's next request.
  ///
  /// - Parameter isSlow: whether its answer takes so long that a sweeper takes its markers for old.
  mutating func receive(_ hub: Int, _ place: Int, _ outcome: Outcome, isSlow: Bool = false) {
    var receipt = hubs[hub].receipts[place]
    guard let event = perform(&receipt, outcome) else {
      if case .confirm = receipt.action {
        hubs[hub].receipts.remove(at: place)
        confirm(receipt, hub)
        return
      }
      hubs[hub].receipts[place] = receipt
      return
    }
    if isSlow { store.age(receipt.markers) }
    receipt.action = receipt.machine.handle(
      event, markerAge: isSlow && scenario.flaw != .markerKept ? 1200 : 0)
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
  private mutating func perform(_ receipt: inout Receipt, _ outcome: Outcome) -> AppendMachine
    .Event?
  {
    switch receipt.action {
    case .createMarker:
      if scenario.flaw == .markerLate {
        receipt.owesMarker = true
        return .put(.stored)
      }
      return .put(append(send(.marker(marker(of: &receipt)), outcome)))
    case .readMarker:
      let isThere = store.markers.contains { $0.key == receipt.markers.last }
      return .read(isThere ? .same : .absent)
    case .createPart:
      if scenario.flaw == .acknowledgedEarly, !receipt.isAcknowledged {
        receipt.isAcknowledged = true
        acknowledged.insert(receipt.batch)
        return nil
      }
      return .put(append(send(.part(receipt.batch), outcome)))
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
    var key =
      scenario.flaw == .markerShared ? "\(receipt.batch)" : "\(receipt.batch)-\(receipt.number)"
    if case .createMarker(let name) = receipt.action, name > 1 { key += ", \(name)" }
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

  mutating func work(_ hub: Int, _ outcome: Outcome) {
    switch hubs[hub].loop {
    case .free: begin(hub, outcome)
    case .release(var keys):
      if let key = keys.popLast() { _ = store.apply(.deletion(key)) }
      hubs[hub].loop = keys.isEmpty ? .free : .release(keys)
    case .recompute(var recompute):
      guard let outcome = run(&recompute, hub, outcome) else {
        hubs[hub].loop = .recompute(recompute)
        return
      }
      end(hub, outcome, recompute.uncovered)
    case .sweep(let machine, let action): sweep(hub, machine, action)
    case .sweepDay(var machine, var recompute):
      guard let outcome = run(&recompute, hub, outcome) else {
        hubs[hub].loop = .sweepDay(machine, recompute)
        return
      }
      if hub == 2, outcome != .settled { hasEnded = false }
      let action = machine.handle(.recomputed(isSettled: outcome == .settled))
      go(hub, machine, action)
    }
  }

  /// Whether recomputes take themselves for covered, though they are not.
  var isUncovered: Bool { scenario.flaw == .uncovered }

  private mutating func begin(_ hub: Int, _ outcome: Outcome) {
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
    work(hub, outcome)
  }

  /// A recompute of the queue has ended.
  mutating func end(_ hub: Int, _ ending: DayQueue.Ending, _ uncovered: [String] = []) {
    let day = hubs[hub].loop.recompute?.day ?? 0
    var released: [String] = []
    if scenario.flaw == .markerFreedUnsettled, ending == .failed {
      var queue = hubs[hub].queue
      released = queue.done(.settled, at: hubs[hub].clock)
    }
    if scenario.flaw == .markerFreedByRetry {
      if ending == .failed {
        var queue = hubs[hub].queue
        hubs[hub].keptMarkers += queue.done(.settled, at: hubs[hub].clock)
      } else if ending == .settled {
        released += hubs[hub].keptMarkers
        hubs[hub].keptMarkers = []
      }
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

  // MARK: - Publishing

  /// Performs the next request of a publish. Returns whether it ended; the action says how.
  mutating func publish(
    _ machine: inout PublishMachine, _ action: inout PublishMachine.Action, day: Int, actor: Int,
    _ outcome: Outcome
  ) -> Bool {
    switch action {
    case .readPointer: action = machine.handle(.pointer(store.pointer(day)))
    case .listRevisions: action = machine.handle(.revisions(store.days[day].revisions.map(\.id)))
    case .readRevision(let id): action = machine.handle(.revision(store.revision(day, id)))
    case .createRevision, .writePointer:
      let answer = send(write(of: action, day, actor), outcome)
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
      case .finish, .fail: return true
      default:
        machine = machine.deciding
        return false
      }
    }
  }

  private func write(
    of action: PublishMachine.Action, _ day: Int, _ actor: Int
  ) -> HubStore.Write {
    switch action {
    case .createRevision(let id, let body):
      let author = actor == HubStore.otherAuthor ? actor : author(actor)
      return .revision(
        day, HubStore.Revision(day, id: id, author: author, body: body))
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
    case .publish(_, let action) where action.isPut:
      return write(of: action, recompute.day, hub)
    case .writeRow(let id):
      return .row(recompute.day, id, isOrdered: scenario.flaw != .rowsUnordered)
    default: return nil
    }
  }
}

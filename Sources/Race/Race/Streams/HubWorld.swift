import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams
import ObjectStore

/// Two hubs that receive batches of one day and make the day, a sweeper, and another writer, on
/// one bucket (R46, R49, R54).
///
/// Receipts, recomputes, sweeps, publishes and the queue of days are the production machines. One
/// step is one request to the bucket or the table, with what follows from it in the same process.
package struct HubWorld: RacedWorld {
  package enum Outcome: String, Hashable, Sendable {
    case answered
    /// Applied, and the answer is lost.
    case lost = "answer lost"
    /// No answer; it arrives later or never.
    case late = "write in flight"
  }

  package enum Step: Hashable, CustomStringConvertible {
    case receipt(hub: Int, Int, Outcome)
    case loop(hub: Int, Outcome)
    /// Time passes until the next day of the hub is due.
    case wait(hub: Int)
    /// The recompute took a minute: it is broken off, and what it sent stays on its way.
    case timeOut(hub: Int, leavesWrite: Bool)
    case crash(hub: Int, leavesWrites: Bool)
    case restart(hub: Int)
    case land(Int)
    case vanish(Int)
    case resend
    case other(Outcome)
    case sweep
    /// A receipt's marker is stored, and twenty minutes pass until it goes on.
    case stall(hub: Int, Int)
    /// Longer than any receipt, any recompute and the life of a signed request.
    case twentyMinutes

    package var description: String {
      switch self {
      case .receipt(let hub, let number, let outcome):
        "hub \(hub), receipt \(number)" + outcome.words
      case .loop(let hub, let outcome): HubWorld.name(hub) + outcome.words
      case .wait(let hub): "hub \(hub) waits until a day is due"
      case .stall(let hub, let number):
        "hub \(hub), receipt \(number), which goes on twenty minutes later"
      case .timeOut(let hub, let leavesWrite):
        "hub \(hub) gives up its recompute\(leavesWrite ? " with a write in flight" : "")"
      case .crash(let hub, let leavesWrites):
        HubWorld.name(hub) + " dies\(leavesWrites ? " with its writes in flight" : "")"
      case .restart(let hub): HubWorld.name(hub) + " starts again"
      case .land: "a write in flight arrives"
      case .vanish: "a write in flight is lost"
      case .resend: "batch 0 is sent to hub 1, too"
      case .other(let outcome): "somebody else" + outcome.words
      case .sweep: "a sweep is due"
      case .twentyMinutes: "twenty minutes pass"
      }
    }
  }

  static func name(_ hub: Int) -> String { hub == 2 ? "sweeper" : "hub \(hub)" }

  let scenario: HubScenario
  var store = HubStore()
  var acknowledged: Set<Int> = []
  /// Hubs 0 and 1, and the sweeper.
  var hubs = [HubActor(), HubActor(), HubActor()]
  private var receipts = 2
  private var other: OtherWriter?
  private var crashes: Int
  private var lostAnswers: Int
  private var timeouts: Int
  private var resends: Int
  private var earlySweeps: Int
  private var stalls: Int
  private var otherPublishes: Int
  /// Whether the last sweep has begun, which looks at the dates too. One that fails is run again.
  var hasEnded = false

  package var title: String { scenario.title }

  package init(_ scenario: HubScenario) {
    self.scenario = scenario
    (crashes, lostAnswers) = (scenario.crashes, scenario.lostAnswers)
    (timeouts, resends) = (scenario.timeouts, scenario.resends)
    (earlySweeps, otherPublishes) = (scenario.earlySweeps, scenario.otherPublishes)
    stalls = scenario.stalls
    for batch in 0..<2 {
      hubs[scenario.usesOneHub ? 0 : batch].receipts.append(Receipt(batch, number: batch))
    }
  }

  // MARK: - What can happen

  package var steps: [Step] {
    guard store.breach == nil else { return [] }
    var steps: [Step] = []
    for hub in hubs.indices { addSteps(of: hub, to: &steps) }
    for place in store.inFlight.indices {
      steps.append(.land(place))
      steps.append(.vanish(place))
    }
    if resends > 0, hubs[1].isUp { steps.append(.resend) }
    if let other {
      steps.append(.other(.answered))
      if lostAnswers > 0, other.action.isPut {
        steps += [.other(.lost), .other(.late)]
      }
    } else if otherPublishes > 0 {
      steps.append(.other(.answered))
    }
    if earlySweeps > 0, hubs[2].isIdle, !store.markers.isEmpty { steps.append(.sweep) }
    if isQuiet, store.markers.contains(where: { !$0.isOld }) { steps.append(.twentyMinutes) }
    // The sweep that comes sooner or later: of old markers, and of the dates once where somebody
    // else publishes, as `collect` does.
    if steps.isEmpty, !store.markers.isEmpty || (scenario.otherPublishes > 0 && !hasEnded) {
      steps.append(.sweep)
    }
    return steps
  }

  /// Whether everything that ends within twenty minutes has ended.
  private var isQuiet: Bool {
    store.inFlight.isEmpty && hubs.allSatisfy { !$0.isUp || $0.isIdle }
  }

  private func addSteps(of number: Int, to steps: inout [Step]) {
    let hub = hubs[number]
    guard hub.isUp else {
      steps.append(.restart(hub: number))
      return
    }
    for (place, receipt) in hub.receipts.enumerated() {
      steps.append(.receipt(hub: number, place, .answered))
      if lostAnswers > 0, receipt.isWriting {
        steps.append(.receipt(hub: number, place, .lost))
        steps.append(.receipt(hub: number, place, .late))
      }
      if stalls > 0, case .createMarker = receipt.action {
        steps.append(.stall(hub: number, place))
      }
    }
    if hub.loop != .free || hub.dueSweep != nil || hub.lateRow != nil {
      steps.append(.loop(hub: number, .answered))
    } else {
      var queue = hub.queue
      switch queue.next(at: hub.clock) {
      case .recompute: steps.append(.loop(hub: number, .answered))
      case .wait: steps.append(.wait(hub: number))
      case .idle: break
      }
    }
    let isWriting = hub.loop.recompute?.isWriting == true
    if lostAnswers > 0, isWriting {
      steps.append(.loop(hub: number, .lost))
      steps.append(.loop(hub: number, .late))
    }
    if timeouts > 0, case .recompute = hub.loop {
      steps.append(.timeOut(hub: number, leavesWrite: false))
      if isWriting { steps.append(.timeOut(hub: number, leavesWrite: true)) }
    }
    if crashes > 0, !hub.isIdle || hub.queue.count > 0 {
      steps.append(.crash(hub: number, leavesWrites: false))
      if isWriting || hub.receipts.contains(where: \.isWriting) {
        steps.append(.crash(hub: number, leavesWrites: true))
      }
    }
  }

  package mutating func take(_ step: Step) -> [String] {
    switch step {
    case .receipt(let hub, let place, let outcome):
      receive(hub, place, outcome)
      return fired(outcome)
    case .loop(let hub, let outcome):
      work(hub, outcome)
      return fired(outcome)
    case .wait(let hub):
      if case .wait(let until) = hubs[hub].queue.next(at: hubs[hub].clock) {
        hubs[hub].clock = until
      }
    case .stall(let hub, let place):
      stalls -= 1
      receive(hub, place, .answered, isSlow: true)
      return ["slow receipt"]
    case .timeOut(let hub, let leavesWrite):
      timeouts -= 1
      if leavesWrite, let write = pendingWrite(of: hub) { store.inFlight.append(write) }
      end(hub, .failed)
      return ["recompute given up"]
    case .crash(let hub, let leavesWrites):
      crashes -= 1
      return [crash(hub, leavesWrites)]
    case .restart(let hub):
      hubs[hub] = HubActor()
      hubs[hub].dueSweep = []
    case .land(let place):
      _ = store.apply(store.inFlight.remove(at: place))
      return ["delayed write"]
    case .vanish(let place): store.inFlight.remove(at: place)
    case .resend:
      resends -= 1
      hubs[1].receipts.append(Receipt(0, number: nextReceipt()))
      return ["resend"]
    case .other(let outcome):
      let isPublished = publishOther(outcome)
      return fired(outcome) + (isPublished ? ["revision of another writer"] : [])
    case .sweep:
      let isLast = steps == [.sweep]
      if isLast { hasEnded = true } else { earlySweeps -= 1 }
      hubs[2].dueSweep =
        isLast && scenario.otherPublishes > 0 ? [HubStore.dates[0]] : []
    case .twentyMinutes:
      for place in store.markers.indices { store.markers[place].isOld = true }
      for hub in hubs.indices { hubs[hub].clock += 1200 }
    }
    return []
  }

  private mutating func fired(_ outcome: Outcome) -> [String] {
    guard outcome != .answered else { return [] }
    lostAnswers -= 1
    return [outcome.rawValue]
  }

  private mutating func crash(_ hub: Int, _ leavesWrites: Bool) -> String {
    if leavesWrites {
      if let write = pendingWrite(of: hub) { store.inFlight.append(write) }
      for receipt in hubs[hub].receipts {
        if let write = write(of: receipt) { store.inFlight.append(write) }
      }
    }
    // The sweeper is a program that runs when it is called.
    let isSweeper = hub == 2
    if isSweeper { hasEnded = false }
    hubs[hub] = HubActor()
    hubs[hub].isUp = isSweeper
    return leavesWrites ? "crash with writes in flight" : "crash"
  }

  private mutating func nextReceipt() -> Int {
    receipts += 1
    return receipts - 1
  }

  // MARK: - Writes

  /// Sends a write and says what its sender gets to know.
  mutating func send(_ write: HubStore.Write, _ outcome: Outcome) -> PublishMachine.PutAnswer {
    switch outcome {
    case .answered: return store.apply(write) ? .stored : .refused
    case .lost: _ = store.apply(write)
    case .late: store.inFlight.append(write)
    }
    return .unknown
  }

  /// The next request of the other writer; nil if it has not begun.
  var otherAction: PublishMachine.Action? { other?.action }

  private mutating func publishOther(_ outcome: Outcome) -> Bool {
    guard var publisher = other else {
      otherPublishes -= 1
      if let draft = HubStore.draft(0, figures: 8, author: HubStore.otherAuthor) {
        var machine = PublishMachine(draft, movesPointer: true)
        let action = machine.start()
        other = OtherWriter(machine: machine, action: action)
      }
      return false
    }
    let before = store.days[0].revisions.count
    let isOver = publish(
      &publisher.machine, &publisher.action, day: 0, actor: HubStore.otherAuthor, outcome)
    other = isOver ? nil : publisher
    return store.days[0].revisions.count > before
  }

  // MARK: - What must hold

  package var breach: Breach? {
    if let breach = store.breach { return breach }
    let coming = store.batches.union(
      store.inFlight.compactMap { if case .part(let batch) = $0 { batch } else { nil } })
    // A flawed receiver that still works may keep its word.
    let working = Set(
      hubs.flatMap(\.receipts).filter(\.isAcknowledged).map(\.batch))
    if let lost = acknowledged.subtracting(coming).subtracting(working).min() {
      return Breach(HubOracle.stored, "batch \(lost) was acknowledged and is not stored")
    }
    for (day, held) in store.days.enumerated() where held.revisions.count > scenario.mostRevisions {
      return Breach(HubOracle.bounded, "day \(day) has \(held.revisions.count) revisions")
    }
    return steps.isEmpty ? brokenAtRest : nil
  }

  private var brokenAtRest: Breach? {
    if let lost = acknowledged.subtracting(store.batches).min() {
      return Breach(HubOracle.stored, "batch \(lost) was acknowledged and is not stored")
    }
    if let marker = store.markers.first {
      return Breach(HubOracle.markers, "marker \(marker.key) is left")
    }
    for (day, held) in store.days.enumerated() {
      let other = held.revisions.contains { $0.author == HubStore.otherAuthor } ? 8 : 0
      let expected = HubStore.figures(day, of: store.batches, scenario) | other
      let shown = held.revisions.last?.figures ?? 0
      if shown != expected {
        return Breach(
          HubOracle.figures, "day \(day) shows \(shown), and its sources say \(expected)"
        )
      }
      if scenario.hasTables, held.row != held.revisions.last?.id {
        return Breach(HubOracle.rows, "the row of day \(day) is not its newest revision's")
      }
    }
    return nil
  }
}

extension HubWorld.Outcome {
  var words: String { self == .answered ? "" : " (\(rawValue))" }
}

extension PublishMachine.Action {
  /// Whether it sends a write.
  var isPut: Bool {
    switch self {
    case .createRevision, .writePointer: true
    default: false
    }
  }
}

extension HubWorld {
  package static func actor(of step: Step) -> Int? {
    switch step {
    case .receipt(let hub, let place, _), .stall(let hub, let place):
      4 + 2 * hub + min(place, 1)
    case .loop(let hub, _), .wait(let hub), .timeOut(let hub, _), .crash(let hub, _),
      .restart(let hub):
      hub
    case .other: 3
    case .land, .vanish: 10
    case .resend, .sweep, .twentyMinutes: nil
    }
  }

  package static func isFault(_ step: Step) -> Bool {
    switch step {
    case .receipt(_, _, let outcome), .loop(_, let outcome), .other(let outcome):
      outcome != .answered
    case .timeOut, .crash, .stall: true
    case .wait, .restart, .land, .vanish, .resend, .sweep, .twentyMinutes: false
    }
  }
}

import HealthModel
import HealthStreams

/// Compactors, a reader, late batches and batches that are sent again, on two UTC dates of a month of a
/// stream (R66).
///
/// The compactors are the production machine. The reader does what `StreamStore` does where it lists
/// and reads: request by request. A listing takes a while, and may show or miss what comes or goes
/// meanwhile.
package struct PackWorld: RacedWorld {
  package enum Step: Hashable, CustomStringConvertible {
    case compact(Int)
    /// The same; the write of this request arrives later or never.
    case compactLate(Int)
    case endListing(Int, ListingView)
    case kill(Int, leavesWrite: Bool)
    case read
    case endReadListing(ListingView)
    case sendLate(isDelayed: Bool)
    case resend
    case twentyMinutes
    case land(Int)
    case vanish(Int)

    package var description: String {
      switch self {
      case .compact(let number): "compactor \(number)"
      case .compactLate(let number): "compactor \(number) (write in flight)"
      case .endListing(let number, let view):
        "compactor \(number) ends its listing, with \(view.rawValue)"
      case .kill(let number, let leavesWrite):
        "compactor \(number) dies\(leavesWrite ? " with a write in flight" : "")"
      case .read: "the reader"
      case .endReadListing(let view): "the reader ends its listing, with \(view.rawValue)"
      case .sendLate(let isDelayed):
        "a late batch is sent\(isDelayed ? " (write in flight)" : "")"
      case .resend: "batch 0 is sent again"
      case .twentyMinutes: "twenty minutes pass"
      case .land: "a write in flight arrives"
      case .vanish: "a write in flight is lost"
      }
    }
  }

  let scenario: PackScenario
  var store = PackStore()
  /// What was acknowledged, with the receipt that counted then.
  var acknowledged: [Int: Int] = [:]
  var compactors: [PackCompactor]
  var reader = PackReader()
  private var clock = 10
  private var kills, lateWrites, lateBatches, resends, pauses: Int

  static let late = 2

  package init(_ scenario: PackScenario) {
    self.scenario = scenario
    (kills, lateWrites, lateBatches) = (scenario.kills, scenario.lateWrites, scenario.lateBatches)
    (resends, pauses) = (scenario.resends, scenario.pauses)
    compactors = (0..<scenario.compactors).map { number in
      PackCompactor(
        runs: scenario.runs, flaw: scenario.flaw,
        isWhole: number >= scenario.compactors - scenario.whole, isSplit: scenario.isSplit)
    }
    reader.reads = scenario.reads
    let names = [Self.name(0, on: 0), Self.name(1, on: 0)]
    for batch in names.indices {
      if !scenario.isPacked { store.smalls[batch] = 5 + batch }
      acknowledged[batch] = 5 + batch
    }
    if scenario.isPacked {
      let members = names.indices.map { PackStore.member(names[$0], 5 + $0) }
      store.apply(.pack(.date(names[0].date), members))
      for pack in store.packs.keys { store.packs[pack]?.isSettled = true }
    }
  }

  /// A batch of the first date or the next.
  static func name(_ batch: Int, on date: Int) -> BatchPack.Name {
    guard let date = CalendarDate(year: 2025, month: 1, day: 30 + date) else {
      preconditionFailure("January has 31 days")
    }
    return BatchPack.Name(date, "\(batch)")
  }

  private var names: [BatchPack.Name] {
    (0...Self.late).map {
      Self.name($0, on: $0 == Self.late && scenario.isNextDate ? 1 : 0)
    }
  }

  // MARK: - What can happen

  package var steps: [Step] {
    guard broken == nil else { return [] }
    var steps: [Step] = []
    for (number, compactor) in compactors.enumerated() {
      if compactor.listing != nil {
        steps += ListingView.allCases.map { .endListing(number, $0) }
      } else if compactor.canGo {
        steps.append(.compact(number))
      }
      guard compactor.isRunning else { continue }
      if lateWrites > 0, compactor.write != nil { steps.append(.compactLate(number)) }
      if kills > 0 {
        steps.append(.kill(number, leavesWrite: false))
        if compactor.write != nil { steps.append(.kill(number, leavesWrite: true)) }
      }
    }
    if reader.listing != nil {
      steps += ListingView.allCases.map { .endReadListing($0) }
    } else if reader.canGo {
      steps.append(.read)
    }
    if lateBatches > 0 {
      steps.append(.sendLate(isDelayed: false))
      if lateWrites > 0 { steps.append(.sendLate(isDelayed: true)) }
    }
    if resends > 0 { steps.append(.resend) }
    if pauses > 0, store.packs.contains(where: { !$0.value.isSettled }) {
      steps.append(.twentyMinutes)
    }
    for place in store.inFlight.indices { steps += [.land(place), .vanish(place)] }
    return steps
  }

  package mutating func take(_ step: Step) -> [String] {
    switch step {
    case .compact(let number): compactors[number].go(&store)
    case .compactLate(let number):
      lateWrites -= 1
      if let write = compactors[number].write { store.inFlight.append(write) }
      compactors[number].wasDelayed()
      return ["write in flight"]
    case .endListing(let number, let view):
      compactors[number].endListing(view, store, names)
    case .kill(let number, let leavesWrite):
      kills -= 1
      if leavesWrite, let write = compactors[number].write { store.inFlight.append(write) }
      compactors[number].end()
      return [leavesWrite ? "kill with a write in flight" : "kill"]
    case .read: reader.go(store, acknowledged, scenario)
    case .endReadListing(let view): reader.endListing(view, store, scenario.flaw)
    case .sendLate(let isDelayed):
      lateBatches -= 1
      if isDelayed {
        lateWrites -= 1
        store.inFlight.append(.small(Self.late, order: nextOrder()))
        // Its sender got no answer, and sends it again.
        lateBatches += lateBatches == 0 ? 1 : 0
        return ["late batch in flight"]
      }
      receive(Self.late, at: nextOrder())
      return ["late batch"]
    case .resend:
      resends -= 1
      // By a server whose clock is behind.
      receive(0, at: 1)
      return ["resend"]
    case .twentyMinutes:
      pauses -= 1
      for id in store.packs.keys { store.packs[id]?.isSettled = true }
      // A listing that takes so long is not believed.
      for number in compactors.indices where compactors[number].listing != nil {
        compactors[number].end()
      }
      reader.beginAgain()
    case .land(let place):
      store.apply(store.inFlight.remove(at: place))
      return ["delayed write"]
    case .vanish(let place): store.inFlight.remove(at: place)
    }
    return []
  }

  private mutating func nextOrder() -> Int {
    clock += 1
    return clock
  }

  /// A batch is stored unless its object is there, and acknowledged.
  private mutating func receive(_ batch: Int, at order: Int) {
    store.apply(.small(batch, order: order))
    acknowledged[batch] = acknowledged[batch] ?? store.receipts[batch]
  }

  // MARK: - What must hold

  package var breach: String? {
    broken ?? (steps.isEmpty ? brokenAtRest : nil)
  }

  private var broken: String? {
    let receipts = Self.receipts(of: store, scenario.flaw)
    for (batch, order) in acknowledged.sorted(by: { $0.key < $1.key }) {
      guard let found = receipts[batch] else {
        return "stored: batch \(batch) was acknowledged and is in no object"
      }
      if found != order {
        return "first receipt: batch \(batch) was received at \(order), and readers take \(found)"
      }
    }
    return reader.breach
  }

  static func receipts(of store: PackStore, _ flaw: PackFlaw) -> [Int: Int] {
    flaw == .smallCounts ? store.receipts.merging(store.smalls) { $1 } : store.receipts
  }

  /// Three more runs, undisturbed, leave one pack of everything.
  private var brokenAtRest: String? {
    guard scenario.flaw == .none else { return nil }
    var store = store
    for _ in 0..<3 {
      // The only batch of its date goes into a pack of the month alone.
      let isWhole = scenario.whole > 0 || scenario.isNextDate
      var compactor = PackCompactor(runs: 1, flaw: .none, isWhole: isWhole)
      while compactor.canGo || compactor.listing != nil {
        if compactor.listing != nil {
          compactor.endListing(.onlyNew, store, names)
        } else {
          compactor.go(&store)
        }
      }
      for id in store.packs.keys { store.packs[id]?.isSettled = true }
    }
    if !store.smalls.isEmpty || store.packs.count != 1 {
      return "packed in the end: \(store.smalls.count) objects and \(store.packs.count) packs"
    }
    return store.receipts == acknowledged ? nil : "stored: the last pack holds something else"
  }
}

extension PackWorld {
  package static func actor(of step: Step) -> Int? {
    switch step {
    case .compact(let number), .compactLate(let number), .endListing(let number, _),
      .kill(let number, _):
      number
    case .read, .endReadListing: 4
    case .sendLate, .resend: 5
    case .land, .vanish: 6
    case .twentyMinutes: nil
    }
  }

  package static func isFault(_ step: Step) -> Bool {
    switch step {
    case .compactLate, .kill, .sendLate(isDelayed: true): true
    default: false
    }
  }
}

import HealthModel
import HealthStreams

/// A compactor: the production machine, and what its shell does, request by request (R66).
struct PackCompactor: Hashable {
  /// How many runs it still begins.
  private(set) var runs: Int
  let flaw: PackFlaw
  private var machine: CompactionMachine?
  private var action: CompactionMachine.Action?
  /// What the store had when the listing began.
  private(set) var listingSince: PackStore.Listed?
  private var firstListing: PackStore.Listed?
  private var readings: [String: CompactionMachine.Reading<BatchPack.Member>] = [:]
  private var toRead: [String] = []
  private var toRemove: [String] = []
  /// Whether a flawed compactor does what the machine did not ask for.
  private var isAstray = false

  init(runs: Int, flaw: PackFlaw) { (self.runs, self.flaw) = (runs, flaw) }

  var isRunning: Bool { machine != nil || isAstray }
  var canGo: Bool { isRunning || runs > 0 }

  /// The run is over, wherever it is.
  mutating func end() {
    (machine, action, listingSince, firstListing) = (nil, nil, nil, nil)
    (readings, toRead, toRemove, isAstray) = ([:], [], [], false)
  }

  /// The write that the next request is.
  var write: PackStore.Write? {
    switch action {
    case .createPack(let parts, _): .pack(parts.map(member))
    case .removeBatches: toRemove.first.flatMap { Int($0) }.map { .removal($0) }
    case .removePack(let id): .packRemoval(id)
    default: nil
    }
  }

  private func member(_ part: CompactionMachine.Part) -> BatchPack.Member {
    guard flaw == .newOrder, let batch = Int(part.member.id) else { return part.member }
    return PackStore.member(batch, part.member.order.microseconds + 100)
  }

  /// A write got no answer.
  mutating func wasDelayed() {
    switch action {
    case .createPack: answer(.created)
    // A removal that fails ends the run.
    default: end()
    }
  }

  mutating func go(_ store: inout PackStore) {
    guard isRunning else {
      runs -= 1
      let new = CompactionMachine()
      (machine, action) = (new, new.start())
      return
    }
    switch action {
    case .list: listingSince = store.listed
    case .readPack(let id):
      answer(.pack(store.packs[id].map { .found($0.members) } ?? .absent))
    case .readBatches:
      guard let id = toRead.popLast() else { return answer(.batches(readings)) }
      readings[id] =
        Int(id).flatMap { batch in
          store.smalls[batch].map { .found(PackStore.member(batch, $0)) }
        } ?? .absent
      if toRead.isEmpty { answer(.batches(readings)) }
    case .createPack:
      if let write { store.apply(write) }
      answer(.created)
    case .readBack(let parts):
      let expected = parts.map(\.member)
      if flaw == .newOrder {
        answer(.pack(.found(expected)))
      } else {
        answer(
          .pack(store.packs[PackStore.name(of: expected)].map { .found($0.members) } ?? .absent))
      }
    case .removeBatches:
      if let write { store.apply(write) }
      if !toRemove.isEmpty { toRemove.removeFirst() }
      if toRemove.isEmpty { answer(.removed) }
    case .removePack:
      if let write { store.apply(write) }
      answer(.removed)
    case .finish, nil: end()
    }
  }

  mutating func endListing(_ view: ListingView, _ store: PackStore) {
    guard let before = listingSince else { return }
    listingSince = nil
    var listed = view.of(before, store.listed)
    if flaw == .noSecondListing, let firstListing { listed = firstListing }
    if case .list = action, firstListing == nil { firstListing = listed }
    answer(
      .listed(
        .init(
          smalls: listed.smalls.keys.sorted().map { .init(id: "\($0)", isEligible: true) },
          packs: listed.packs.sorted { $0.key < $1.key }.map {
            .init(id: $0.key, isSettled: $0.value || flaw == .removedAtOnce)
          })))
  }

  private mutating func answer(_ event: CompactionMachine.Event) {
    guard !isAstray, var machine else { return end() }
    let next = machine.handle(event)
    (self.machine, action) = (machine, next)
    switch next {
    case .readBack(let parts) where flaw == .notReadBack:
      // It trusts the answer, and removes what it has sent.
      toRemove = parts.map(\.member.id)
      goAstray(.removeBatches(toRemove))
    case .readBatches(let ids): (toRead, readings) = (ids, [:])
    case .removeBatches(let ids):
      toRemove = ids
      if flaw == .unpackedRemoved { toRemove.append("\(PackWorld.late)") }
    case .finish:
      // The older of the packs that it has seen.
      if flaw == .oldPackRemoved, let listed = firstListing, listed.packs.count > 1,
        let old = listed.packs.keys.sorted(by: { $0.utf8.count < $1.utf8.count }).last
      {
        goAstray(.removePack(old))
      }
    default: break
    }
  }

  private mutating func goAstray(_ action: CompactionMachine.Action) {
    (machine, self.action, isAstray) = (nil, action, true)
  }
}

/// A reader of the date: it lists, opens the packs, reads the objects, and lists again where one is
/// gone (R66).
struct PackReader: Hashable {
  var reads = 0
  private(set) var listingSince: PackStore.Listed?
  private(set) var breach: String?
  private var isReading = false
  private var hasListed = false
  private var tries = 0
  private var packs: [String] = []
  private var smalls: [Int] = []
  private var listed: [Int: Int] = [:]
  private var packed: [Int: Int] = [:]
  private var found: [Int: Int] = [:]
  /// What was acknowledged before it began.
  private var expected: [Int: Int] = [:]

  var canGo: Bool { isReading || reads > 0 }

  mutating func endListing(_ view: ListingView, _ store: PackStore) {
    guard let before = listingSince else { return }
    listingSince = nil
    let shown = view.of(before, store.listed)
    listed = shown.smalls
    (packs, smalls) = (shown.packs.keys.sorted(), shown.smalls.keys.sorted())
    (packed, found, hasListed) = ([:], [:], true)
  }

  /// What was listed is not believed.
  mutating func beginAgain() {
    guard listingSince != nil else { return }
    (listingSince, hasListed) = (nil, false)
  }

  mutating func go(_ store: PackStore, _ acknowledged: [Int: Int], _ flaw: PackFlaw) {
    if !isReading {
      reads -= 1
      (isReading, hasListed, tries, expected) = (true, false, 0, acknowledged)
    }
    guard hasListed else {
      listingSince = store.listed
      return
    }
    if let id = packs.popLast() {
      guard let pack = store.packs[id] else { return listAgain() }
      for member in pack.members {
        guard let batch = Int(member.id) else { continue }
        packed[batch] = min(packed[batch] ?? .max, member.order.microseconds)
      }
      return
    }
    if let batch = smalls.popLast() {
      guard packed[batch] == nil else { return }
      guard let order = store.smalls[batch] else {
        if flaw != .absentIsGone { listAgain() }
        return
      }
      // It went into a pack, and was sent again.
      if order != listed[batch], flaw != .replacedUnseen { return listAgain() }
      found[batch] = order
      return
    }
    found.merge(packed) { _, packed in packed }
    isReading = false
    for (batch, order) in expected.sorted(by: { $0.key < $1.key }) where found[batch] != order {
      breach =
        "read whole: a reader took batch \(batch) as \(found[batch].map { "received at \($0)" } ?? "gone")"
    }
    (found, packed, expected) = ([:], [:], [:])
  }

  /// Something is gone that was listed. After a few times it fails, and says so.
  private mutating func listAgain() {
    tries += 1
    (hasListed, packs, smalls, packed, found) = (false, [], [], [:], [:])
    listed = [:]
    if tries >= 4 { isReading = false }
  }
}

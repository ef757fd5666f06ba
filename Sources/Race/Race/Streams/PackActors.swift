import HealthModel
import HealthStreams

/// A compactor: the production machine, and what its shell does, request by request (R66).
struct PackCompactor: Hashable {
  /// How many runs it still begins.
  private(set) var runs: Int
  let flaw: PackFlaw
  /// Whether it packs the whole month.
  let isWhole: Bool
  private let isSplit: Bool
  private var machine: CompactionMachine?
  private var action: CompactionMachine.Action?
  private(set) var listing: PackListing?
  private var firstListing: PackStore.Listed?
  private var readings: [BatchPack.Name: CompactionMachine.Reading<BatchPack.Member>] = [:]
  private var toRead: [BatchPack.Name] = []
  private var toRemove: [BatchPack.Name] = []
  /// Whether a flawed compactor does what the machine did not ask for.
  private var isAstray = false

  init(runs: Int, flaw: PackFlaw, isWhole: Bool = false, isSplit: Bool = false) {
    (self.runs, self.flaw, self.isWhole, self.isSplit) = (runs, flaw, isWhole, isSplit)
  }

  var isRunning: Bool { machine != nil || isAstray }
  var canGo: Bool { isRunning || runs > 0 }

  /// The run is over, wherever it is.
  mutating func end() {
    (machine, action, listing, firstListing) = (nil, nil, nil, nil)
    (readings, toRead, toRemove, isAstray) = ([:], [], [], false)
  }

  /// The write that the next request is.
  var write: PackStore.Write? {
    switch action {
    case .createPack(let draft, _): .pack(draft.dates, draft.parts.map(member))
    case .removeBatches: toRemove.first.flatMap { Int($0.id) }.map { .removal($0) }
    case .removePack(let address): .packRemoval(address)
    default: nil
    }
  }

  private func member(_ part: CompactionMachine.Part) -> BatchPack.Member {
    guard flaw == .newOrder else { return part.member }
    return PackStore.member(part.member.name, part.member.order.microseconds + 100)
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
      let new = CompactionMachine(isWhole: isWhole)
      (machine, action) = (new, new.start())
      return
    }
    switch action {
    case .list: listing = PackListing(store, isSplit: isSplit)
    case .readPack(let address):
      answer(.pack(store.packs[address].map { .found($0.members) } ?? .absent))
    case .readBatches:
      guard let name = toRead.popLast() else { return answer(.batches(readings)) }
      readings[name] =
        Int(name.id).flatMap { batch in
          store.smalls[batch].map { .found(PackStore.member(name, $0)) }
        } ?? .absent
      if toRead.isEmpty { answer(.batches(readings)) }
    case .createPack:
      if let write { store.apply(write) }
      answer(.created)
    case .readBack(let draft):
      let expected = draft.parts.map(\.member)
      if flaw == .newOrder {
        answer(.pack(.found(expected)))
      } else {
        let address = BatchPack.Address(draft.dates, PackStore.name(of: expected))
        answer(.pack(store.packs[address].map { .found($0.members) } ?? .absent))
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

  mutating func endListing(
    _ view: ListingView, _ store: PackStore, _ names: [BatchPack.Name]
  ) {
    guard let shown = listing?.end(view, store) else { return }
    listing = nil
    var listed = flaw == .monthUnknown && !isWhole ? shown.part(ofMonth: false) : shown
    if flaw == .noSecondListing, let firstListing { listed = firstListing }
    if case .list = action, firstListing == nil { firstListing = listed }
    answer(
      .listed(
        .init(
          smalls: listed.smalls.keys.sorted().map { .init(name: names[$0], isEligible: true) },
          packs: listed.packs.sorted { $0.key < $1.key }.map {
            .init(address: $0.key, isSettled: $0.value || flaw == .removedAtOnce)
          })))
  }

  private mutating func answer(_ event: CompactionMachine.Event) {
    guard !isAstray, var machine else { return end() }
    let next = machine.handle(event)
    (self.machine, action) = (machine, next)
    switch next {
    case .readBack(let draft) where flaw == .notReadBack:
      // It trusts the answer, and removes what it has sent.
      toRemove = draft.parts.map(\.member.name)
      goAstray(.removeBatches(toRemove))
    case .readBatches(let names): (toRead, readings) = (names, [:])
    case .removeBatches(let names):
      toRemove = names
      if flaw == .unpackedRemoved { toRemove.append(PackWorld.name(PackWorld.late, on: 0)) }
    case .finish:
      // The older of the packs that it has seen.
      if flaw == .oldPackRemoved, let listed = firstListing, listed.packs.count > 1,
        let old = listed.packs.keys.sorted(by: { $0.id.utf8.count < $1.id.utf8.count }).last
      {
        goAstray(.removePack(old))
      }
      if flaw == .bothRemoved, let listed = firstListing,
        let same = listed.packs.keys.first(where: { pack in
          pack.dates.isMonth && listed.packs[pack] == true
            && listed.packs.contains { $0.key.id == pack.id && $0.key != pack && $0.value }
        })
      {
        goAstray(.removePack(same))
      }
    default: break
    }
  }

  private mutating func goAstray(_ action: CompactionMachine.Action) {
    (machine, self.action, isAstray) = (nil, action, true)
  }
}

/// A reader of the month: it lists, opens the packs, reads the objects, and lists again where one is
/// gone (R66).
struct PackReader: Hashable {
  var reads = 0
  private(set) var listing: PackListing?
  private(set) var breach: String?
  private var isReading = false
  private var hasListed = false
  private var tries = 0
  private var packs: [BatchPack.Address] = []
  private var smalls: [Int] = []
  private var listed: [Int: Int] = [:]
  private var packed: [Int: Int] = [:]
  private var found: [Int: Int] = [:]
  /// What was acknowledged before it began.
  private var expected: [Int: Int] = [:]

  var canGo: Bool { isReading || reads > 0 }

  mutating func endListing(_ view: ListingView, _ store: PackStore, _ flaw: PackFlaw) {
    guard var shown = listing?.end(view, store) else { return }
    listing = nil
    if flaw == .monthUnread { shown = shown.part(ofMonth: false) }
    listed = shown.smalls
    (packs, smalls) = (shown.packs.keys.sorted(), shown.smalls.keys.sorted())
    (packed, found, hasListed) = ([:], [:], true)
  }

  /// What was listed is not believed.
  mutating func beginAgain() {
    guard listing != nil else { return }
    (listing, hasListed) = (nil, false)
  }

  mutating func go(_ store: PackStore, _ acknowledged: [Int: Int], _ scenario: PackScenario) {
    if !isReading {
      reads -= 1
      (isReading, hasListed, tries, expected) = (true, false, 0, acknowledged)
    }
    guard hasListed else {
      listing = PackListing(store, isSplit: scenario.isSplit)
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
        if scenario.flaw != .absentIsGone { listAgain() }
        return
      }
      // It went into a pack, and was sent again.
      if order != listed[batch], scenario.flaw != .replacedUnseen { return listAgain() }
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

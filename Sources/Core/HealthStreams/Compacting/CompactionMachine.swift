import HealthModel

/// Packs the batches of one stream, device and month, and removes what packs have made spare, as a pure
/// state machine (R66): into packs of the month once all of it is old enough, and until then into packs
/// of each date.
///
/// It does no I/O and reads no clock. Perform the action that `start()` returns, then pass each answer
/// to `handle` until the machine finishes. If a request failed, stop: nothing is lost, and the next run
/// goes on.
///
/// Two properties make every crash, every delayed request and any number of compactors safe. The
/// object of a batch is removed only after a pack that holds the batch was read back whole, and a pack
/// only after another one was that holds all of its batches, each with the same receipt or an earlier
/// one, and more: so of the objects that hold a batch the greatest always stays. If a date's pack and its
/// month's pack hold the same batches, the month's is the greater. And an object is not needed any more
/// for so long before it is removed that no listing can miss both.
package struct CompactionMachine: Hashable, Sendable {
  /// An object of a batch, as listed.
  package struct Small: Hashable, Sendable {
    package let name: BatchPack.Name
    /// Whether it is older than what the person has asked for, and small enough to gain by it.
    package let isEligible: Bool

    package init(name: BatchPack.Name, isEligible: Bool) {
      (self.name, self.isEligible) = (name, isEligible)
    }
  }

  /// A pack, as listed.
  package struct Pack: Hashable, Sendable {
    package let address: BatchPack.Address
    /// Whether it was older than `minimumPackAge`, by the store's clock, when it was listed.
    package let isSettled: Bool

    package init(address: BatchPack.Address, isSettled: Bool) {
      (self.address, self.isSettled) = (address, isSettled)
    }
  }

  /// What the dates have.
  package struct Listing: Hashable, Sendable {
    package var smalls: [Small]
    package var packs: [Pack]

    package init(smalls: [Small], packs: [Pack]) { (self.smalls, self.packs) = (smalls, packs) }
  }

  /// What a read of an object gave.
  package enum Reading<Value: Hashable & Sendable>: Hashable, Sendable {
    case found(Value)
    case absent
    /// It is not what its key says.
    case fault(String)
  }

  /// A batch and where its object is taken from.
  package struct Part: Hashable, Sendable {
    package let member: BatchPack.Member
    /// The pack that holds it; nil for an object of its own.
    package let pack: BatchPack.Address?
  }

  /// A pack that is to be made.
  package struct Draft: Hashable, Sendable {
    package let dates: PackedDates
    package let parts: [Part]
  }

  package enum Action: Hashable, Sendable {
    /// List the objects of the dates, and the month's packs. A second time before a pack is created.
    case list
    /// Read a pack from the store and check each of its batches.
    case readPack(BatchPack.Address)
    /// Read the objects of these batches and check them.
    case readBatches([BatchPack.Name])
    /// Create the pack of these batches under If-None-Match. The number counts sends, from 1.
    case createPack(Draft, send: Int)
    /// Read the pack of these batches from the store and check each of them.
    case readBack(Draft)
    /// Remove the objects of these batches, in any order.
    case removeBatches([BatchPack.Name])
    case removePack(BatchPack.Address)
    case finish(Outcome)
  }

  package enum Event: Hashable, Sendable {
    case listed(Listing)
    case pack(Reading<[BatchPack.Member]>)
    case batches([BatchPack.Name: Reading<BatchPack.Member>])
    /// Whatever the answer: what counts is what is read back.
    case created
    case removed
  }

  /// What was done, and what was not.
  package struct Outcome: Hashable, Sendable {
    /// How many packs were created, and how many batches that were objects of their own went into them.
    package var packs = 0
    package var packed = 0
    /// Objects that are gone, because packs hold their batches.
    package var removedBatches = 0
    package var removedPacks = 0
    /// Objects that are spare, and stay until their pack is old enough.
    package var waiting = 0
    /// Objects that are not batches, each with the reason. They are left alone.
    package var faults: [BatchPack.Name: String] = [:]
    /// Why the month was left as it is, if it was.
    package var obstacle: Obstacle?
  }

  package enum Obstacle: Hashable, Sendable {
    /// A pack that can't be read: what it holds is not known.
    case damagedPack(String, String)
    /// The month kept changing.
    case unsettled
    /// The store gave no clear answer, or has something else under the pack's key.
    case unanswered
  }

  /// How old a pack must be, in seconds, before what it holds is removed elsewhere.
  package static let minimumPackAge = 1200
  /// How often a month is begun again because it has changed.
  private static let maximumRounds = 4
  /// How often one pack is sent.
  private static let maximumSends = 4

  private enum State: Hashable, Sendable {
    case listing
    case readingPacks
    case readingBatches
    case listingAgain
    case creating(send: Int)
    case readingBack(send: Int)
    case removingBatches
    case removingPacks
  }

  private let isWhole: Bool
  private let bounds: Bounds
  private var state = State.listing
  private var rounds = 0
  private var listing = Listing(smalls: [], packs: [])
  private var held: [BatchPack.Address: [BatchPack.Member]] = [:]
  private var drafts: [Draft] = []
  private var spare: [BatchPack.Name] = []
  private var dominated: [BatchPack.Address] = []
  private var outcome = Outcome()

  /// How much a pack may hold.
  package struct Bounds: Hashable, Sendable {
    package var bytes = BatchPack.maximumBytes
    package var members = BatchPack.maximumMembers

    package init() {}
  }

  /// - Parameter isWhole: whether all dates of the month are old enough and may be packed, so that they
  ///   go into packs of the month.
  package init(isWhole: Bool, bounds: Bounds = Bounds()) {
    (self.isWhole, self.bounds) = (isWhole, bounds)
  }

  package func start() -> Action { .list }

  package mutating func handle(_ event: Event) -> Action {
    switch (state, event) {
    case (.listing, .listed(let listing)):
      self.listing = listing
      held = [:]
      return nextPack()
    case (.readingPacks, .pack(let reading)):
      let pack = listing.packs[held.count].address
      switch reading {
      case .found(let members):
        held[pack] = members
        return nextPack()
      case .absent: return beginAgain()
      case .fault(let why):
        outcome.obstacle = .damagedPack(pack.id, why)
        return .finish(outcome)
      }
    case (.readingBatches, .batches(let readings)): return choose(readings)
    case (.listingAgain, .listed(let again)):
      // What was read is what the dates have: no pack that says more of a batch came meanwhile.
      guard Set(again.packs.map(\.address)) == Set(listing.packs.map(\.address)) else {
        return beginAgain()
      }
      return create(send: 1)
    case (.creating(let send), .created):
      state = .readingBack(send: send)
      return .readBack(drafts[0])
    case (.readingBack(let send), .pack(let reading)): return check(reading, send)
    case (.removingBatches, .removed):
      outcome.removedBatches = spare.count
      return nextDominated()
    case (.removingPacks, .removed):
      dominated.removeFirst()
      outcome.removedPacks += 1
      return nextDominated()
    default: preconditionFailure("the answer does not belong to the action")
    }
  }

  private mutating func beginAgain() -> Action {
    rounds += 1
    guard rounds < Self.maximumRounds else {
      outcome.obstacle = .unsettled
      return .finish(outcome)
    }
    state = .listing
    outcome.faults = [:]
    return .list
  }

  private mutating func nextPack() -> Action {
    if held.count < listing.packs.count {
      state = .readingPacks
      return .readPack(listing.packs[held.count].address)
    }
    let known = Set(held.values.joined().map(\.name))
    let unpacked = listing.smalls.filter { $0.isEligible && !known.contains($0.name) }
      .map(\.name)
    guard !unpacked.isEmpty else { return choose([:]) }
    state = .readingBatches
    return .readBatches(unpacked)
  }

  // MARK: - Packing

  /// Chooses what goes into new packs: batches that are in none, and those of packs that have room.
  private mutating func choose(_ readings: [BatchPack.Name: Reading<BatchPack.Member>]) -> Action {
    var pool: [BatchPack.Name: Part] = [:]
    for (name, reading) in readings {
      switch reading {
      case .found(let member): pool[name] = Part(member: member, pack: nil)
      case .absent: return beginAgain()
      case .fault(let why): outcome.faults[name] = why
      }
    }
    let open = held.filter { address, members in
      (isWhole || !address.dates.isMonth)
        && members.reduce(0) { $0 + $1.bytes } < bounds.bytes / 2
    }
    for member in open.values.joined() {
      pool[member.name] = firstReceipt(of: member)
    }
    drafts = []
    let goals = Dictionary(grouping: pool.values) { goal(of: $0.member.date) }
    for (dates, parts) in goals.sorted(by: { $0.key < $1.key }) {
      let hasLoose = parts.contains { $0.pack == nil }
      guard hasLoose || open.keys.count(where: { goal(of: $0.dates.first) == dates }) > 1 else {
        continue
      }
      drafts += grouped(parts).map { Draft(dates: dates, parts: $0) }
    }
    drafts.removeAll { draft in
      held.values.contains { members in members == draft.parts.map(\.member) }
    }
    guard !drafts.isEmpty else { return remove() }
    state = .listingAgain
    return .list
  }

  /// What pack the batches of a date go into.
  private func goal(of date: CalendarDate) -> PackedDates {
    isWhole ? .month(of: date) : .date(date)
  }

  /// What counts of all that packs say of a batch: the first receipt, as it does for readers.
  private func firstReceipt(of member: BatchPack.Member) -> Part? {
    var first: Part?
    for (pack, members) in held.sorted(by: { $0.key < $1.key }) {
      guard let found = members.first(where: { $0.name == member.name }) else { continue }
      if first.map({ found.precedes($0.member) }) ?? true {
        first = Part(member: found, pack: pack)
      }
    }
    return first
  }

  /// Groups that become packs of their own, by date and id. One batch alone is not a group.
  private func grouped(_ parts: [Part]) -> [[Part]] {
    var groups: [[Part]] = []
    var bytes = 0
    for part in parts.sorted(by: { $0.member.name < $1.member.name }) {
      bytes += part.member.bytes
      if let last = groups.last, bytes <= bounds.bytes, last.count < bounds.members {
        groups[groups.count - 1].append(part)
      } else {
        groups.append([part])
        bytes = part.member.bytes
      }
    }
    return groups.filter { $0.count > 1 }
  }

  private mutating func create(send: Int) -> Action {
    state = .creating(send: send)
    return .createPack(drafts[0], send: send)
  }

  private mutating func check(
    _ reading: Reading<[BatchPack.Member]>, _ send: Int
  ) -> Action {
    let parts = drafts[0].parts
    if reading == .found(parts.map(\.member)) {
      outcome.packs += 1
      outcome.packed += parts.count { $0.pack == nil }
      let added = Set(parts.map(\.member.name))
      outcome.waiting += listing.smalls.count { added.contains($0.name) && $0.isEligible }
      drafts.removeFirst()
      return drafts.isEmpty ? remove() : create(send: 1)
    }
    if case .absent = reading, send < Self.maximumSends { return create(send: send + 1) }
    outcome.obstacle = .unanswered
    return .finish(outcome)
  }

  // MARK: - Removing

  private mutating func remove() -> Action {
    let settled = listing.packs.filter(\.isSettled).map(\.address)
    let durable = Set(settled.compactMap { held[$0] }.joined().map(\.name))
    let known = Set(held.values.joined().map(\.name))
    let eligible = listing.smalls.filter(\.isEligible)
    spare = eligible.map(\.name).filter(durable.contains)
    outcome.waiting += eligible.count { known.contains($0.name) && !durable.contains($0.name) }
    dominated = listing.packs.map(\.address).filter { pack in
      settled.contains { $0 != pack && dominates($0, pack) }
    }
    guard !spare.isEmpty else { return nextDominated() }
    state = .removingBatches
    return .removeBatches(spare)
  }

  /// Whether a pack makes another one unnecessary. If two packs cover each other, one stays: a month's
  /// rather than a date's, else the one with the greater id.
  private func dominates(_ pack: BatchPack.Address, _ other: BatchPack.Address) -> Bool {
    guard covers(pack, other) else { return false }
    guard covers(other, pack) else { return true }
    return pack.dates.isMonth == other.dates.isMonth ? other < pack : pack.dates.isMonth
  }

  /// Whether a pack has all batches of another one, each with the same receipt or an earlier one.
  private func covers(_ pack: BatchPack.Address, _ other: BatchPack.Address) -> Bool {
    guard let members = held[pack], let others = held[other] else { return false }
    let known = Dictionary(members.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return others.allSatisfy { member in
      known[member.name].map { !member.precedes($0) } ?? false
    }
  }

  private mutating func nextDominated() -> Action {
    guard let pack = dominated.first else { return .finish(outcome) }
    state = .removingPacks
    return .removePack(pack)
  }
}

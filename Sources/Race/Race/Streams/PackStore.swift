import HealthModel
import HealthStreams

/// A month of a stream in a race of compactors: the objects of its batches, and packs (R66).
struct PackStore: Hashable {
  struct Pack: Hashable {
    let members: [BatchPack.Member]
    /// Whether it is old enough that what it holds may be removed elsewhere.
    var isSettled = false
  }

  /// A write on its way.
  enum Write: Hashable {
    case small(Int, order: Int)
    case pack(PackedDates, [BatchPack.Member])
    case removal(Int)
    case packRemoval(BatchPack.Address)

    var name: String {
      switch self {
      case .small(let batch, let order): "create batch \(batch) received at \(order)"
      case .pack(let dates, let members):
        "create pack \(PackStore.name(of: members)) of \(dates)"
      case .removal(let batch): "remove the object of batch \(batch)"
      case .packRemoval(let pack): "remove pack \(pack.id) of \(pack.dates)"
      }
    }
  }

  /// The objects of batches, each with its receipt.
  var smalls: [Int: Int] = [:]
  var packs: [BatchPack.Address: Pack] = [:]
  var inFlight: [Write] = []

  mutating func apply(_ write: Write) {
    switch write {
    case .small(let batch, let order): smalls[batch] = smalls[batch] ?? order
    case .pack(let dates, let members):
      let address = BatchPack.Address(dates, Self.name(of: members))
      packs[address] = packs[address] ?? Pack(members: members)
    case .removal(let batch): smalls[batch] = nil
    case .packRemoval(let address): packs[address] = nil
    }
  }

  static func member(_ name: BatchPack.Name, _ order: Int) -> BatchPack.Member {
    BatchPack.Member(
      date: name.date, id: name.id, bytes: 1, order: PreciseMoment(microseconds: order), feed: "f")
  }

  /// A pack's name says what it holds, as a digest does.
  static func name(of members: [BatchPack.Member]) -> String {
    members.map { "\($0.id)@\($0.order.microseconds)" }.joined(separator: ",")
  }

  /// The receipt that counts of each batch that is stored: that of its packs, else of its object.
  var receipts: [Int: Int] {
    var receipts = smalls
    var packed: [Int: Int] = [:]
    for member in packs.values.flatMap(\.members) {
      guard let batch = Int(member.id) else { continue }
      packed[batch] = min(packed[batch] ?? .max, member.order.microseconds)
    }
    receipts.merge(packed) { _, packed in packed }
    return receipts
  }

  /// What a listing shows.
  struct Listed: Hashable {
    /// Objects of batches; each with what distinguishes it from one that took its place, here its receipt.
    var smalls: [Int: Int] = [:]
    var packs: [BatchPack.Address: Bool] = [:]

    /// The packs of the month, or all else.
    func part(ofMonth isMonth: Bool) -> Listed {
      Listed(
        smalls: isMonth ? [:] : smalls, packs: packs.filter { $0.key.dates.isMonth == isMonth })
    }
  }

  var listed: Listed { Listed(smalls: smalls, packs: packs.mapValues(\.isSettled)) }
}

/// What a listing shows of objects that came or went while it ran.
package enum ListingView: String, Hashable, CaseIterable, Sendable {
  case neither = "neither what came nor what went"
  case both = "both what came and what went"
  case onlyOld = "what was there at its beginning"
  case onlyNew = "what is there at its end"

  func of(_ before: PackStore.Listed, _ after: PackStore.Listed) -> PackStore.Listed {
    switch self {
    case .onlyOld: return before
    case .onlyNew: return after
    case .neither:
      return PackStore.Listed(
        smalls: before.smalls.filter { after.smalls[$0.key] != nil },
        packs: before.packs.filter { after.packs[$0.key] != nil })
    case .both:
      return PackStore.Listed(
        smalls: before.smalls.merging(after.smalls) { before, _ in before },
        packs: before.packs.merging(after.packs) { before, _ in before })
    }
  }
}

/// A listing under way: of the dates first, and then of the month's packs, by one request or by two.
struct PackListing: Hashable {
  let isSplit: Bool
  private var since: PackStore.Listed
  private var dates: PackStore.Listed?

  init(_ store: PackStore, isSplit: Bool) { (self.isSplit, since) = (isSplit, store.listed) }

  /// A request ends. Returns what the listing has shown; nil if it goes on.
  mutating func end(_ view: ListingView, _ store: PackStore) -> PackStore.Listed? {
    let shown = view.of(since, store.listed)
    guard isSplit else { return shown }
    guard var dates else {
      (dates, since) = (shown.part(ofMonth: false), store.listed)
      return nil
    }
    dates.packs.merge(shown.part(ofMonth: true).packs) { $1 }
    return dates
  }
}

import HealthModel
import HealthStreams

/// One UTC date of a stream in a race of compactors: the objects of its batches, and packs (R66).
struct PackStore: Hashable {
  struct Pack: Hashable {
    let members: [BatchPack.Member]
    /// Whether it is old enough that what it holds may be removed elsewhere.
    var isSettled = false
  }

  /// A write on its way.
  enum Write: Hashable {
    case small(Int, order: Int)
    case pack([BatchPack.Member])
    case removal(Int)
    case packRemoval(String)

    var name: String {
      switch self {
      case .small(let batch, let order): "create batch \(batch) received at \(order)"
      case .pack(let members): "create pack \(PackStore.name(of: members))"
      case .removal(let batch): "remove the object of batch \(batch)"
      case .packRemoval(let id): "remove pack \(id)"
      }
    }
  }

  /// The objects of batches, each with its receipt.
  var smalls: [Int: Int] = [:]
  var packs: [String: Pack] = [:]
  var inFlight: [Write] = []

  mutating func apply(_ write: Write) {
    switch write {
    case .small(let batch, let order): smalls[batch] = smalls[batch] ?? order
    case .pack(let members):
      let id = Self.name(of: members)
      packs[id] = packs[id] ?? Pack(members: members)
    case .removal(let batch): smalls[batch] = nil
    case .packRemoval(let id): packs[id] = nil
    }
  }

  static func member(_ batch: Int, _ order: Int) -> BatchPack.Member {
    BatchPack.Member(
      id: "\(batch)", bytes: 1, order: PreciseMoment(microseconds: order), feed: "f")
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
    /// Objects of batches; each with what tells it from one that took its place, here its receipt.
    var smalls: [Int: Int] = [:]
    var packs: [String: Bool] = [:]
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

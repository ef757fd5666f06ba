import HealthCollector
import HealthModel
import HealthStreams

/// The samples of batches, each counted once (R45).
///
/// A batch may be stored twice under two ids, a sample may be sent in several batches, corrected or
/// deleted, and all of that may arrive in any order. The result depends on the set of the batches,
/// never on their order.
struct CountedSamples {
  /// What samples are counted by (`EntryIdentity`).
  private struct Identity: Hashable {
    let id: UInt128
    /// Of an id that was made: within a device and a feed. -1 for one that is the sample's own.
    let owner: Int

    // Hardly ever have two owners one id.
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  private struct Owner: Hashable {
    let device: String
    let feed: String
  }

  private struct Place {
    let batch: Int32
    let sample: Int32
  }

  private let batches: [StoredSamples]
  private var places: [Identity: Place] = [:]
  /// By batch and sample, those that others take the place of.
  private var replaced: [[Bool]]
  private var owners: [Owner: Int] = [:]

  init(_ batches: [StoredSamples]) {
    self.batches = batches
    replaced = batches.map { Array(repeating: false, count: $0.samples.count) }
    places.reserveCapacity(batches.reduce(0) { $0 + $1.samples.count })
    for (number, batch) in batches.enumerated() {
      // Most samples of a batch have one label.
      var last: (label: Int, owner: Int)?
      for (index, sample) in batch.samples.enumerated() {
        var owner = -1
        if !sample.hasNativeID {
          if last?.label != sample.label {
            let own = Owner(
              device: batch.deviceID, feed: batch.word(batch.label(sample).feed))
            last = (sample.label, owners[own, default: owners.count])
            owners[own] = last?.owner
          }
          owner = last?.owner ?? -1
        }
        add(
          Identity(id: sample.id, owner: owner), Place(batch: Int32(number), sample: Int32(index)))
      }
    }
  }

  private mutating func add(_ identity: Identity, _ place: Place) {
    // One look-up where the identity is new, as it nearly always is.
    let held = places.updateValue(place, forKey: identity)
    guard let held else { return }
    let isBetter = replaces(place, held)
    if !isBetter { places[identity] = held }
    let loser = isBetter ? held : place
    replaced[Int(loser.batch)][Int(loser.sample)] = true
  }

  /// Whether one takes the place of another of the same identity.
  private func replaces(_ place: Place, _ old: Place) -> Bool {
    let (batch, others) = (batches[Int(place.batch)], batches[Int(old.batch)])
    let (sample, other) = (batch.samples[Int(place.sample)], others.samples[Int(old.sample)])
    // A deletion is final: an earlier send of the sample may be retried after it.
    if sample.isDeletion != other.isDeletion { return sample.isDeletion }
    if batch.order != others.order { return batch.order > others.order }
    // Two of one moment: whatever decides must not depend on the order.
    let (bytes, otherBytes) = (batch.entry(Int(place.sample)), others.entry(Int(old.sample)))
    if bytes != otherBytes { return otherBytes.lexicographicallyPrecedes(bytes) }
    let (feed, otherFeed) = (
      batch.word(batch.label(sample).feed), others.word(others.label(other).feed)
    )
    return otherFeed.utf8.lexicographicallyPrecedes(feed.utf8)
  }

  /// How many there are of one identity each.
  var count: Int { places.count }

  /// Calls `body` with each sample that counts and its batch's place, without those that were deleted,
  /// in the order of the batches: it is often nearly that of time, so that sorting is cheap.
  func forEachAlive(_ body: (StoredSamples.Sample, Int) -> Void) {
    for (number, batch) in batches.enumerated() {
      for (place, sample) in batch.samples.enumerated()
      where !sample.isDeletion && !replaced[number][place] {
        body(sample, number)
      }
    }
  }
}

import HealthCollector
import HealthModel
import HealthStreams

/// The samples of batches, each counted once (R45).
///
/// A batch may be stored twice under two ids, a sample may be sent in several batches, corrected or
/// deleted, and all of that may arrive in any order. The result depends on the set of the batches,
/// never on their order.
struct CountedSamples {
  private let batches: [StoredSamples]
  /// By batch and sample, those that others take the place of.
  private var replaced: [[Bool]]
  /// The sample that counts of each identity (`EntryIdentity`), at the place given by the hash of its id,
  /// or at the first free place after it. A dictionary of the ids, which stand in the batches, would take
  /// three times as much memory.
  private var places: [Place]
  /// Random, so that nobody can send ids that all fall on one place.
  private let seed = UInt64.random(in: .min ... .max)

  private struct Place {
    /// The part of the hash that does not choose the place.
    var tag: UInt32 = 0
    /// -1 where there is none.
    var batch: Int32 = -1
    var sample: Int32 = -1
  }

  init(_ batches: [StoredSamples]) {
    self.batches = batches
    replaced = batches.map { Array(repeating: false, count: $0.samples.count) }
    let most = batches.reduce(0) { $0 + $1.samples.count }
    // A power of two, at most two thirds full.
    let bits = Int.bitWidth - (most + most / 2).leadingZeroBitCount
    places = Array(repeating: Place(), count: 1 << bits)
    for (number, batch) in batches.enumerated() {
      for (index, sample) in batch.samples.enumerated() { add(sample, index, number) }
    }
  }

  private mutating func add(_ sample: StoredSamples.Sample, _ index: Int, _ number: Int) {
    let hash = hash(sample.id)
    let new = Place(
      tag: UInt32(truncatingIfNeeded: hash >> 32), batch: Int32(number), sample: Int32(index))
    var slot = Int(truncatingIfNeeded: hash) & (places.count - 1)
    while places[slot].batch >= 0 {
      let held = places[slot]
      if held.tag == new.tag, isSame(new, held) {
        let isBetter = replaces(new, held)
        if isBetter { places[slot] = new }
        let loser = isBetter ? held : new
        replaced[Int(loser.batch)][Int(loser.sample)] = true
        return
      }
      slot = (slot + 1) & (places.count - 1)
    }
    places[slot] = new
  }

  private func hash(_ id: UInt128) -> UInt64 {
    let (high, low) = (
      UInt64(truncatingIfNeeded: id >> 64) ^ seed, UInt64(truncatingIfNeeded: id) ^ ~seed
    )
    let product = high.multipliedFullWidth(by: low)
    return product.high ^ product.low
  }

  /// Whether two samples have the same identity.
  private func isSame(_ place: Place, _ other: Place) -> Bool {
    let (batch, others) = (batches[Int(place.batch)], batches[Int(other.batch)])
    let (sample, second) = (batch.samples[Int(place.sample)], others.samples[Int(other.sample)])
    guard sample.id == second.id, sample.hasNativeID == second.hasNativeID else { return false }
    // A generated id is unique only within a device and a feed.
    return sample.hasNativeID
      || batch.deviceID == others.deviceID
        && batch.word(batch.label(sample).feed) == others.word(others.label(second).feed)
  }

  /// Whether one takes the place of another of the same identity.
  private func replaces(_ place: Place, _ old: Place) -> Bool {
    let (batch, others) = (batches[Int(place.batch)], batches[Int(old.batch)])
    let (sample, other) = (batch.samples[Int(place.sample)], others.samples[Int(old.sample)])
    // A deletion is final: an earlier send of the sample may be retried after it.
    if sample.isDeletion != other.isDeletion { return sample.isDeletion }
    if batch.order != others.order { return batch.order > others.order }
    // Of one batch the later entry counts: a correction was queued after what it corrects.
    if place.sample != old.sample { return place.sample > old.sample }
    // Two of one moment: whatever decides must not depend on the order of the batches.
    let (bytes, otherBytes) = (batch.entry(Int(place.sample)), others.entry(Int(old.sample)))
    if bytes != otherBytes { return otherBytes.lexicographicallyPrecedes(bytes) }
    let (feed, otherFeed) = (
      batch.word(batch.label(sample).feed), others.word(others.label(other).feed)
    )
    return otherFeed.utf8.lexicographicallyPrecedes(feed.utf8)
  }

  /// Calls `body` with each sample or deletion that counts, its batch and the batch's place, in the order
  /// of the batches. This is often nearly the order of time, so sorting is cheap.
  func forEach(_ body: (StoredSamples.Sample, StoredSamples, Int) -> Void) {
    for (number, batch) in batches.enumerated() {
      for (place, sample) in batch.samples.enumerated()
      where !replaced[number][place] {
        body(sample, batch, number)
      }
    }
  }
}

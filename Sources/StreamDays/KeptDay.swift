import HealthCollector
import HealthLedger
import HealthModel

/// What a recompute of a day leaves to the next one (R49). Pure.
struct KeptDay: Sendable {
  /// The keys of the batches whose entries are counted.
  private(set) var batches: Set<String> = []
  private(set) var entries = CountedEntries()
  /// The same as samples; nil if they are to be made of the entries.
  private var samples: FiledSamples?
  /// When the last of them was received.
  private(set) var receivedAt: Timestamp?
  var payloads = PostedPayloads()
  var revisions = KnownRevisions()

  /// The batches that are to be added, of those that are listed; begins anew where one of those that
  /// were counted is gone.
  mutating func missing(of listed: some Sequence<String>) -> Set<String> {
    let listed = Set(listed)
    if !batches.isSubset(of: listed) {
      (batches, entries, samples, receivedAt) = ([], CountedEntries(), nil, nil)
    }
    return listed.subtracting(batches)
  }

  mutating func add(_ batch: CountedBatch, _ key: String) {
    guard batches.insert(key).inserted else { return }
    receivedAt = max(receivedAt ?? batch.receivedAt, batch.receivedAt)
    for entry in batch.entries {
      switch entries.add(entry) {
      case .new: if !entry.entry.isDeletion { samples?.add(entry) }
      // The other one is among the samples.
      case .replacement: samples = nil
      case .known: break
      }
    }
  }

  /// The samples of the entries that count.
  mutating func samples(of day: ReportingDay) -> FiledSamples {
    if let samples, samples.day == day { return samples }
    let made = FiledSamples(of: entries, on: day)
    samples = made
    return made
  }

  /// About how many bytes of memory it takes beside its entries, which its batches hold.
  var cost: Int {
    4096 + batches.count * 192 + entries.count * (samples == nil ? 48 : 160) + payloads.cost
      + revisions.cost
  }
}

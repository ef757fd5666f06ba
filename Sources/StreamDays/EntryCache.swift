package import HealthCollector
package import HealthModel
import Synchronization

/// The entries of batches that were read before, so that a recompute after one more batch reads one
/// (R49). A batch is immutable: what its key named once, it names for ever.
package final class EntryCache: Sendable {
  /// What a recompute needs of a batch.
  package struct Batch: Sendable {
    package let entries: [CountedEntries.Entry]
    package let receivedAt: Timestamp

    package init(entries: [CountedEntries.Entry], receivedAt: Timestamp) {
      (self.entries, self.receivedAt) = (entries, receivedAt)
    }

    /// About how many bytes of memory it takes.
    fileprivate var cost: Int { entries.reduce(256) { $0 + $1.entry.bytes.count + 400 } }
  }

  private struct State {
    var batches: [String: (batch: Batch, cost: Int, usedAt: Int)] = [:]
    var cost = 0
    var uses = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: about how many bytes of memory it may take.
  package init(limit: Int) { self.limit = limit }

  /// The batch of a key, if it is kept.
  package func batch(_ key: String) -> Batch? {
    state.withLock { state in
      guard var found = state.batches[key] else { return nil }
      state.uses += 1
      found.usedAt = state.uses
      state.batches[key] = found
      return found.batch
    }
  }

  /// Keeps a batch. Those that were not used for the longest time make room.
  package func keep(_ batch: Batch, _ key: String) {
    let cost = batch.cost
    guard cost <= limit else { return }
    state.withLock { state in
      state.uses += 1
      if let old = state.batches.updateValue((batch, cost, state.uses), forKey: key) {
        state.cost -= old.cost
      }
      state.cost += cost
      guard state.cost > limit else { return }
      // Down to three quarters, so that sorting is rare.
      for (key, old) in state.batches.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
        guard state.cost > limit / 4 * 3 else { break }
        state.batches[key] = nil
        state.cost -= old.cost
      }
    }
  }
}

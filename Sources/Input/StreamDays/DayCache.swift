import HealthModel
package import HealthStreams
import Synchronization

/// What recomputes need again of batches and days, so that one more batch costs about what it has
/// itself (R49).
///
/// A batch is immutable: what its key named once, it names for ever. What is kept of a day is a
/// function of the batches and revisions that it names; whoever uses it adds what was listed beyond
/// them, or begins anew where one of them is gone. So a day made with it equals one made without.
package struct DayCache: Sendable {
  /// A date of one person: batches differ by their keys.
  private struct Day: Hashable {
    let scope: String
    let date: CalendarDate
  }

  private struct State {
    var batches: [String: (batch: StoredSamples, usedAt: Int)] = [:]
    var days: [Day: (day: KeptDay, usedAt: Int)] = [:]
    var cost = 0
    var uses = 0
  }

  /// What the caches of several people share.
  private final class Memory: Sendable {
    let limit: Int
    let state = Mutex(State())

    init(limit: Int) { self.limit = limit }
  }

  private let memory: Memory
  private let scope: String
  private var limit: Int { memory.limit }

  private init(_ memory: Memory, _ scope: String) { (self.memory, self.scope) = (memory, scope) }

  /// - Parameter limit: about how many bytes of memory it may take.
  package init(limit: Int) { self.init(Memory(limit: limit), "") }

  /// The cache of a person, in the same memory (R65).
  package func scoped(_ person: String) -> DayCache { DayCache(memory, person) }

  /// About how many bytes of memory it takes.
  package var cost: Int { memory.state.withLock(\.cost) }

  /// The batch of a key, if it is kept.
  func batch(_ key: String) -> StoredSamples? {
    memory.state.withLock { state in
      guard let batch = state.batches[key]?.batch else { return nil }
      state.uses += 1
      state.batches[key]?.usedAt = state.uses
      return batch
    }
  }

  /// Keeps a batch.
  package func keep(_ batch: StoredSamples, _ key: String) {
    guard batch.cost <= limit else { return }
    memory.state.withLock { state in
      state.uses += 1
      if let old = state.batches.updateValue((batch, state.uses), forKey: key) {
        state.cost -= old.batch.cost
      }
      state.cost += batch.cost
      makeRoom(&state)
    }
  }

  /// What is kept of a day, for one at a time: it is not there until it is given back.
  func take(_ date: CalendarDate) -> KeptDay? {
    memory.state.withLock { state in
      guard let kept = state.days.removeValue(forKey: Day(scope: scope, date: date)) else {
        return nil
      }
      state.cost -= kept.day.cost
      return kept.day
    }
  }

  /// Keeps a day.
  func give(_ day: KeptDay, _ date: CalendarDate) {
    guard day.cost <= limit else { return }
    memory.state.withLock { state in
      state.uses += 1
      if let old = state.days.updateValue(
        (day, state.uses), forKey: Day(scope: scope, date: date))
      {
        state.cost -= old.day.cost
      }
      state.cost += day.cost
      makeRoom(&state)
    }
  }

  /// Lets go of what was not used for the longest time.
  private func makeRoom(_ state: inout State) {
    guard state.cost > limit else { return }
    // Down to three quarters, so that sorting is rare.
    let most = limit / 4 * 3
    for (key, old) in state.batches.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
      guard state.cost > most else { break }
      state.batches[key] = nil
      state.cost -= old.batch.cost
    }
    for (date, old) in state.days.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
      guard state.cost > most else { break }
      state.days[date] = nil
      state.cost -= old.day.cost
    }
  }
}

/// What a recompute of a day leaves to the next one, besides its batches (R49). Pure.
struct KeptDay: Sendable {
  var payloads = PostedPayloads()
  var newest: NewestRevision?

  /// About how many bytes of memory it takes.
  var cost: Int { 1024 + payloads.cost + (newest == nil ? 0 : 8192) }
}

import HealthModel
import HealthSources
package import HealthStreams
import Synchronization

/// Keeps values up to about so many bytes, and lets go of those that were not used for the longest time.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State {
    var held: [Key: (value: Value, cost: Int, usedAt: Int)] = [:]
    var cost = 0
    var uses = 0
  }

  let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: about how many bytes of memory it may take.
  init(limit: Int) { self.limit = limit }

  /// About how many bytes of memory it takes.
  var cost: Int { state.withLock(\.cost) }

  subscript(key: Key) -> Value? {
    state.withLock { state in
      state.uses += 1
      state.held[key]?.usedAt = state.uses
      return state.held[key]?.value
    }
  }

  /// Keeps a value, unless it is larger than all may be together.
  func keep(_ value: Value, _ key: Key, cost: Int) {
    guard cost <= limit else { return }
    state.withLock { state in
      state.uses += 1
      let old = state.held.updateValue((value, cost, state.uses), forKey: key)
      state.cost += cost - (old?.cost ?? 0)
      guard state.cost > limit else { return }
      // Down to three quarters, so that sorting is rare.
      for (key, old) in state.held.sorted(by: { $0.value.usedAt < $1.value.usedAt }).dropLast()
      where state.cost > limit / 4 * 3 {
        state.held[key] = nil
        state.cost -= old.cost
      }
    }
  }

  /// Gives a value away: it is not there any more.
  func take(_ key: Key) -> Value? {
    state.withLock { state in
      guard let found = state.held.removeValue(forKey: key) else { return nil }
      state.cost -= found.cost
      return found.value
    }
  }

  /// Lets go of everything.
  func clear() { state.withLock { $0 = State() } }
}

/// What recomputes need again of batches and days, so that one more batch costs about what it has
/// itself (R49).
///
/// A batch is immutable: what its key named once, it names for ever. What is kept of a day is a
/// function of the batches and revisions that it names; whoever uses it adds what was listed beyond
/// them, or begins anew where one of them is gone. So a day made with it equals one made without.
package struct DayCache: Sendable {
  /// Batches differ by their keys, and the same date of several people by its scope.
  private enum Name: Hashable {
    case batch(String)
    case day(CalendarDate, scope: String)
  }

  private enum Held {
    case batch(StoredSamples)
    case day(KeptDay)
  }

  /// What the caches of several people share.
  private let memory: BoundedCache<Name, Held>
  private let scope: String

  private init(_ memory: BoundedCache<Name, Held>, _ scope: String) {
    (self.memory, self.scope) = (memory, scope)
  }

  /// - Parameter limit: about how many bytes of memory it may take.
  package init(limit: Int) { self.init(BoundedCache(limit: limit), "") }

  /// The cache of a person, in the same memory (R65).
  package func scoped(_ person: String) -> DayCache { DayCache(memory, person) }

  /// About how many bytes of memory it takes.
  package var cost: Int { memory.cost }

  func batch(_ key: String) -> StoredSamples? {
    if case .batch(let batch)? = memory[.batch(key)] { batch } else { nil }
  }

  package func keep(_ batch: StoredSamples, _ key: String) {
    memory.keep(.batch(batch), .batch(key), cost: batch.cost)
  }

  /// What is kept of a day, for one at a time: it is not there until it is given back.
  func take(_ date: CalendarDate) -> KeptDay? {
    if case .day(let day)? = memory.take(.day(date, scope: scope)) { day } else { nil }
  }

  /// Keeps a day.
  func give(_ day: KeptDay, _ date: CalendarDate) {
    memory.keep(.day(day), .day(date, scope: scope), cost: day.cost)
  }
}

/// What a recompute of a day leaves to the next one, besides its batches (R49). Pure.
struct KeptDay: Sendable {
  var payloads = PostedPayloads()
  var newest: NewestRevision?

  /// About how many bytes of memory it takes.
  var cost: Int { 1024 + payloads.cost + (newest == nil ? 0 : 8192) }
}

/// What was read of payloads for one day and serves the others that they touch: a payload of a year is
/// read once, not for each of its days (R49).
///
/// A batch is immutable, and everything here is a function of the batches that it is named by.
struct PayloadCache: Sendable {
  /// A payload, whole or in parts, read for the days of some zones.
  struct Capture: Hashable {
    let ids: [String]
    let zones: ReportingZones
    let metrics: Set<DailyMetric>
  }

  /// The rows of the longest payload that a server takes: 32 bytes each, of 60 bytes of JSON up to three.
  private static let rowBytes = 128 << 20
  private static let postedBytes = 4 << 20

  /// The payloads of batches, without what stands in them.
  private let posted = BoundedCache<String, [PostedPayload]>(limit: Self.postedBytes)
  private let captures: BoundedCache<Capture, CaptureRows>

  /// - Parameter limit: about how many bytes of memory rows may take.
  init(limit: Int = rowBytes) { captures = BoundedCache(limit: limit) }

  /// The payloads of a batch, without what stands in them; nil for one that is not known.
  func payloads(_ key: String) -> [PostedPayload]? { posted[key] }

  func keep(_ payloads: [PostedPayload], _ key: String) {
    let known = payloads.map(\.withoutEntry)
    posted.keep(known, key, cost: known.reduce(256) { $0 + $1.cost })
  }

  func rows(_ capture: Capture) -> CaptureRows? { captures[capture] }

  func keep(_ rows: CaptureRows, _ capture: Capture) {
    captures.keep(rows, capture, cost: rows.cost)
  }

  /// Lets go of everything.
  func clear() {
    posted.clear()
    captures.clear()
  }
}

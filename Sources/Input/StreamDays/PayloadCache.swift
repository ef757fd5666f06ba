import HealthModel
import HealthSources
import Synchronization

/// What was read of payloads for one day and serves the others that they touch: a payload of a year is
/// read once, not for each of its days (R49).
///
/// A batch is immutable, and everything here is a function of the batches that it is named by.
final class PayloadCache: Sendable {
  /// A payload, whole or in parts, read for the days of some zones.
  struct Capture: Hashable {
    let ids: [String]
    let zones: ReportingZones
    let metrics: Set<DailyMetric>
  }

  private struct State {
    var payloads: [String: [PostedPayload]] = [:]
    var captures: [Capture: (rows: CaptureRows, usedAt: Int)] = [:]
    var cost = 0
    var uses = 0
  }

  /// The rows of the longest payload that a server takes: 32 bytes each, of 60 bytes of JSON up to three.
  static let usualLimit = 128 << 20
  /// Most payloads of which small things are known.
  private static let mostNames = 4096

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: about how many bytes of memory rows may take.
  init(limit: Int = usualLimit) { self.limit = limit }

  /// The payloads of a batch, without what stands in them; nil for one that is not known.
  func payloads(_ key: String) -> [PostedPayload]? { state.withLock { $0.payloads[key] } }

  func keep(_ payloads: [PostedPayload], _ key: String) {
    var known = payloads
    for place in known.indices { known[place].entry = nil }
    state.withLock { state in
      if state.payloads.count >= Self.mostNames { state.payloads = [:] }
      state.payloads[key] = known
    }
  }

  func rows(_ capture: Capture) -> CaptureRows? {
    state.withLock { state in
      guard let rows = state.captures[capture]?.rows else { return nil }
      state.uses += 1
      state.captures[capture]?.usedAt = state.uses
      return rows
    }
  }

  func keep(_ rows: CaptureRows, _ capture: Capture) {
    guard rows.cost <= limit else { return }
    state.withLock { state in
      state.uses += 1
      if let old = state.captures.updateValue((rows, state.uses), forKey: capture) {
        state.cost -= old.rows.cost
      }
      state.cost += rows.cost
      while state.cost > limit,
        let oldest = state.captures.min(by: { $0.value.usedAt < $1.value.usedAt })
      {
        state.captures[oldest.key] = nil
        state.cost -= oldest.value.rows.cost
      }
    }
  }

  /// Lets go of everything.
  func clear() { state.withLock { $0 = State() } }
}

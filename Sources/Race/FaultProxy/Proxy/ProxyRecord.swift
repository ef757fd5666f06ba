import StoreTesting

/// A proxy's counts and bounded log. The proxy's lock guards it.
struct ProxyRecord: Sendable {
  private(set) var tally = ProxyTally()
  private var ring: [ProxyEvent] = []
  private var oldest = 0
  private let capacity: Int

  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Oldest first.
  var events: [ProxyEvent] { Array(ring[oldest...] + ring[..<oldest]) }

  mutating func count(_ operation: RequestKind, _ fault: ProxyFault?) {
    tally.requests[operation.rawValue, default: 0] += 1
    if let fault { tally.faults[fault.rawValue, default: 0] += 1 }
  }

  mutating func add(_ event: ProxyEvent, unanswered: Int) {
    tally.unanswered += unanswered
    if event.late { tally.lateSends += 1 }
    // Once per request: with its only send if that is late, otherwise with the sends before the
    // answer.
    if let fault = event.fault, event.applied != .none, event.late == (fault == .delay) {
      tally.applied[fault.rawValue, default: [:]][event.applied.rawValue, default: 0] += 1
    }
    if ring.count < capacity {
      ring.append(event)
    } else {
      ring[oldest] = event
      oldest = (oldest + 1) % capacity
    }
  }

  mutating func countRefused() { tally.refused += 1 }

  mutating func countTurnedAway() { tally.turnedAway += 1 }
}

/// The counts of a proxy.
package struct ProxyTally: Hashable, Sendable {
  /// Complete requests, by operation.
  package var requests: [String: Int] = [:]
  /// Requests that met a fault, by the fault's name.
  package var faults: [String: Int] = [:]
  /// Of those faults, how many writes were applied, not applied, or unclear: by fault, then `yes`,
  /// `no`, `unknown`.
  package var applied: [String: [String: Int]] = [:]
  /// Sends after the client's end of the request.
  package var lateSends = 0
  /// Sends that the server did not answer.
  package var unanswered = 0
  /// Input from clients that is not a request that a proxy accepts.
  package var refused = 0
  /// Connections over the limit, closed immediately.
  package var turnedAway = 0

  package init() {}

  package var totalRequests: Int { requests.values.reduce(0, +) }
  package var totalFaults: Int { faults.values.reduce(0, +) }
}

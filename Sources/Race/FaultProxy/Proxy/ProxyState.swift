import StoreTesting
import Synchronization

/// What is done about one request.
struct ProxyDecision: Hashable, Sendable {
  /// The number in order of arrival, from 1.
  let number: Int
  let fault: ProxyFault?
  /// How long the answer waits, for faults that delay it.
  let slowness: Duration
  /// How much later than necessary a late send comes.
  let lateness: Duration

  init(_ arrival: RequestSchedule<ProxyFault>.Arrival, _ limits: ProxyLimits) {
    var chance = arrival.chance
    (number, fault) = (arrival.number, arrival.fault)
    slowness = limits.slowest * chance.fraction()
    lateness = limits.latest * chance.fraction()
  }
}

/// The state that a proxy's threads share.
final class ProxyState: Sendable {
  /// Which held requests may continue.
  private struct Gate {
    var holding = 0
    var released = 0
  }

  let limits: ProxyLimits
  let upstream: Upstream
  let lateSends = LateSends()
  private let schedule: Mutex<RequestSchedule<ProxyFault>>
  private let record: Mutex<ProxyRecord>
  private let gate = Mutex(Gate())
  private let stops = Atomic(false)
  private let underWay = Atomic(0)
  private let began = ContinuousClock.now

  init(plan: ProxyPlan, upstream: Upstream, limits: ProxyLimits) {
    self.upstream = upstream
    self.limits = limits
    schedule = Mutex(RequestSchedule(plan))
    record = Mutex(ProxyRecord(capacity: limits.events))
  }

  var tally: ProxyTally { record.withLock(\.tally) }
  var events: [ProxyEvent] { record.withLock(\.events) }

  /// True once clients are no longer served.
  var isStopping: Bool { stops.load(ordering: .acquiring) }

  func stop() { stops.store(true, ordering: .releasing) }

  /// Uses this plan from now on, beginning with request 1.
  func begin(_ plan: ProxyPlan) { schedule.withLock { $0 = RequestSchedule(plan) } }

  /// Counts a request as in progress until `end`.
  func start() { underWay.add(1, ordering: .relaxed) }

  func end() { underWay.subtract(1, ordering: .releasing) }

  /// Waits until no request is in progress and none is still to be sent.
  func settle() async {
    while true {
      await lateSends.settle()
      if underWay.load(ordering: .acquiring) == 0, lateSends.isEmpty { return }
      // This wait can't be cancelled, because requests in progress may still change the server.
      await Task.detached { try? await Task.sleep(for: .milliseconds(5)) }.value
    }
  }

  func decide(_ request: ProxiedRequest) -> ProxyDecision {
    let arrival = schedule.withLock { $0.arrive(request.operation, request.path) }
    record.withLock { $0.count(request.operation, arrival.fault) }
    return ProxyDecision(arrival, limits)
  }

  func note(
    _ request: ProxiedRequest, _ decision: ProxyDecision, late: Bool = false,
    replies: [Upstream.Reply], client: String, applied: ProxyEvent.Applied? = nil
  ) {
    let event = ProxyEvent(
      number: decision.number,
      milliseconds: Int((ContinuousClock.now - began) / .milliseconds(1)),
      operation: request.operation, path: request.path, condition: request.condition,
      fault: decision.fault, late: late, server: replies.map(\.word), client: client,
      applied: applied ?? .init(request.operation, replies))
    record.withLock { $0.add(event, unanswered: replies.count { $0.isUnanswered }) }
  }

  func noteRefused() { record.withLock { $0.countRefused() } }

  func noteTurnedAway() { record.withLock { $0.countTurnedAway() } }

  // MARK: Held requests

  var holding: Int { gate.withLock(\.holding) }

  /// Lets all held requests continue.
  func release() {
    gate.withLock { gate in
      gate.released += gate.holding
      gate.holding = 0
    }
  }

  /// Takes a place at the gate. Returns the number at which it opens for this request.
  func hold() -> Int {
    gate.withLock { gate in
      gate.holding += 1
      return gate.released + gate.holding
    }
  }

  func isReleased(_ place: Int) -> Bool { gate.withLock { $0.released >= place } }
}

extension Upstream.Reply {
  fileprivate var word: String {
    switch self {
    case .success(let response): "\(response.status)"
    case .failure(let error): error.code.rawValue
    }
  }

  fileprivate var isUnanswered: Bool { if case .failure = self { true } else { false } }
}

/// The sends that happen after the client's end of the request.
final class LateSends: Sendable {
  private struct State {
    var tasks: [Int: Task<Void, Never>] = [:]
    var next = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Starts one. Does nothing after `cancel`.
  func begin(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      guard !state.isClosed else { return }
      let number = state.next
      state.next += 1
      // Created under the lock, so that it is recorded before it can end.
      state.tasks[number] = Task {
        await work()
        self.end(number)
      }
    }
  }

  /// Waits until no late send is in progress.
  func settle() async {
    while let task = state.withLock({ $0.tasks.values.first }) { await task.value }
  }

  var isEmpty: Bool { state.withLock(\.tasks.isEmpty) }

  /// Ends all waits. What was already sent to the server may still be applied.
  func cancel() {
    let tasks = state.withLock { state in
      state.isClosed = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
  }

  private func end(_ number: Int) { _ = state.withLock { $0.tasks.removeValue(forKey: number) } }
}

import Synchronization

/// Lets requests meet: each sends its header and holds back its body until all are that far.
///
/// So every connection is open, and every server has begun to read, before any request is complete.
/// Of requests that were only started together, the first may be answered while the others still
/// negotiate TLS. The gate opens when every request has arrived or ended, or when none has arrived
/// for `patience`.
package final class SendGate: Sendable {
  private struct State {
    var expected: Int
    var arrived = 0
    var lastArrival: ContinuousClock.Instant?
    var isOpen = false
    var held = 0
    /// How many bodies had left before the first answer, where the transport reports it.
    var left: Int?
    var isAnswered = false
  }

  private let state: Mutex<State>
  private let patience: Duration

  package init(requests: Int, patience: Duration = .seconds(2)) {
    state = Mutex(State(expected: requests))
    self.patience = patience
  }

  /// How many requests were held when it opened, so that their times certainly overlap. 0 before.
  package var met: Int { state.withLock { $0.isOpen ? min($0.held, $0.left ?? $0.held) : 0 } }

  /// A request has sent its header. Returns true if it must wait.
  package func arrive(_ now: ContinuousClock.Instant) -> Bool {
    state.withLock { state in
      guard !state.isOpen else { return false }
      state.arrived += 1
      state.held += 1
      state.lastArrival = now
      return true
    }
  }

  /// A body leaves. Called by a transport that can't hold a body back behind its header, and lets
  /// whole requests go together instead.
  package func bodyLeaves() {
    state.withLock { if !$0.isAnswered { $0.left = ($0.left ?? 0) + 1 } }
  }

  /// Such a transport has an answer, or knows that none will come. The requests whose bodies had not
  /// left by then did not meet it.
  package func answered() {
    state.withLock { ($0.isAnswered, $0.left) = (true, $0.left ?? 0) }
  }

  /// A request has ended without being released.
  package func leave(hasArrived: Bool) {
    state.withLock { state in
      guard !state.isOpen else { return }
      if hasArrived { state.held -= 1 }
      state.expected -= hasArrived ? 0 : 1
    }
  }

  /// Opens it if it is time. Returns whether it is open.
  package func opens(at now: ContinuousClock.Instant) -> Bool {
    state.withLock { state in
      guard !state.isOpen, let last = state.lastArrival else { return state.isOpen }
      state.isOpen = state.arrived >= state.expected || now - last >= patience
      return state.isOpen
    }
  }

  /// When it opens at the latest; nil if nothing waits for it.
  package var opening: ContinuousClock.Instant? {
    state.withLock { state in
      state.isOpen ? nil : state.lastArrival.map { $0 + patience }
    }
  }
}

import Synchronization

/// What all requests to one server may spend on sending again, together.
///
/// One request alone waits long enough for a server to start again. Without a common limit, a year's
/// days would each wait so long for a server that is gone. It reads no clock.
final class RetryBudget: Sendable {
  private struct State {
    var tokens = RetryBudget.capacity
    /// When the first request failed since one was answered.
    var silentSince: ContinuousClock.Instant?
    var lastFailure: ContinuousClock.Instant?
    var hasAnswered = false
    var lastTold: ContinuousClock.Instant?
  }

  private let state = Mutex(State())

  /// The most that is sent again while few requests succeed; each success allows one more.
  static let capacity = 2000
  /// So long after the first failure nothing is sent again, unless a request was answered meanwhile.
  static let patience: Duration = .seconds(30)
  /// Waiting is reported at most this often.
  static let interval: Duration = .seconds(5)

  /// True if the server has ever answered.
  var hasAnswered: Bool { state.withLock(\.hasAnswered) }

  /// A request got an answer that is not worth sending it again.
  func answered() {
    state.withLock { state in
      state.tokens = min(Self.capacity, state.tokens + 1)
      (state.silentSince, state.lastFailure, state.hasAnswered) = (nil, nil, true)
    }
  }

  /// A request failed in a way that may pass.
  ///
  /// - Parameter hasAnswered: whether a server said so.
  func failed(at now: ContinuousClock.Instant, hasAnswered: Bool) {
    state.withLock { state in
      // What failed long ago was another outage.
      if state.lastFailure.map({ now - $0 > Self.patience * 2 }) ?? true { state.silentSince = now }
      state.lastFailure = now
      state.hasAnswered = state.hasAnswered || hasAnswered
    }
  }

  /// Takes what sending once more costs; false if it must not be sent.
  func takes(at now: ContinuousClock.Instant) -> Bool {
    state.withLock { state in
      if let since = state.silentSince, now - since >= Self.patience { return false }
      guard state.tokens > 0 else { return false }
      state.tokens -= 1
      return true
    }
  }

  /// Whether a wait should be reported now.
  func tells(of wait: Duration, at now: ContinuousClock.Instant) -> Bool {
    state.withLock { state in
      guard wait >= .seconds(1), state.lastTold.map({ now - $0 >= Self.interval }) ?? true
      else { return false }
      state.lastTold = now
      return true
    }
  }
}

import Synchronization

/// When a request is sent again: full jitter, a limit on sends, and a deadline. It reads no clock.
///
/// The waits double up to 20 s. With ten sends they are 23 s together on average: enough for a server
/// to start again.
struct RetryPolicy: Hashable, Sendable {
  /// The most sends, including the first.
  var maximumAttempts: Int
  /// Time limit of the whole operation, including waits.
  var deadline: Duration
  /// The first wait is at most this long. The limit doubles with each further wait.
  var base: Duration = .milliseconds(100)
  var longest: Duration = .seconds(20)
  /// The most sends to a server that can't be reached and never was: most likely its address is
  /// wrong. They take less than two seconds.
  var maximumAttemptsToReach = 5

  /// How long to wait before send number `attempt + 1`; nil if there should be no further send.
  ///
  /// - Parameters:
  /// - attempt: the number of sends so far, at least 1.
  /// - elapsed: the time since the operation began.
  /// - random: uniformly distributed in 0 ..< 1.
  /// - retryAfter: what the server asked for. The wait is never shorter.
  /// - isReached: false if there was no connection to a server that never answered.
  func delay(
    afterAttempt attempt: Int, elapsed: Duration, random: Double, retryAfter: Duration? = nil,
    isReached: Bool = true
  ) -> Duration? {
    let most = isReached ? maximumAttempts : min(maximumAttempts, maximumAttemptsToReach)
    guard attempt < most else { return nil }
    let ceiling = min(longest, base * (1 << min(max(attempt - 1, 0), 20)))
    let jittered = ceiling * random
    let delay = max(jittered, retryAfter ?? .zero)
    return elapsed + delay < deadline ? delay : nil
  }
}

/// How a store waits before it sends a request again.
package struct RetryPace: Sendable {
  /// Waits; throws if the task is cancelled.
  package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// Tells the user why a request takes so long, at most once every five seconds.
  package var tell: @Sendable (String) -> Void = { _ in }
  /// Whether the server has answered in an earlier run, so that its address is not to blame.
  var hasAnsweredBefore: @Sendable () -> Bool = { false }

  package init() {}
}

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

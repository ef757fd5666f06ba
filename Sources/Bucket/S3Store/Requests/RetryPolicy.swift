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

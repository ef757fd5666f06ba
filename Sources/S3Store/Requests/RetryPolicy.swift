/// When a request is sent again: full jitter, a bound on sends, a deadline. No clock of its own.
struct RetryPolicy: Hashable, Sendable {
  /// Most sends, the first included.
  var maximumAttempts: Int
  /// Bound on the whole operation, waits included.
  var deadline: Duration
  /// The first wait is at most this, and each further one at most twice the one before.
  var base: Duration = .milliseconds(100)
  var longest: Duration = .seconds(5)

  /// How long to wait before send number `attempt + 1`; nil where another send makes no sense.
  ///
  /// - Parameters:
  ///   - attempt: sends so far, at least 1.
  ///   - elapsed: since the operation began.
  ///   - random: evenly distributed in 0 ..< 1.
  ///   - retryAfter: what the server asked for; never undercut.
  func delay(
    afterAttempt attempt: Int, elapsed: Duration, random: Double, retryAfter: Duration? = nil
  ) -> Duration? {
    guard attempt < maximumAttempts else { return nil }
    let ceiling = min(longest, base * (1 << min(max(attempt - 1, 0), 20)))
    let jittered = ceiling * random
    let delay = max(jittered, retryAfter ?? .zero)
    return elapsed + delay < deadline ? delay : nil
  }
}

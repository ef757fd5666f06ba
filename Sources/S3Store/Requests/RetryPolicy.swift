/// When a request is sent again: full jitter, a limit on sends, and a deadline. It reads no clock.
struct RetryPolicy: Hashable, Sendable {
  /// The most sends, including the first.
  var maximumAttempts: Int
  /// Time limit of the whole operation, including waits.
  var deadline: Duration
  /// The first wait is at most this long. The limit doubles with each further wait.
  var base: Duration = .milliseconds(100)
  var longest: Duration = .seconds(5)

  /// How long to wait before send number `attempt + 1`; nil if there should be no further send.
  ///
  /// - Parameters:
  /// - attempt: the number of sends so far, at least 1.
  /// - elapsed: the time since the operation began.
  /// - random: uniformly distributed in 0 ..< 1.
  /// - retryAfter: what the server asked for. The wait is never shorter.
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

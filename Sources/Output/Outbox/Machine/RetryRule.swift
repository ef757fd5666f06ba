package import HealthModel
package import HealthStreams

/// When a batch that failed is tried again, and when it is given up (R48).
///
/// Pure. Only failures that say something about the delivery count: an answer of the receiver, or
/// none in time. Being offline costs no attempt, and neither do refused credentials or files: they
/// say nothing about the batch.
package enum RetryRule {
  /// The failure with this number makes the batch failed.
  package static let maximumAttempts = 5
  /// Seconds to wait after the first to the fourth failure.
  package static let delays = [30, 60, 120, 240]
  /// No wait is longer, whoever asks for it.
  package static let longestDelay = 300

  /// Whether a failure of this kind counts as an attempt.
  package static func costsAttempt(_ kind: DeliveryFailure.Kind) -> Bool {
    switch kind {
    case .timeout, .server, .storageFull: true
    case .offline, .unauthorized, .permissionDenied, .refused, .tooLarge: false
    }
  }

  /// Seconds until the next attempt, after so many failures; nil after the last.
  package static func delay(afterFailures failures: Int, retryAfter: Int? = nil) -> Int? {
    guard failures < maximumAttempts else { return nil }
    let nominal = delays[max(0, min(failures, delays.count) - 1)]
    return max(nominal, min(retryAfter ?? 0, longestDelay))
  }

  /// Whether a batch may be tried now.
  ///
  /// No delay is longer than 300 s. So a time further ahead was written under another clock, and
  /// the batch is due: otherwise a clock that is set back a year stops the outbox for a year.
  package static func isDue(_ nextAttempt: Timestamp?, now: Timestamp) -> Bool {
    guard let nextAttempt else { return true }
    return nextAttempt <= now || nextAttempt > now.adding(seconds: longestDelay)
  }
}

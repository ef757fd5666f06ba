package import HealthModel
package import HealthStreams

/// What the result of a delivery does to its batch (R48). Pure.
///
/// A row leaves the outbox only after `confirm`, or with a gap. So every other result keeps all
/// rows: the worst is that a batch is sent again, which is harmless.
package enum DeliveryRule {
  package static func change(
    after result: DeliveryResult, of batch: BatchState, now: Timestamp
  ) -> OutboxChange {
    switch result {
    case .confirmed(let received):
      return .confirm(batch: batch.id, receivedAt: received ?? now, now: now)
    case .failed(let failure):
      switch failure.kind {
      case .offline, .unauthorized, .permissionDenied:
        return .keep(batch: batch.id, failure: failure, now: now)
      case .refused, .tooLarge:
        return SealingRule.halves(of: batch.entries) == nil
          ? .quarantine(batch: batch.id, failure: failure, now: now)
          : .split(batch: batch.id, failure: failure, now: now)
      case .timeout, .server, .storageFull:
        let attempts = batch.attempts + 1
        guard
          let delay = RetryRule.delay(afterFailures: attempts, retryAfter: failure.retryAfter)
        else {
          return .giveUp(batch: batch.id, attempts: attempts, failure: failure, now: now)
        }
        return .retry(
          batch: batch.id, attempts: attempts, nextAttempt: now.adding(seconds: delay),
          failure: failure, now: now)
      }
    }
  }
}

/// What the decisions need to know about a sealed batch that is not confirmed yet (R46, R48).
package struct BatchState: Hashable, Sendable {
  /// SHA-256 of the body.
  package let id: String
  package let stream: StreamName
  /// How many entries it has; at least 1.
  package let entries: Int
  /// How many deliveries failed in a way that counts (R48).
  package var attempts: Int
  /// When it may be tried again; nil for at once.
  package var nextAttempt: Timestamp?

  package init(
    id: String, stream: StreamName, entries: Int, attempts: Int = 0,
    nextAttempt: Timestamp? = nil
  ) {
    (self.id, self.stream, self.entries) = (id, stream, entries)
    (self.attempts, self.nextAttempt) = (attempts, nextAttempt)
  }
}

/// A change of the outbox. **Each is one transaction**: after a crash all of it happened, or nothing.
///
/// Each names the state that it expects, and does nothing if another process was faster: a batch
/// that is gone (confirmed, split, sealed anew or dropped) is never changed, and `retry` and `giveUp` count from
/// the attempts that were read. So two syncs of one outbox do no harm to each other.
package enum OutboxChange: Hashable, Sendable {
  /// Every entry of the batch becomes `uploaded` with the receiver's time, the sealed batch goes,
  /// and the last success is now. Holds for a batch that was given up in the meantime, too.
  case confirm(batch: String, receivedAt: Timestamp, now: Timestamp)
  /// The batch stays as it is. The last error is recorded.
  case keep(batch: String, failure: DeliveryFailure, now: Timestamp)
  /// The batch and its entries have one attempt more, and wait.
  case retry(
    batch: String, attempts: Int, nextAttempt: Timestamp, failure: DeliveryFailure, now: Timestamp)
  /// The batch and its entries become `failed`. It stays sealed, so that a revival sends the same
  /// bytes, without those that were queued anew and sent since.
  case giveUp(batch: String, attempts: Int, failure: DeliveryFailure, now: Timestamp)
  /// Two batches, each sealed under a new session, take the batch's place. Its entries keep their
  /// attempts: the fault of one is not the others'.
  case split(batch: String, failure: DeliveryFailure, now: Timestamp)
  /// The batch has one entry, and the receiver refuses it. The entry becomes `failed` with the
  /// reason. No success revives it.
  case quarantine(batch: String, failure: DeliveryFailure, now: Timestamp)
  /// All batches that were given up become pending, without an attempt.
  case reviveGivenUp
}

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

/// How long a loop of syncs waits, and when it ends (R48). Pure.
package struct SyncLoopMachine: Hashable, Sendable {
  package enum Next: Hashable, Sendable {
    case wait(seconds: Int)
    /// Nothing will go better until somebody changes the settings: E002 or E005.
    case stop(DeliveryFailure)
  }

  /// The longest wait while the receiver can't be reached or fails.
  package static let longestWait = 300

  /// The wait between syncs that go well, in seconds.
  package let interval: Int
  /// How many syncs failed in a row.
  package private(set) var failures = 0

  package init(interval: Int) { self.interval = interval }

  /// What follows a sync that ended with these failures, one for each stream that has one.
  package mutating func next(after found: [DeliveryFailure]) -> Next {
    for failure in found where failure.kind == .unauthorized || failure.kind == .permissionDenied {
      return .stop(failure)
    }
    let isDown = found.contains { failure in
      failure.kind == .offline || RetryRule.costsAttempt(failure.kind)
    }
    guard isDown else {
      failures = 0
      return .wait(seconds: interval)
    }
    failures += 1
    let delay = RetryRule.delay(afterFailures: failures) ?? Self.longestWait
    return .wait(seconds: min(delay, Self.longestWait))
  }
}

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

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

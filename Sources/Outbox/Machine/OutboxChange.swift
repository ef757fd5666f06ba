package import HealthModel
package import HealthStreams

/// A change of the outbox. **Each is one transaction**: after a crash all of it happened, or nothing.
///
/// Each names the state that it expects, and does nothing if another process was faster: a batch
/// that is gone (confirmed, split or dropped) is never changed, and `retry` and `giveUp` count from
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
  /// bytes.
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

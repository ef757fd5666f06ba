package import HealthModel

/// What leaves the outbox because of its age (R48). Pure.
///
/// By the receiver's clock alone: this machine's may be wrong by years. So nothing ages in a sync
/// that heard no receiver.
package struct RetentionRule: Hashable, Sendable {
  /// Three days.
  package static let seconds = 259_200

  /// The receiver's time at its last confirmation in this sync.
  package let receiverTime: Timestamp

  package init(receiverTime: Timestamp) { self.receiverTime = receiverTime }

  /// An uploaded entry leaves if the receiver confirmed it at this time or earlier. A refused entry
  /// leaves if a sync first saw it so at this time or earlier; its gap is recorded and its feed's
  /// anchor reset in the same transaction.
  ///
  /// Pending entries don't age. Entries that were given up because of 429, 5xx or a time-out don't
  /// leave either: those end in a revival, never in a deletion (R48).
  package var deadline: Timestamp { receiverTime.adding(seconds: -Self.seconds) }
}

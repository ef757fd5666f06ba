package import HealthModel
package import HealthStreams

/// What the decisions need to know about a sealed batch that is not confirmed yet (R46, R48).
package struct BatchState: Hashable, Sendable {
  /// SHA-256 of the body.
  package let id: String
  package let stream: StreamName
  /// How many entries it has; at least 1.
  package let entries: Int
  /// How many deliveries failed in a way that counts (D8).
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

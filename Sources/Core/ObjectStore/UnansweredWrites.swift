/// The writes of one operation that got no clear answer since the last one that did.
///
/// A store may answer reads and hold writes, as one that has lost half of its drives does. Each such
/// write waits for its whole time limit, so a limit on attempts alone lets people wait for minutes.
package struct UnansweredWrites: Sendable {
  /// How long an operation goes on without a clear answer to a write.
  package static let patience: Duration = .seconds(120)
  /// The fewest attempts, however long each takes.
  static let minimumCount = 3

  /// Why the last write got no clear answer; nil if it got one.
  package private(set) var last: StoreError?
  /// How many there are.
  package private(set) var count = 0
  /// When the first of them was sent.
  private var since = ContinuousClock.now

  package init() {}

  /// Notes the outcome of a write.
  package mutating func note(_ outcome: PutOutcome, sentAt: ContinuousClock.Instant) {
    guard case .unknown(let error) = outcome else {
      (last, count) = (nil, 0)
      return
    }
    if count == 0 { since = sentAt }
    (last, count) = (error, count + 1)
  }

  /// Whether the operation must stop instead of sending the write again.
  package func isExhausted(
    after patience: Duration, at now: ContinuousClock.Instant = .now
  ) -> Bool {
    count >= Self.minimumCount && now - since >= patience
  }
}

/// How many writes of one operation in a row got no clear answer, and for how long.
///
/// A store may answer reads but never finish writes, for example after losing half of its drives.
/// Each write then takes its full time limit. With a limit on attempts alone, people would wait for
/// many minutes.
package struct UnansweredWrites: Sendable {
  /// How long an operation keeps trying without a clear answer to a write.
  package static let patience: Duration = .seconds(120)
  /// The minimum number of attempts, however long each one takes.
  static let minimumCount = 3

  /// Why the last write got no clear answer; nil if it got one.
  package private(set) var last: StoreError?
  /// How many writes in a row got no clear answer.
  package private(set) var count = 0
  /// When the first of these writes was sent.
  private var since = ContinuousClock.now

  package init() {}

  /// Records the outcome of a write.
  package mutating func note(_ outcome: PutOutcome, sentAt: ContinuousClock.Instant) {
    guard case .unknown(let error) = outcome else {
      (last, count) = (nil, 0)
      return
    }
    if count == 0 { since = sentAt }
    (last, count) = (error, count + 1)
  }

  /// Whether the operation should give up instead of sending the write again.
  package func isExhausted(
    after patience: Duration, at now: ContinuousClock.Instant = .now
  ) -> Bool {
    count >= Self.minimumCount && now - since >= patience
  }
}

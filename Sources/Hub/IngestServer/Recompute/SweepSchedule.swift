/// When markers are swept again (R49). Pure.
struct SweepSchedule: Hashable, Sendable {
  /// How long to wait between two sweeps, in seconds.
  static let pause = 300.0
  /// The same after one that failed: markers of a server that ended wait for it.
  static let retryPause = 30.0

  /// Seconds since any fixed moment.
  private(set) var next: Double

  /// The first sweep is due at once.
  init(at now: Double) { next = now }

  /// A sweep has ended.
  ///
  /// - Parameter isDone: whether the markers could be listed.
  mutating func swept(isDone: Bool, at now: Double) {
    next = now + (isDone ? Self.pause : Self.retryPause)
  }
}

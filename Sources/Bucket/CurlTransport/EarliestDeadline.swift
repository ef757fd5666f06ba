/// The next deadline of many transfers.
///
/// It is never later than any added deadline. It may be earlier, if that transfer has ended.
struct EarliestDeadline {
  private(set) var instant: ContinuousClock.Instant?

  init(_ deadlines: [ContinuousClock.Instant] = []) { instant = deadlines.min() }

  mutating func add(_ deadline: ContinuousClock.Instant) {
    instant = instant.map { min($0, deadline) } ?? deadline
  }

  func hasPassed(_ now: ContinuousClock.Instant) -> Bool { instant.map { $0 <= now } ?? false }
}

extension Duration {
  /// Rounded up, between 1 (libcurl reads 0 as "no limit") and a million seconds.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 1 }
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return max(1, Int(seconds) * 1000 + Int(part))
  }
}

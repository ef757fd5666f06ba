/// Decides about the attempts of one push to one gateway (R57).
///
/// An attempt that fails for a passing reason is made again after 2 and 8 s, with values that are read
/// again: no value ever waits. Pure.
package struct PushMachine: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// Read the values, and push them.
    case push
    /// Wait so many seconds.
    case wait(Int)
    /// The push has its result.
    case finish
  }

  /// The seconds before the second attempt, and before the third.
  package static let waits = [2, 8]

  private var attempts = 0
  private var isDue = true
  private var hasWaited = true

  package init() {}

  /// What comes next, after the result of the last attempt was taken.
  package mutating func next() -> Action {
    guard isDue, attempts <= Self.waits.count else { return .finish }
    if !hasWaited {
      hasWaited = true
      return .wait(Self.waits[attempts - 1])
    }
    attempts += 1
    return .push
  }

  /// Takes the result of an attempt; nil for a success.
  package mutating func take(_ failure: PushFailure?) {
    hasWaited = false
    isDue = failure?.isTransient == true
  }
}

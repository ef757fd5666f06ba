/// Decides about the attempts of one push to several gateways (R57, PR-15, PR-17).
///
/// Each gateway has its own result: one that fails does not stop the others. An attempt that fails
/// for a passing reason is made again after 2 and 8 s, with values that are read again: no value
/// ever waits. Pure.
package struct PushMachine: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// Read the values, and push them to these gateways, by their numbers.
    case push([Int])
    /// Wait so many seconds.
    case wait(Int)
    /// All gateways have their result.
    case finish
  }

  /// The seconds before the second attempt, and before the third.
  package static let waits = [2, 8]

  private var due: [Int]
  private var attempts = 0
  private var hasWaited = true
  /// Why the last attempt on each gateway failed; nil for those that succeeded.
  package private(set) var failures: [PushFailure?]

  package init(gateways: Int) {
    due = Array(0..<gateways)
    failures = Array(repeating: nil, count: gateways)
  }

  /// What comes next, after the results of the last push were taken.
  package mutating func next() -> Action {
    guard !due.isEmpty else { return .finish }
    guard attempts > 0 else {
      attempts = 1
      return .push(due)
    }
    guard attempts <= Self.waits.count else { return .finish }
    if !hasWaited {
      hasWaited = true
      return .wait(Self.waits[attempts - 1])
    }
    attempts += 1
    return .push(due)
  }

  /// Takes the result of one gateway; nil for a success.
  package mutating func take(_ failure: PushFailure?, of gateway: Int) {
    failures[gateway] = failure
    hasWaited = false
    if failure?.isTransient != true { due.removeAll { $0 == gateway } }
  }
}

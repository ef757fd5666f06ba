package import HealthStreams

/// How long a loop of syncs waits, and when it ends (R48). Pure.
package struct SyncLoopMachine: Hashable, Sendable {
  package enum Next: Hashable, Sendable {
    case wait(seconds: Int)
    /// Nothing will go better until somebody changes the settings: E002 or E005.
    case stop(DeliveryFailure)
  }

  /// The longest wait while the receiver can't be reached or fails.
  package static let longestWait = 300

  /// The wait between syncs that go well, in seconds.
  package let interval: Int
  /// How many syncs failed in a row.
  package private(set) var failures = 0

  package init(interval: Int) { self.interval = interval }

  /// What follows a sync that ended with these failures, one for each stream that has one.
  package mutating func next(after found: [DeliveryFailure]) -> Next {
    for failure in found where failure.kind == .unauthorized || failure.kind == .permissionDenied {
      return .stop(failure)
    }
    let isDown = found.contains { failure in
      failure.kind == .offline || RetryRule.costsAttempt(failure.kind)
    }
    guard isDown else {
      failures = 0
      return .wait(seconds: interval)
    }
    failures += 1
    let delay = RetryRule.delay(afterFailures: failures) ?? Self.longestWait
    return .wait(seconds: min(delay, Self.longestWait))
  }
}

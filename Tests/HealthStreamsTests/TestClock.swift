import Synchronization

/// A clock that tests move.
final class TestClock: Sendable {
  private let now = Mutex(1_738_240_000)

  var seconds: Int { now.withLock { $0 } }

  func advance(_ seconds: Int) { now.withLock { $0 += seconds } }
}

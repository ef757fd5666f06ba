import NIOCore
import NIOPosix
import Synchronization

/// Work that may take only so long.
enum TimeLimit {
  /// The result; nil if the work took too long. Then it was cancelled, and has ended.
  static func run<Value: Sendable>(
    _ seconds: Int, _ work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let task = Task { await work() }
    let late = Late()
    let timer = Timer(seconds: Double(seconds)) {
      late.isSet.store(true, ordering: .releasing)
      task.cancel()
    }
    let value = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    timer.cancel()
    return late.isSet.load(ordering: .acquiring) ? nil : value
  }

  private final class Late: Sendable {
    let isSet = Atomic(false)
  }
}

/// Calls something once, after a while.
///
/// A sleeping task that is cancelled leaves its timer until it would have ended. Of thousands of
/// requests a second each would leave one. This leaves nothing once it is cancelled.
struct Timer: Sendable {
  private let scheduled: Scheduled<Void>

  init(seconds: Double, _ body: @escaping @Sendable () -> Void) {
    scheduled = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(
      in: .nanoseconds(Int64(max(0, min(seconds, 86_400)) * 1e9)), body)
  }

  /// Does nothing if it was called.
  func cancel() { scheduled.cancel() }
}

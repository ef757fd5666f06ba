import Synchronization

/// Lets one task wait until another one raises the signal (R54).
///
/// A stream would not do: it ends for good when a task that waits for it is cancelled.
package final class WakeSignal: Sendable {
  package init() {}

  private struct State {
    /// Raised while nobody waited.
    var isRaised = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Whether a task waits.
  var isAwaited: Bool { state.withLock { $0.waiter != nil } }

  /// Wakes the task that waits, or the next one at once.
  package func raise() {
    let waiter = state.withLock { state in
      let waiter = state.waiter
      state.waiter = nil
      state.isRaised = waiter == nil
      return waiter
    }
    waiter?.resume()
  }

  /// The same, and returns after so many seconds.
  func wait(seconds: Double) async {
    guard seconds > 0 else { return }
    let timer = Timer(seconds: seconds) { self.raise() }
    await wait()
    timer.cancel()
  }

  /// Returns once it is raised, or when the task is cancelled. For one task at a time.
  package func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let returnsNow = state.withLock { state in
          // A task is cancelled before its handler runs, so one of the two sees the other.
          guard !state.isRaised, !Task.isCancelled else {
            state.isRaised = false
            return true
          }
          state.waiter = continuation
          return false
        }
        if returnsNow { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiter
        state.waiter = nil
        return waiter
      }
      waiter?.resume()
    }
  }
}

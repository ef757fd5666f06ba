import Synchronization

/// Limits the time of work that may not end when it is cancelled.
package enum Deadline {
  /// The result; nil if `limit` passed or the calling task was cancelled first. The work is then
  /// cancelled and abandoned.
  package static func run<Result: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async -> Result
  ) async -> Result? {
    let race = Race<Result>()
    let worker = Task { race.finish(await work()) }
    let timer = Task {
      // This task is cancelled as soon as the work is done.
      try? await Task.sleep(for: limit)
      race.finish(nil)
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { race.wait($0) }
    } onCancel: {
      race.finish(nil)
    }
    worker.cancel()
    timer.cancel()
    return result
  }

  /// Passes the first of several results to the waiting task.
  private final class Race<Result: Sendable>: Sendable {
    private enum State {
      case open
      case waiting(CheckedContinuation<Result?, Never>)
      case finished(Result?)
      case delivered
    }
    private let state = Mutex(State.open)

    func wait(_ continuation: CheckedContinuation<Result?, Never>) {
      let result: Result?? = state.withLock { state in
        guard case .finished(let result) = state else {
          state = .waiting(continuation)
          return nil
        }
        state = .delivered
        return .some(result)
      }
      if let result { continuation.resume(returning: result) }
    }

    func finish(_ result: Result?) {
      let waiting: CheckedContinuation<Result?, Never>? = state.withLock { state in
        switch state {
        case .open:
          state = .finished(result)
          return nil
        case .waiting(let continuation):
          state = .delivered
          return continuation
        case .finished, .delivered:
          return nil
        }
      }
      waiting?.resume(returning: result)
    }
  }
}

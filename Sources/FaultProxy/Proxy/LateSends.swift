import Synchronization

/// The sends that happen after the client's end of the request.
final class LateSends: Sendable {
  private struct State {
    var tasks: [Int: Task<Void, Never>] = [:]
    var next = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Starts one. Does nothing after `cancel`.
  func begin(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      guard !state.isClosed else { return }
      let number = state.next
      state.next += 1
      // Created under the lock, so that it is recorded before it can end.
      state.tasks[number] = Task {
        await work()
        self.end(number)
      }
    }
  }

  /// Waits until there are none.
  func settle() async {
    while let task = state.withLock({ $0.tasks.values.first }) { await task.value }
  }

  var isEmpty: Bool { state.withLock(\.tasks.isEmpty) }

  /// Ends all waits. What was already sent to the server may still be applied.
  func cancel() {
    let tasks = state.withLock { state in
      state.isClosed = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
  }

  private func end(_ number: Int) { _ = state.withLock { $0.tasks.removeValue(forKey: number) } }
}

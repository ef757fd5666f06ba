import MCPServer
import Synchronization

/// The calls of sessions that run in this server, so that a client can cancel one by another request
/// (R53). A call that another server makes goes on: it only reads.
final class CallsInSessions: Sendable {
  private struct Key: Hashable {
    let session: String
    let id: RequestID
  }

  /// One running call.
  final class Entry: Sendable {
    private struct State {
      var isCancelled = false
      var stop: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// What to do if it is cancelled.
    func onCancel(_ stop: @escaping @Sendable () -> Void) {
      let isLate = state.withLock { state in
        state.stop = stop
        return state.isCancelled
      }
      if isLate { stop() }
    }

    fileprivate func cancel() {
      let stop = state.withLock { state in
        state.isCancelled = true
        return state.stop
      }
      stop?()
    }
  }

  private let calls = Mutex<[Key: Entry]>([:])

  /// A call begins. Without a session nobody can cancel it.
  func begin(_ id: RequestID?, in session: AgentSession?) -> Entry {
    let entry = Entry()
    if let id, let session {
      calls.withLock { $0[Key(session: session.id, id: id)] = entry }
    }
    return entry
  }

  /// A call has ended.
  func end(_ entry: Entry, _ id: RequestID?, in session: AgentSession?) {
    guard let id, let session else { return }
    let key = Key(session: session.id, id: id)
    calls.withLock { calls in
      if calls[key] === entry { calls[key] = nil }
    }
  }

  /// The client no longer wants the answer.
  func cancel(_ id: RequestID, in session: AgentSession) {
    calls.withLock { $0[Key(session: session.id, id: id)] }?.cancel()
  }
}

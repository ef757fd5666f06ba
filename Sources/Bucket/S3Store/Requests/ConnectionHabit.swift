import Synchronization

/// Whether connections are kept for further requests.
///
/// Some servers handle one connection at a time, and wait on one that was kept open before they look
/// at the next. A request over another one then gets no answer at all. From the first such request on,
/// no connection is kept: slower, but every request gets its turn. All clients of one store share it.
final class ConnectionHabit: Sendable {
  private let state = Mutex(false)

  /// True once a request got no answer in time.
  var closesConnections: Bool { state.withLock { $0 } }

  func note(_ result: SendResult) {
    guard case .broken(let error) = result, error.code == .timedOut else { return }
    state.withLock { $0 = true }
  }
}

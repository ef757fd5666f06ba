import CurlTransport
import Dispatch
import Synchronization

/// The threads of a proxy and the sockets that they serve.
final class OpenConnections: Sendable {
  private struct State {
    var sockets: [ObjectIdentifier: ClientSocket] = [:]
    var isClosed = false
  }

  private let limit: Int
  private let state = Mutex(State())
  private let threads = DispatchGroup()

  init(limit: Int) { self.limit = limit }

  /// Runs `work` on its own thread. Returns false if there are too many, or after `interrupt`.
  @discardableResult
  func run(_ socket: ClientSocket?, _ work: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isClosed, state.sockets.count < limit else { return false }
      if let socket { state.sockets[ObjectIdentifier(socket)] = socket }
      // Under the lock, so that nobody sees all threads ended before this one has begun.
      threads.enter()
      return true
    }
    guard isTaken else { return false }
    let isStarted = DetachedThread.start {
      work()
      self.ended(socket)
    }
    if !isStarted { ended(socket) }
    return isStarted
  }

  private func ended(_ socket: ClientSocket?) {
    if let socket {
      _ = state.withLock { $0.sockets.removeValue(forKey: ObjectIdentifier(socket)) }
    }
    threads.leave()
  }

  /// Interrupts all threads that wait on their sockets. No further ones begin.
  func interrupt() {
    let sockets = state.withLock { state in
      state.isClosed = true
      return Array(state.sockets.values)
    }
    for socket in sockets { socket.interrupt() }
  }

  /// Returns when all threads have ended.
  func ended() async {
    await withCheckedContinuation { continuation in
      threads.notify(queue: .global()) { continuation.resume() }
    }
  }
}

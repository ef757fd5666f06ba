import Synchronization

/// Unused OpenSSL contexts, kept because creating one costs as much as hashing 200 bytes.
///
/// Each is used by one caller at a time. There are at most as many as there were concurrent
/// callers.
final class ContextPool: Sendable {
  /// A pointer may move between threads, because the pool gives it to one caller at a time.
  private struct Idle: @unchecked Sendable {
    var contexts: [OpaquePointer] = []
  }

  private let idle = Mutex(Idle())
  private let make: @Sendable () -> OpaquePointer?

  init(_ make: @escaping @Sendable () -> OpaquePointer?) { self.make = make }

  /// Calls `body` with a context. Returns false if there is none or if `body` returns false.
  func withContext(_ body: (OpaquePointer) -> Bool) -> Bool {
    guard let context = idle.withLock({ $0.contexts.popLast() }) ?? make() else { return false }
    let succeeded = body(context)
    idle.withLock { $0.contexts.append(context) }
    return succeeded
  }
}

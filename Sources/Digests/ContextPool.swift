import Synchronization

/// OpenSSL contexts that wait for their next use: making one costs as much as hashing 200 bytes.
///
/// Each is used by one caller at a time; at most as many exist as callers ran at once.
final class ContextPool: Sendable {
  /// A pointer may cross threads because the pool hands it to one caller at a time.
  private struct Idle: @unchecked Sendable {
    var contexts: [OpaquePointer] = []
  }

  private let idle = Mutex(Idle())
  private let make: @Sendable () -> OpaquePointer?

  init(_ make: @escaping @Sendable () -> OpaquePointer?) { self.make = make }

  /// Calls `body` with a context of its own; false if there is none or `body` says that it failed.
  func withContext(_ body: (OpaquePointer) -> Bool) -> Bool {
    guard let context = idle.withLock({ $0.contexts.popLast() }) ?? make() else { return false }
    let succeeded = body(context)
    idle.withLock { $0.contexts.append(context) }
    return succeeded
  }
}

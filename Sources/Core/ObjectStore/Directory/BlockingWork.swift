import Dispatch
import Synchronization

/// Runs blocking calls on its own threads, a limited number at a time. So they neither starve the
/// cooperative thread pool nor use up the file descriptors.
final class BlockingWork: Sendable {
  /// Reads of all folders of the process.
  static let reads = BlockingWork(width: 16)
  /// Their changes, which may have to wait for other programs. Reads never do.
  static let changes = BlockingWork(width: 16)

  private struct State {
    var running = 0
    var waiting: ArraySlice<@Sendable () -> Void> = []
  }

  private let width: Int
  private let queue = DispatchQueue(label: "ObjectStore.BlockingWork", attributes: .concurrent)
  private let state = Mutex(State())

  init(width: Int) { self.width = width }

  /// Runs `work` on one of the threads and waits for it. `work` checks its `Cancellation` at points
  /// where it may still stop.
  func run<Value: Sendable>(
    _ work: @escaping @Sendable (Cancellation) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let cancellation = Cancellation()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        submit {
          let result: Result<Value, StoreError>
          do throws(StoreError) {
            try cancellation.check()
            result = .success(try work(cancellation))
          } catch {
            result = .failure(error)
          }
          continuation.resume(returning: result)
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }

  private func submit(_ job: @escaping @Sendable () -> Void) {
    let starts = state.withLock { state in
      state.waiting.append(job)
      guard state.running < width else { return false }
      state.running += 1
      return true
    }
    guard starts else { return }
    queue.async { self.drain() }
  }

  private func drain() {
    while let job = next() { job() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      let job = state.waiting.popFirst()
      if job == nil { state.running -= 1 }
      return job
    }
  }
}

/// Whether the task that waits for blocking work was cancelled.
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  func cancel() { flag.store(true, ordering: .relaxed) }

  func check() throws(StoreError) {
    if flag.load(ordering: .relaxed) { throw .cancelledBeforeSending }
  }
}

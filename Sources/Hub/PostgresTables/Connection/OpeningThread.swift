import Dispatch
import Synchronization

/// Runs what may block without end on a thread of its own, and waits for it no longer than a deadline:
/// libpq looks the names of hosts up without a time limit.
///
/// `@unchecked Sendable`: `result` is written before `bell` is rung or the work is found abandoned, and
/// read after that; the rest is behind a mutex.
final class OpeningThread<Value>: @unchecked Sendable {
  private struct State {
    var isDone = false
    var isAbandoned = false
  }

  private let state = Mutex(State())
  private let bell = DispatchSemaphore(value: 0)
  private var result: Result<Value, PostgresError>?

  private init() {}

  /// The result of the work.
  ///
  /// - Parameters:
  ///   - deadline: when to give up; then whatever the work returns later is dropped.
  ///   - threads: what bounds how much of such work there is.
  ///   - work: gets a deadline that also ends when nobody waits any more.
  /// - Throws: what the work throws; `unreachable` if it took too long, or if too much of such work
  ///   has not ended yet.
  static func run(
    until deadline: PostgresConnection.Deadline, in threads: OpeningThreads = .shared,
    _ work: @escaping @Sendable (PostgresConnection.Deadline) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    guard threads.begin() else {
      throw PostgresError(.unreachable, "the database's host is still being looked up")
    }
    let (opening, end) = (OpeningThread(), deadline.end)
    // A queue of its own has a thread of its own while it blocks.
    DispatchQueue(label: "postgres-open").async {
      let inner = PostgresConnection.Deadline(end: end) {
        opening.state.withLock(\.isAbandoned)
      }
      do throws(PostgresError) {
        opening.result = .success(try work(inner))
      } catch {
        opening.result = .failure(error)
      }
      opening.finish()
      threads.end()
    }
    return try opening.wait(until: deadline)
  }

  private func finish() {
    let isAbandoned = state.withLock { state in
      state.isDone = true
      return state.isAbandoned
    }
    if isAbandoned { result = nil }
    bell.signal()
  }

  private func wait(until deadline: PostgresConnection.Deadline) throws(PostgresError) -> Value {
    do throws(PostgresError) {
      while bell.wait(timeout: .now() + .milliseconds(Int(try deadline.wait()))) != .success {}
    } catch {
      let isDone = state.withLock { state in
        if !state.isDone { state.isAbandoned = true }
        return state.isDone
      }
      guard isDone else {
        throw error.code == .timedOut
          ? PostgresError(.unreachable, "PostgreSQL did not answer in time") : error
      }
      bell.wait()
    }
    guard let result else {
      throw PostgresError(.internal, "a connection to PostgreSQL was opened without a result")
    }
    self.result = nil
    return try result.get()
  }
}

/// How many threads open connections: those that hang must not pile up.
final class OpeningThreads: Sendable {
  static let maximum = 32
  /// Those of the program.
  static let shared = OpeningThreads()

  private let count = Mutex(0)

  fileprivate func begin() -> Bool {
    count.withLock { count in
      guard count < Self.maximum else { return false }
      count += 1
      return true
    }
  }

  fileprivate func end() { count.withLock { $0 -= 1 } }
}

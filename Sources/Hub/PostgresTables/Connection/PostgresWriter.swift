import Dispatch
import Synchronization

/// One connection, and the thread that alone touches it (R56).
///
/// `@unchecked Sendable`: `connection` and `failure` are used on the serial queue alone, and the rest
/// never changes.
final class PostgresWriter: @unchecked Sendable {
  typealias Deadline = PostgresConnection.Deadline
  typealias Opening =
    @Sendable (PostgresTarget, Deadline) throws(PostgresError) -> PostgresConnection

  private let target: PostgresTarget
  /// The most time of one piece of work, waiting for its turn included.
  private let timeout: Duration
  private let open: Opening
  private let queue = DispatchQueue(label: "PostgresWriter")
  private var connection: PostgresConnection?
  /// Why the last attempt to connect failed: others fail at once for a moment, and do not queue up
  /// behind a server that is away.
  private var failure: (error: PostgresError, until: ContinuousClock.Instant)?

  init(
    _ target: PostgresTarget, timeout: Duration,
    opening open: @escaping Opening = {
      (target, deadline) throws(PostgresError) in
      try PostgresConnection.open(target, until: deadline)
    }
  ) {
    (self.target, self.timeout, self.open) = (target, timeout, open)
  }

  /// Runs work in a transaction. One that is lost before it was to be committed, or that other
  /// writers made fail, is run again.
  func transaction<Value: Sendable>(
    _ work: @escaping @Sendable (Transaction) throws(PostgresError) -> Value
  ) async throws(PostgresError) -> Value {
    try await perform { connection, deadline, attempt throws(PostgresError) in
      var isCommitting = false
      do throws(PostgresError) {
        try connection.run("BEGIN; \(Self.limits(deadline))", until: deadline)
        let transaction = Transaction(
          connection: connection, deadline: deadline,
          unlessTaken: attempt > 1 ? "ON CONFLICT DO NOTHING" : "")
        let value = try work(transaction)
        isCommitting = true
        try connection.run("COMMIT", until: deadline)
        return value
      } catch {
        var error = error
        if error.sqlState == nil, error.code != .internal {
          error.mayHaveBeenApplied = isCommitting
        } else if connection.isInTransaction,
          (try? connection.run("ROLLBACK", until: deadline)) == nil
        {
          connection.abandon()
        }
        throw error
      }
    }
  }

  /// Runs one statement as a transaction of its own, in one round trip, so other writers wait no longer
  /// than that for its rows. If the answer is lost, the statement runs again, so running it twice must
  /// do no harm.
  func statement<Value: Sendable>(
    _ sql: String, _ read: @escaping @Sendable (PostgresResult) throws(PostgresError) -> Value
  ) async throws(PostgresError) -> Value {
    try await perform { connection, deadline, _ throws(PostgresError) in
      // PostgreSQL runs several statements in one message as one transaction.
      try read(try connection.run("\(Self.limits(deadline)); \(sql)", until: deadline))
    }
  }

  /// A statement ends at the latest when its caller stops waiting.
  private static func limits(_ deadline: Deadline) -> String {
    let left = max(1, Int((deadline.end - .now) / .milliseconds(1)))
    return "SET LOCAL statement_timeout = \(left); SET LOCAL lock_timeout = \(left)"
  }

  private typealias Work<Value> =
    @Sendable (PostgresConnection, Deadline, _ attempt: Int) throws(PostgresError) -> Value

  private func perform<Value: Sendable>(
    _ work: @escaping Work<Value>
  ) async throws(PostgresError) -> Value {
    let call = Call<Value>()
    let end = ContinuousClock.now + timeout
    // libpq looks the names of hosts up without a time limit: then only the caller can go on.
    let timer = Task {
      try await Task.sleep(until: end)
      call.timeOut()
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        call.begin(continuation)
        queue.async {
          call.give(self.run(work, Deadline(end: end) { call.isCancelled }, of: call))
        }
      }
    } onCancel: {
      call.cancel()
    }
    timer.cancel()
    return try result.get()
  }

  private func run<Value>(
    _ work: Work<Value>, _ deadline: Deadline, of call: Call<Value>
  ) -> Result<Value, PostgresError> {
    var attempt = 1
    while true {
      do throws(PostgresError) {
        // Nobody waits any more for what has not begun.
        _ = try deadline.wait()
        call.enter(.connecting)
        let connection = try connected(until: deadline)
        call.enter(.connected)
        // Who was given up while it connected was told that nothing was done.
        _ = try deadline.wait()
        do throws(PostgresError) {
          return .success(try work(connection, deadline, attempt))
        } catch {
          // No answer came: the server may still be running it.
          if error.sqlState == nil, error.code != .internal, !connection.isLost {
            connection.abandon()
          }
          if connection.isLost || error.sqlState?.hasPrefix("57P") == true { self.connection = nil }
          throw error
        }
      } catch {
        let isWorthIt =
          [.connectionLost, .conflict].contains(error.code)
          || error.sqlState == PostgresError.uniqueViolation
        guard isWorthIt, !error.mayHaveBeenApplied, attempt < 3 else { return .failure(error) }
        attempt += 1
      }
    }
  }

  private func connected(until deadline: Deadline) throws(PostgresError) -> PostgresConnection {
    if let connection { return connection }
    if let failure, .now < failure.until { throw failure.error }
    do throws(PostgresError) {
      let opened = try open(target, deadline)
      (connection, failure) = (opened, nil)
      return opened
    } catch {
      if error.code != .cancelled { failure = (error, .now + .seconds(1)) }
      throw error
    }
  }
}

struct Transaction {
  fileprivate let connection: PostgresConnection
  fileprivate let deadline: PostgresConnection.Deadline
  /// The end of an INSERT of rows that were not there, as far as the statement could see: if another writer
  /// inserts one of them meanwhile, the transaction runs again. ON CONFLICT costs about half as much again as
  /// the insertion, and such a row is rare, so it is asked for only once there was one.
  let unlessTaken: String

  @discardableResult
  func run(_ sql: String) throws(PostgresError) -> PostgresResult {
    try connection.run(sql, until: deadline)
  }

  func run(_ sql: String, _ parameters: [String?]) throws(PostgresError) -> PostgresResult {
    try connection.run(sql, parameters, until: deadline)
  }
}

/// One caller that waits. While it has a connection, only its work ends the wait, which then says whether it
/// may have been committed.
private final class Call<Value: Sendable>: Sendable {
  typealias Continuation = CheckedContinuation<Result<Value, PostgresError>, Never>

  enum Phase { case waiting, connecting, connected }

  private struct State {
    var continuation: Continuation?
    var phase = Phase.waiting
    var isCancelled = false
  }

  private let state = Mutex(State())
  private static var cancellation: PostgresError {
    PostgresError(.cancelled, "the work on PostgreSQL was cancelled")
  }

  var isCancelled: Bool { state.withLock(\.isCancelled) }

  func begin(_ continuation: Continuation) {
    state.withLock { $0.continuation = continuation }
    if isCancelled { giveUp(Self.cancellation) }
  }

  func enter(_ phase: Phase) { state.withLock { $0.phase = phase } }

  func cancel() {
    state.withLock { $0.isCancelled = true }
    giveUp(Self.cancellation)
  }

  func timeOut() {
    let isConnecting = state.withLock { $0.phase == .connecting }
    giveUp(
      PostgresError(
        isConnecting ? .unreachable : .timedOut, "PostgreSQL did not answer in time"))
  }

  /// Ends the wait of a caller that has no connection.
  private func giveUp(_ error: PostgresError) {
    take { $0.phase != .connected }?.resume(returning: .failure(error))
  }

  func give(_ result: Result<Value, PostgresError>) {
    take { _ in true }?.resume(returning: result)
  }

  private func take(_ mayEnd: (State) -> Bool) -> Continuation? {
    state.withLock { state in
      guard mayEnd(state) else { return nil }
      defer { state.continuation = nil }
      return state.continuation
    }
  }
}

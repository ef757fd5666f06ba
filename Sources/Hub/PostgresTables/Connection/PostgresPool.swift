import Dispatch
import Foundation
import Synchronization

/// A few connections, each with a thread of its own that alone touches it.
///
/// `@unchecked Sendable`: `state` is behind a mutex, the semaphore is one itself, and the rest never
/// changes.
final class PostgresPool: @unchecked Sendable {
  /// Work on a connection.
  typealias Work<Value> = (Transaction) throws(PostgresError) -> Value

  private struct Job: Sendable {
    let run: @Sendable (Slot) -> Void
  }

  private struct State {
    var jobs: [Job] = []
    var threads = 0
    var idle = 0
    var isClosed = false
  }

  let target: PostgresTarget
  /// The most time of one piece of work, waiting for a connection included.
  let timeout: Duration
  let size: Int
  private let state = Mutex(State())
  private let bell = DispatchSemaphore(value: 0)

  init(_ target: PostgresTarget, size: Int, timeout: Duration) {
    (self.target, self.size, self.timeout) = (target, max(1, size), timeout)
  }

  /// Runs work in a transaction. One that is lost before it was to be committed, or that other
  /// writers made fail, is run again.
  func transaction<Value: Sendable>(
    _ work: @escaping @Sendable (Transaction) throws(PostgresError) -> Value
  ) async throws(PostgresError) -> Value {
    try await perform { slot, deadline throws(PostgresError) in
      try slot.once(work, until: deadline)
    }
  }

  /// Runs one statement as a transaction of its own, in one round trip, so other writers wait no longer
  /// than that for its rows. If the answer is lost, the statement runs again, so running it twice must
  /// do no harm.
  func statement<Value: Sendable>(
    _ sql: String, _ read: @escaping @Sendable (PostgresResult) throws(PostgresError) -> Value
  ) async throws(PostgresError) -> Value {
    try await perform { slot, deadline throws(PostgresError) in
      try read(try slot.statement(sql, until: deadline))
    }
  }

  private func perform<Value: Sendable>(
    _ work:
      @escaping @Sendable (Slot, PostgresConnection.Deadline) throws(PostgresError) -> Value
  ) async throws(PostgresError) -> Value {
    let cancelled = Flag()
    let end = ContinuousClock.now + timeout
    let result: Result<Value, PostgresError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        submit(
          Job { slot in
            let deadline = PostgresConnection.Deadline(end: end) { cancelled.isSet }
            continuation.resume(
              returning: slot.perform { () throws(PostgresError) in try work(slot, deadline) })
          }
        ) {
          continuation.resume(
            returning: .failure(PostgresError(.cancelled, "the connections are closed")))
        }
      }
    } onCancel: {
      cancelled.set()
    }
    return try result.get()
  }

  /// Ends the threads once they are done with what was submitted.
  func close() {
    let threads = state.withLock { state in
      state.isClosed = true
      return state.threads
    }
    for _ in 0..<threads { bell.signal() }
  }

  private func submit(_ job: Job, refused: () -> Void) {
    let answer: (isTaken: Bool, startsThread: Bool) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.jobs.append(job)
      guard state.jobs.count > state.idle, state.threads < size else { return (true, false) }
      state.threads += 1
      return (true, true)
    }
    guard answer.isTaken else { return refused() }
    if answer.startsThread {
      // A serial queue of its own always gets a thread.
      DispatchQueue(label: "PostgresPool").async { self.serve() }
    }
    bell.signal()
  }

  private func serve() {
    let slot = Slot(target, timeout: timeout)
    while true {
      state.withLock { $0.idle += 1 }
      bell.wait()
      let (job, isOver) = state.withLock { state in
        state.idle -= 1
        return (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isClosed)
      }
      if let job { job.run(slot) } else if isOver { return }
    }
  }

  /// One connection, opened when it is needed.
  final class Slot {
    private let target: PostgresTarget
    private let timeout: Duration
    private var connection: PostgresConnection?
    /// Why the last attempt to connect failed: others fail at once for a moment, and do not queue up
    /// behind a server that is away.
    private var failure: (error: PostgresError, until: ContinuousClock.Instant)?

    init(_ target: PostgresTarget, timeout: Duration) {
      (self.target, self.timeout) = (target, timeout)
    }

    func perform<Value>(
      _ work: () throws(PostgresError) -> Value
    ) -> Result<Value, PostgresError> {
      var attempt = 1
      while true {
        do throws(PostgresError) {
          return .success(try work())
        } catch {
          let isWorthIt = [.connectionLost, .conflict].contains(error.code)
          guard isWorthIt, !error.mayHaveBeenApplied, attempt < 3 else { return .failure(error) }
          attempt += 1
        }
      }
    }

    fileprivate func statement(
      _ sql: String, until deadline: PostgresConnection.Deadline
    ) throws(PostgresError) -> PostgresResult {
      let connection = try connected(until: deadline)
      do throws(PostgresError) {
        // PostgreSQL runs several statements in one message as one transaction.
        return try connection.run("\(Self.limits(deadline)); \(sql)", until: deadline)
      } catch {
        // No answer came: the server may still be running it.
        if error.sqlState == nil, error.code != .internal, !connection.isLost {
          connection.abandon()
        }
        if connection.isLost || error.sqlState?.hasPrefix("57P") == true { self.connection = nil }
        throw error
      }
    }

    /// A statement ends at the latest when its caller stops waiting.
    private static func limits(_ deadline: PostgresConnection.Deadline) -> String {
      let left = max(1, Int((deadline.end - .now) / .milliseconds(1)))
      return "SET LOCAL statement_timeout = \(left); SET LOCAL lock_timeout = \(left)"
    }

    fileprivate func once<Value>(
      _ work: (Transaction) throws(PostgresError) -> Value,
      until deadline: PostgresConnection.Deadline
    ) throws(PostgresError) -> Value {
      let connection = try connected(until: deadline)
      let transaction = Transaction(connection, deadline)
      var isCommitting = false
      do throws(PostgresError) {
        try connection.run("BEGIN; \(Self.limits(deadline))", until: deadline)
        let value = try work(transaction)
        isCommitting = true
        try connection.run("COMMIT", until: deadline)
        return value
      } catch {
        var error = error
        if error.sqlState == nil, error.code != .internal {
          // Nothing came back: the server may be at it still.
          if !connection.isLost { connection.abandon() }
          error.mayHaveBeenApplied = isCommitting
        } else if connection.isInTransaction {
          if (try? connection.run("ROLLBACK", until: deadline)) == nil { connection.abandon() }
        }
        if connection.isLost || error.sqlState?.hasPrefix("57P") == true { self.connection = nil }
        throw error
      }
    }

    private func connected(
      until deadline: PostgresConnection.Deadline
    ) throws(PostgresError) -> PostgresConnection {
      if let connection { return connection }
      if let failure, .now < failure.until { throw failure.error }
      do throws(PostgresError) {
        let opened = try PostgresConnection.open(target, until: deadline)
        (connection, failure) = (opened, nil)
        return opened
      } catch {
        if error.code != .cancelled { failure = (error, .now + .seconds(1)) }
        throw error
      }
    }
  }
}

/// An open transaction.
struct Transaction {
  private let connection: PostgresConnection
  private let deadline: PostgresConnection.Deadline

  fileprivate init(
    _ connection: PostgresConnection, _ deadline: PostgresConnection.Deadline
  ) {
    (self.connection, self.deadline) = (connection, deadline)
  }

  @discardableResult
  func run(_ sql: String) throws(PostgresError) -> PostgresResult {
    try connection.run(sql, until: deadline)
  }

  func run(_ sql: String, _ parameters: [String?]) throws(PostgresError) -> PostgresResult {
    try connection.run(sql, parameters, until: deadline)
  }

  /// Runs an INSERT of rows that are not there, as far as the statement can see; returns how many it
  /// inserted. A row that another writer inserts meanwhile is left out.
  ///
  /// ON CONFLICT costs about half as much again as the insertion. Such a row is rare, so it is asked
  /// for only once there was one.
  func insert(_ statement: String) throws(PostgresError) -> Int {
    if let inserted = try insertUnlessTaken(statement) { return inserted }
    return try run("\(statement) ON CONFLICT DO NOTHING").changedCount
  }

  /// The same; nil, and nothing inserted, if another writer has inserted one of the rows meanwhile.
  func insertUnlessTaken(_ statement: String) throws(PostgresError) -> Int? {
    do throws(PostgresError) {
      return try run("SAVEPOINT s3health_rows; \(statement)").changedCount
    } catch {
      guard error.sqlState == PostgresError.uniqueViolation else { throw error }
      try run("ROLLBACK TO SAVEPOINT s3health_rows")
      return nil
    }
  }

  func copy(_ sql: String, _ rows: CopyRows) throws(PostgresError) {
    try connection.copy(sql, rows, until: deadline)
  }
}

/// Whether the caller has gone.
private final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}

import CSQLite
import Foundation

/// One connection to the outbox's file, with its statements prepared once.
///
/// Not for several threads at once. `@unchecked`, because `Outbox` uses it behind a `Mutex` only, and
/// lets neither it nor a statement out of the closure.
final class Database: @unchecked Sendable {
  let path: String
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// How long a statement waits for another process, in milliseconds.
  private static let busyTimeout: Int32 = 5000

  /// Opens the file, which exists.
  init(path: String) throws(OutboxError) {
    var opened: OpaquePointer?
    let status = sqlite3_open_v2(
      path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard status == SQLITE_OK, let opened else {
      let error = OutboxError(sqlite: status, opened, path: path)
      sqlite3_close_v2(opened)
      throw error
    }
    (handle, self.path) = (opened, path)
    sqlite3_busy_timeout(handle, Self.busyTimeout)
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// The prepared statement of this text, ready for new values.
  func statement(_ sql: String) throws(OutboxError) -> Statement {
    if let known = statements[sql] { return known }
    let prepared = try Statement(sql, handle, path: path)
    statements[sql] = prepared
    return prepared
  }

  /// Runs statements without values.
  func execute(_ sql: String) throws(OutboxError) {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw OutboxError(sqlite: status, handle, path: path) }
  }

  /// The one number that a statement without values gives; 0 for none.
  func number(_ sql: String) throws(OutboxError) -> Int {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.int(0) : 0
  }

  /// How many rows the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// Runs `body` on one state of the database, while others write.
  func reading<Value>(_ body: () throws(OutboxError) -> Value) throws(OutboxError) -> Value {
    try statement("BEGIN").run()
    do throws(OutboxError) {
      let value = try body()
      try statement("COMMIT").run()
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs `body` as one transaction that may write. If it throws, nothing of it happened.
  func transaction<Value, Failure: Error>(
    _ wrap: (OutboxError) -> Failure, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // IMMEDIATE: a transaction that reads first and writes later would fail instead of waiting.
    do { try statement("BEGIN IMMEDIATE").run() } catch { throw wrap(error) }
    let value: Value
    do throws(Failure) {
      value = try body()
    } catch {
      rollBack()
      throw error
    }
    do { try statement("COMMIT").run() } catch {
      rollBack()
      throw wrap(error)
    }
    return value
  }

  func transaction<Value>(_ body: () throws(OutboxError) -> Value) throws(OutboxError) -> Value {
    try transaction({ $0 }, body)
  }

  /// Some failures, such as a full disk, have rolled back already.
  private func rollBack() {
    for statement in statements.values { statement.reset() }
    if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }
}

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

  // MARK: - Statements

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

  /// Runs a statement whose rows nobody needs.
  ///
  /// - Returns: how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ values: any SQLValue...) throws(OutboxError) -> Int {
    let statement = try statement(sql)
    statement.bind(values)
    while try statement.step() {}
    return Int(sqlite3_changes(handle))
  }

  /// Calls `body` with each row, until it returns false.
  func each(
    _ sql: String, _ values: [any SQLValue], _ body: (Statement) throws(OutboxError) -> Bool
  ) throws(OutboxError) {
    let statement = try statement(sql)
    statement.bind(values)
    defer { statement.reset() }
    while try statement.step(), try body(statement) {}
  }

  /// What `read` makes of each row.
  func rows<Row>(
    _ sql: String, _ values: any SQLValue..., read: (Statement) -> Row
  ) throws(OutboxError) -> [Row] {
    var found: [Row] = []
    try each(sql, values) { row throws(OutboxError) in
      found.append(read(row))
      return true
    }
    return found
  }

  /// What `read` makes of the first row; nil where there is none.
  func row<Row>(
    _ sql: String, _ values: any SQLValue..., read: (Statement) -> Row?
  ) throws(OutboxError) -> Row? {
    var found: Row?
    try each(sql, values) { row throws(OutboxError) in
      found = read(row)
      return false
    }
    return found
  }

  /// The first number that a statement gives; 0 for none.
  func number(_ sql: String, _ values: any SQLValue...) throws(OutboxError) -> Int {
    var number = 0
    try each(sql, values) { row throws(OutboxError) in
      number = row.int(0)
      return false
    }
    return number
  }

  // MARK: - Transactions

  /// Runs `body` on one state of the database, while others write.
  func reading<Value>(_ body: () throws(OutboxError) -> Value) throws(OutboxError) -> Value {
    try transaction("BEGIN", { $0 }, body)
  }

  /// Runs `body` as one transaction that may write. If it throws, nothing of it happened.
  func transaction<Value>(_ body: () throws(OutboxError) -> Value) throws(OutboxError) -> Value {
    try transaction({ $0 }, body)
  }

  /// The same with errors of the caller's.
  func transaction<Value, Failure: Error>(
    _ wrap: (OutboxError) -> Failure, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // IMMEDIATE: a transaction that reads first and writes later would fail instead of waiting.
    try transaction("BEGIN IMMEDIATE", wrap, body)
  }

  private func transaction<Value, Failure: Error>(
    _ begin: String, _ wrap: (OutboxError) -> Failure, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    do { try run(begin) } catch { throw wrap(error) }
    let value: Value
    do throws(Failure) {
      value = try body()
    } catch {
      rollBack()
      throw error
    }
    do { try run("COMMIT") } catch {
      rollBack()
      throw wrap(error)
    }
    return value
  }

  /// Some failures, such as a full disk, have rolled back already.
  private func rollBack() {
    for statement in statements.values { statement.reset() }
    if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }
}

/// The values of the outbox that belong to no entry.
enum OutboxState: String {
  case lastUploadDate = "last_upload_date"
  case lastSuccessfulSyncDate = "last_successful_sync_date"
  case lastErrorCode = "last_error_code"
  case lastErrorMessage = "last_error_message"
  case lastErrorDate = "last_error_date"
}

extension Database {
  func setState(_ name: OutboxState, _ value: any SQLValue) throws(OutboxError) {
    try run(
      """
      INSERT INTO state (name, value) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """, name.rawValue, value)
  }

  /// What `read` makes of a value, which stands in the first place; nil where there is none.
  func state<Value>(_ name: OutboxState, _ read: (Statement) -> Value?) throws(OutboxError)
    -> Value?
  {
    try row("SELECT value FROM state WHERE name = ?", name.rawValue, read: read)
  }
}

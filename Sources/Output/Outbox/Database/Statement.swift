import CSQLite
import Foundation

/// A prepared statement of a connection, kept for the connection's life.
final class Statement {
  private let handle: OpaquePointer
  private let path: String

  init(_ sql: String, _ connection: OpaquePointer, path: String) throws(OutboxError) {
    var prepared: OpaquePointer?
    let status = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard status == SQLITE_OK, let prepared else {
      throw OutboxError(sqlite: status, connection, path: path)
    }
    (handle, self.path) = (prepared, path)
  }

  deinit { sqlite3_finalize(handle) }

  // MARK: - Values in, by places from 1

  func bind(_ place: Int32, _ value: Int) { sqlite3_bind_int64(handle, place, Int64(value)) }

  func bind(_ place: Int32, _ value: Int?) {
    if let value { bind(place, value) } else { sqlite3_bind_null(handle, place) }
  }

  func bind(_ place: Int32, _ text: String?) {
    guard var text else {
      sqlite3_bind_null(handle, place)
      return
    }
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        _ = s3h_bind_text(handle, place, characters.baseAddress, Int32(characters.count))
      }
    }
  }

  /// An empty array is an empty blob, not NULL.
  func bind(_ place: Int32, blob bytes: [UInt8]?) {
    guard let bytes else {
      sqlite3_bind_null(handle, place)
      return
    }
    guard !bytes.isEmpty else {
      sqlite3_bind_zeroblob(handle, place, 0)
      return
    }
    bytes.withUnsafeBytes { _ = s3h_bind_blob(handle, place, $0.baseAddress, Int32($0.count)) }
  }

  // MARK: - Running

  /// Steps to the next row; false at the end. A statement at its end is reset.
  func step() throws(OutboxError) -> Bool {
    errno = 0
    let status = sqlite3_step(handle)
    if status == SQLITE_ROW { return true }
    guard status == SQLITE_DONE else {
      let error = OutboxError(sqlite: status, sqlite3_db_handle(handle), path: path)
      sqlite3_reset(handle)
      throw error
    }
    sqlite3_reset(handle)
    return false
  }

  /// Runs a statement that gives no rows, or whose rows nobody needs.
  func run() throws(OutboxError) {
    while try step() {}
  }

  /// Gives up the rows that are left.
  func reset() { sqlite3_reset(handle) }

  // MARK: - Values out, by places from 0

  func int(_ place: Int32) -> Int { Int(sqlite3_column_int64(handle, place)) }

  func optionalInt(_ place: Int32) -> Int? {
    sqlite3_column_type(handle, place) == SQLITE_NULL ? nil : int(place)
  }

  func text(_ place: Int32) -> String? {
    guard let text = sqlite3_column_text(handle, place) else { return nil }
    let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, place)))
    return String(decoding: bytes, as: UTF8.self)
  }

  func blob(_ place: Int32) -> [UInt8] { withBlob(place) { Array($0) } }

  /// The bytes of a blob, which are valid until the statement steps on.
  func withBlob<Value>(_ place: Int32, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    body(
      UnsafeRawBufferPointer(
        start: sqlite3_column_blob(handle, place), count: Int(sqlite3_column_bytes(handle, place))))
  }

  func optionalBlob(_ place: Int32) -> [UInt8]? {
    sqlite3_column_type(handle, place) == SQLITE_NULL ? nil : blob(place)
  }
}

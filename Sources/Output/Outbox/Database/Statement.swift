import CSQLite
import Foundation
import HealthModel

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

  func bind(_ values: [any SQLValue]) {
    for (index, value) in values.enumerated() { value.bind(to: self, at: Int32(index + 1)) }
  }

  fileprivate func bind(_ place: Int32, _ value: Int) {
    sqlite3_bind_int64(handle, place, Int64(value))
  }

  fileprivate func bind(_ place: Int32, _ text: String) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        _ = s3h_bind_text(handle, place, characters.baseAddress, Int32(characters.count))
      }
    }
  }

  /// An empty array is an empty blob, not NULL.
  fileprivate func bind(_ place: Int32, _ bytes: [UInt8]) {
    if bytes.isEmpty {
      sqlite3_bind_zeroblob(handle, place, 0)
    } else {
      bytes.withUnsafeBytes { _ = s3h_bind_blob(handle, place, $0.baseAddress, Int32($0.count)) }
    }
  }

  fileprivate func bindNull(_ place: Int32) { sqlite3_bind_null(handle, place) }

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

  /// Gives up the rows that are left.
  func reset() { sqlite3_reset(handle) }

  // MARK: - Values out, by places from 0

  func int(_ place: Int32) -> Int { Int(sqlite3_column_int64(handle, place)) }

  func optionalInt(_ place: Int32) -> Int? {
    sqlite3_column_type(handle, place) == SQLITE_NULL ? nil : int(place)
  }

  func time(_ place: Int32) -> Timestamp { Timestamp(secondsSince1970: int(place)) }

  func optionalTime(_ place: Int32) -> Timestamp? {
    optionalInt(place).map { Timestamp(secondsSince1970: $0) }
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

/// A value of a statement.
protocol SQLValue {
  func bind(to statement: Statement, at place: Int32)
}

extension Int: SQLValue {
  func bind(to statement: Statement, at place: Int32) { statement.bind(place, self) }
}

extension String: SQLValue {
  func bind(to statement: Statement, at place: Int32) { statement.bind(place, self) }
}

extension [UInt8]: SQLValue {
  func bind(to statement: Statement, at place: Int32) { statement.bind(place, self) }
}

extension Timestamp: SQLValue {
  func bind(to statement: Statement, at place: Int32) { statement.bind(place, secondsSince1970) }
}

extension Optional: SQLValue where Wrapped: SQLValue {
  func bind(to statement: Statement, at place: Int32) {
    if let self { self.bind(to: statement, at: place) } else { statement.bindNull(place) }
  }
}

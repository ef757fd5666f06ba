internal import CPostgres

/// One answer of the server; freed with the value that holds it.
final class PostgresResult {
  private let result: OpaquePointer

  init(_ result: OpaquePointer) { self.result = result }

  deinit { PQclear(result) }

  var status: ExecStatusType { PQresultStatus(result) }
  var rowCount: Int { Int(PQntuples(result)) }
  var columnCount: Int { Int(PQnfields(result)) }

  /// The rows that a statement has inserted, updated or deleted.
  var changedCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  /// The text of a field; nil where it is null.
  subscript(row: Int, column: Int) -> String? {
    precondition((0..<rowCount).contains(row) && (0..<columnCount).contains(column))
    let (row, column) = (Int32(row), Int32(column))
    guard PQgetisnull(result, row, column) == 0, let text = PQgetvalue(result, row, column) else {
      return nil
    }
    return String(cString: text)
  }

  /// The error that the server answered; nil if the answer is not an error.
  var failure: PostgresError? {
    switch status {
    case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR:
      guard let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else {
        // libpq made it itself: there is no answer.
        return PostgresError(.connectionLost, "the connection to PostgreSQL ended")
      }
      let text = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
      return .answered(String(cString: state), text ?? "")
    default: return nil
    }
  }
}

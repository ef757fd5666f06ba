/// Why PostgreSQL did not do what it was asked.
package struct PostgresError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// The URL or a service file can't be used.
    case invalidSettings
    /// Nothing answered, or it is starting or ending.
    case unreachable
    /// The server speaks no TLS, or its certificate was not accepted.
    case tlsFailed
    /// The role or its password was refused.
    case notAuthorized
    /// The server has no database of that name.
    case databaseMissing
    /// The role may not use a table.
    case notPermitted
    /// The tables are not there.
    case tablesMissing
    /// The tables have no column for people.
    case peopleMissing
    /// The tables are not those of this version.
    case tablesDiffer
    /// No answer came in time.
    case timedOut
    /// The connection ended.
    case connectionLost
    /// The server has no room or no connection left.
    case exhausted
    /// Other writers stood in the way; the same may succeed now.
    case conflict
    case cancelled
    case `internal`
  }

  package let code: Code
  /// One clause without a secret, and without a value of a row.
  package let message: String
  /// The server's five characters, if it answered.
  package let sqlState: String?
  /// Whether the transaction may have been committed all the same.
  package var mayHaveBeenApplied = false

  package init(_ code: Code, _ message: String, sqlState: String? = nil) {
    (self.code, self.message, self.sqlState) = (code, message, sqlState)
  }

  /// The server's five characters for a row with a key that another row has.
  static let uniqueViolation = "23505"

  /// Whether the same may succeed later without a person's help.
  package var isRetryable: Bool {
    switch code {
    case .unreachable, .timedOut, .connectionLost, .exhausted, .conflict: true
    case .invalidSettings, .tlsFailed, .notAuthorized, .databaseMissing, .notPermitted,
      .tablesMissing, .peopleMissing, .tablesDiffer, .cancelled, .internal:
      false
    }
  }

  /// An answer of the server.
  ///
  /// - Parameter text: its message. It is quoted only where it can hold no value of a row.
  static func answered(_ sqlState: String, _ text: String) -> PostgresError {
    let code: Code =
      switch sqlState {
      case "42501": .notPermitted
      case "42P01", "3F000": .tablesMissing
      case "42703", "42804": .tablesDiffer
      case "57014": .timedOut
      case "40001", "40P01", "55P03": .conflict
      case "28000", "28P01": .notAuthorized
      case "3D000": .databaseMissing
      default:
        switch sqlState.prefix(2) {
        case "53": .exhausted
        case "57": .unreachable
        case "08": .connectionLost
        default: .internal
        }
      }
    let quotes = ["42", "53", "57", "28", "3D", "40"].contains(sqlState.prefix(2))
    return PostgresError(
      code, quotes ? "PostgreSQL said: \(shown(text))" : "PostgreSQL refused with \(sqlState)",
      sqlState: sqlState)
  }

  /// The first line of a text, printable and bounded.
  static func shown(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    return String(
      String.UnicodeScalarView(
        line.unicodeScalars.prefix(300).map {
          $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
            ? " " : $0
        }))
  }
}

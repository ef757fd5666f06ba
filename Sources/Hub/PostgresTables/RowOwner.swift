import Synchronization

/// Whose rows are read and written (R65). Tables of one person have no column for it; after
/// `create(forPeople:)` each row has a `person`, empty for the store's own rows.
enum RowOwner: Hashable, Sendable {
  case everybody
  case person(String)
}

/// How statements name the owner of their rows. Empty where the tables have no people.
struct OwnerClauses: Hashable, Sendable {
  /// The quoted id of the person; nil where the tables have no people.
  private let literal: String?

  init(_ person: String?) {
    literal = person.map {
      "'"
        + $0.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "''") + "'"
    }
  }

  /// The column before `healthkit_uuid` in a list of columns.
  var column: String { literal == nil ? "" : "person, " }
  /// Its value in a list of values.
  var value: String { literal.map { "\($0), " } ?? "" }

  /// The same owner, after a condition on the id.
  func condition(_ alias: String) -> String {
    literal.map { " AND \(alias).person = \($0)" } ?? ""
  }
}

/// Whether the tables have a column for people: looked up until they have.
final class PeopleColumn: Sendable {
  private let isThere = Mutex(false)

  /// - Parameter table: one of those that get it.
  func isThere(of table: String, _ transaction: Transaction) throws(PostgresError) -> Bool {
    if isThere.withLock({ $0 }) { return true }
    guard try Self.exists(table, transaction) else { return false }
    isThere.withLock { $0 = true }
    return true
  }

  static func exists(_ table: String, _ transaction: Transaction) throws(PostgresError) -> Bool {
    let found = try transaction.run(
      """
      SELECT EXISTS (SELECT FROM pg_attribute
        WHERE attrelid = to_regclass($1) AND attname = 'person' AND NOT attisdropped)
      """, [table])
    return found[0, 0] == "t"
  }
}

package import HealthModel
import Synchronization

/// The rows of a person's PostgreSQL (R56).
///
/// All methods may run at the same time, in any number of processes; those of one value take turns on one
/// connection. Each is one transaction, but for `load`: what it counts is what that transaction did.
package final class PostgresTables: Sendable {
  /// What happens to a metric's row that is there already.
  package enum ConflictRule: String, CaseIterable, Hashable, Sendable {
    /// The newest value wins.
    case newest
    /// The first one stays.
    case nothing
  }

  let writer: PostgresWriter
  /// A connection of its own: places in the order don't wait behind rows.
  private let orders: PostgresWriter
  package let conflictRule: ConflictRule
  /// Whose rows these are; nil for everybody's.
  private let person: String?
  let peopleColumn: PeopleColumn

  /// Nothing is contacted yet.
  ///
  /// - Parameter timeout: the time limit of one transaction, connecting included.
  package init(
    _ target: PostgresTarget, onConflict conflictRule: ConflictRule = .newest,
    timeout: Duration = .seconds(30)
  ) {
    writer = PostgresWriter(target, timeout: timeout)
    orders = PostgresWriter(target, timeout: timeout)
    (self.conflictRule, person, peopleColumn) = (conflictRule, nil, PeopleColumn())
  }

  private init(_ whole: PostgresTables, _ person: String) {
    (writer, orders, conflictRule) = (whole.writer, whole.orders, whole.conflictRule)
    (self.person, peopleColumn) = (person, whole.peopleColumn)
  }

  /// The rows of one person, by the same connection (R65). Tables that have no column for people take
  /// none of them.
  package func of(_ person: String) -> PostgresTables { PostgresTables(self, person) }

  /// How statements of this transaction name their rows' owner.
  func clauses(_ transaction: Transaction) throws(PostgresError) -> OwnerClauses {
    let hasPeople = try peopleColumn.isThere(of: SchemaDefinition.orders.name, transaction)
    guard hasPeople || person == nil else {
      throw PostgresError(.peopleMissing, "the tables have no column for people")
    }
    return OwnerClauses(hasPeople ? person ?? "" : nil)
  }
}

/// The order of what is received (R46, R56): one row, so that all servers of the database take turns.
extension PostgresTables {
  /// The next place in the order: a moment not before `moment`, and later than all before it.
  package func order(
    from moment: PreciseMoment
  ) async throws(PostgresError) -> PreciseMoment {
    let table = SchemaDefinition.receipts.name
    // Receipts of all servers wait for this row. An unused place does no harm.
    return try await orders.statement(
      """
      UPDATE \(table) SET last_order = greatest(last_order + 1, \(moment.microseconds))
      RETURNING last_order
      """
    ) { next throws(PostgresError) in
      guard next.rowCount == 1, let order = next[0, 0].flatMap({ Int($0) }) else {
        throw PostgresError(.tablesMissing, "the table \(table) has no row")
      }
      return PreciseMoment(microseconds: order)
    }
  }

  /// What is received from now on comes after what was found, in a database that had lost it.
  package func pass(_ found: PreciseMoment) async throws(PostgresError) {
    try await writer.transaction { transaction throws(PostgresError) in
      _ = try transaction.run(
        """
        UPDATE \(SchemaDefinition.receipts.name)
        SET last_order = greatest(last_order, $1::bigint)
        """, ["\(found.microseconds)"])
    }
  }
}

/// How statements name the owner of their rows (R65). Tables of one person have no column for it, and these
/// are empty; after `create(forPeople:)` each row has a `person`, empty for the store's own rows.
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

/// The rows of a person's PostgreSQL (R56).
///
/// All methods may run at the same time, in any number of processes. Each is one transaction: what it
/// counts is what that transaction did.
package final class PostgresTables: Sendable {
  /// What happens to a metric's row that is there already.
  package enum ConflictRule: String, CaseIterable, Hashable, Sendable {
    /// The newest value wins.
    case newest
    /// The first one stays.
    case nothing
  }

  let pool: PostgresPool
  package let conflictRule: ConflictRule
  /// Whose rows these are.
  let owner: RowOwner
  let peopleColumn: PeopleColumn
  /// Those of everybody, which hold the connections.
  private let whole: PostgresTables?

  /// Nothing is contacted yet.
  ///
  /// - Parameters:
  ///   - connections: the most that are open at a time.
  ///   - timeout: the time limit of one transaction, connecting included.
  package init(
    _ target: PostgresTarget, onConflict conflictRule: ConflictRule = .newest,
    connections: Int = 4, timeout: Duration = .seconds(30)
  ) {
    pool = PostgresPool(target, size: connections, timeout: timeout)
    self.conflictRule = conflictRule
    (owner, whole, peopleColumn) = (.everybody, nil, PeopleColumn())
  }

  private init(_ whole: PostgresTables, _ owner: RowOwner) {
    (pool, conflictRule) = (whole.pool, whole.conflictRule)
    (self.owner, self.whole, peopleColumn) = (owner, whole, whole.peopleColumn)
  }

  /// The rows of one person, by the same connections (R65). Tables that have no column for people take
  /// none of them.
  package func of(_ person: String) -> PostgresTables { PostgresTables(self, .person(person)) }

  deinit { if whole == nil { pool.close() } }
}

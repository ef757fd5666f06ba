/// The rows of a person's PostgreSQL (R52).
///
/// All methods may run at the same time, in any number of processes. Each is one transaction: what it
/// counts is what that transaction did.
package final class PostgresTables: Sendable {
  /// What happens to a metric's row that is there already.
  package enum ConflictRule: String, CaseIterable, Hashable, Sendable {
    /// The newest value wins (D5).
    case newest
    /// The first one stays, as document 004 has it.
    case nothing
  }

  let pool: PostgresPool
  package let conflictRule: ConflictRule

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
  }

  deinit { pool.close() }
}

/// What a batch of rows came to.
package struct RowCounts: Hashable, Sendable {
  /// Records that were given: inserted and duplicates.
  package var received = 0
  /// Rows that are new.
  package var inserted = 0
  /// Rows that were there, with another value.
  package var updated = 0
  /// Rows that went, because the newest revision of their day has the metric no more.
  package var deleted = 0

  package var duplicates: Int { received - inserted }

  package init(received: Int = 0, inserted: Int = 0, updated: Int = 0, deleted: Int = 0) {
    (self.received, self.inserted) = (received, inserted)
    (self.updated, self.deleted) = (updated, deleted)
  }

  package static func += (total: inout RowCounts, more: RowCounts) {
    total.received += more.received
    total.inserted += more.inserted
    total.updated += more.updated
    total.deleted += more.deleted
  }
}

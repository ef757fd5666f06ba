package import HealthModel

/// The order of what is received (R46, R56): one row, so that all servers of the database take turns.
extension PostgresTables {
  /// The next place in the order: a moment not before `moment`, and later than all before it.
  package func order(
    from moment: PreciseMoment
  ) async throws(PostgresError) -> PreciseMoment {
    let table = SchemaDefinition.receipts.name
    // Receipts of all servers wait for this row. An unused place does no harm.
    return try await pool.statement(
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
    try await pool.transaction { transaction throws(PostgresError) in
      _ = try transaction.run(
        """
        UPDATE \(SchemaDefinition.receipts.name)
        SET last_order = greatest(last_order, $1::bigint)
        """, ["\(found.microseconds)"])
    }
  }
}

import HealthModel
package import HealthRecords

extension PostgresTables {
  /// Stores posted records, all or none.
  ///
  /// - Parameter order: what metrics go by; workouts and sleep stay as they were stored first.
  package func store(
    _ batch: RecordBatch, order: MetricOrder
  ) async throws(PostgresError) -> RowCounts {
    switch batch {
    case .metrics(let records):
      try await store(records.map { MetricChange($0, order: order) }, from: .posted)
    case .workouts(let records): try await store(records)
    case .sleep(let records): try await store(records)
    }
  }

  /// Stores workouts; those that are there stay as they are.
  package func store(_ workouts: [WorkoutRecord]) async throws(PostgresError) -> RowCounts {
    var text = CopyText()
    for workout in Self.first(workouts, by: \.id) {
      text.add(workout.id)
      text.add(workout.type)
      text.add(workout.start.description)
      text.add(workout.end.description)
      text.add(workout.durationSeconds.map { "\($0)" })
      text.add(workout.timeZoneName)
      text.add(
        String(
          decoding: JSONValue.object(workout.metrics.mapValues(JSONValue.number)).canonicalBytes,
          as: UTF8.self))
      text.endRow()
    }
    return try await insert(
      text, of: workouts.count, into: .workouts,
      columns: [
        ("healthkit_uuid", "TEXT"), ("type", "TEXT"), ("start_time", "TIMESTAMPTZ"),
        ("end_time", "TIMESTAMPTZ"), ("duration_seconds", "INTEGER"), ("timezone", "TEXT"),
        ("metrics", "JSONB"),
      ])
  }

  /// Stores periods of sleep; those that are there stay as they are.
  package func store(_ sleep: [SleepRecord]) async throws(PostgresError) -> RowCounts {
    var text = CopyText()
    for period in Self.first(sleep, by: \.id) {
      text.add(period.id)
      text.add(period.start.description)
      text.add(period.end.description)
      text.add(period.source)
      text.add(period.hours)
      text.add(period.value.name)
      text.endRow()
    }
    return try await insert(
      text, of: sleep.count, into: .sleep,
      columns: [
        ("healthkit_uuid", "TEXT"), ("start_time", "TIMESTAMPTZ"), ("end_time", "TIMESTAMPTZ"),
        ("source", "TEXT"), ("qty", "DOUBLE PRECISION"), ("value", "TEXT"),
      ])
  }

  /// The first record of each id, sorted by id: all writers wait for one another in the same order.
  static func first<Record>(_ records: [Record], by id: (Record) -> String) -> [Record] {
    var seen: Set<String> = []
    seen.reserveCapacity(records.count)
    return records.filter { seen.insert(id($0)).inserted }
      .sorted { id($0).utf8.lexicographicallyPrecedes(id($1).utf8) }
  }

  private func insert(
    _ rows: CopyText, of received: Int, into kind: RecordKind,
    columns: [(name: String, type: String)]
  ) async throws(PostgresError) -> RowCounts {
    guard received > 0 else { return RowCounts() }
    let (table, incoming) = (kind.table, "s3health_incoming_\(kind.rawValue)")
    let names = columns.map(\.name).joined(separator: ", ")
    let types = columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
    return try await pool.transaction { transaction throws(PostgresError) in
      try transaction.run(
        "CREATE TEMP TABLE IF NOT EXISTS \(incoming) (\(types)) ON COMMIT DELETE ROWS")
      try transaction.copy("COPY pg_temp.\(incoming) FROM STDIN", rows)
      let inserted = try transaction.run(
        """
        INSERT INTO \(table) (\(names)) SELECT \(names) FROM pg_temp.\(incoming) AS new
        WHERE NOT EXISTS (
          SELECT FROM \(table) AS kept WHERE kept.healthkit_uuid = new.healthkit_uuid)
        ORDER BY healthkit_uuid COLLATE "C"
        ON CONFLICT (healthkit_uuid) DO NOTHING
        """
      ).changedCount
      return RowCounts(received: received, inserted: inserted)
    }
  }
}

package import HealthExports
package import HealthModel

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

  /// The numbers of metrics that were posted for some dates, by the ids of their rows.
  package func posted(
    on dates: [CalendarDate]
  ) async throws(PostgresError) -> [String: PostedNumber] {
    let ids = dates.flatMap { date in
      MetricRecord.given.map { "\"\(MetricRecord.id(date, $0.recordType))\"" }
    }
    return try await pool.transaction { [self] transaction throws(PostgresError) in
      let found = try transaction.run(
        """
        SELECT healthkit_uuid, (extract(epoch FROM posted_at) * 1000000)::bigint, posted_value
        FROM s3health_metric_orders AS kept
        WHERE healthkit_uuid = ANY ($1::text[]) AND posted_value IS NOT NULL\
        \(try clauses(transaction).condition("kept"))
        """, ["{\(ids.joined(separator: ","))}"])
      var posted: [String: PostedNumber] = [:]
      for row in 0..<found.rowCount {
        guard let id = found[row, 0], let at = found[row, 1].flatMap({ Int($0) }),
          let number = found[row, 2].flatMap({ Double($0) })
        else { continue }
        posted[id] = PostedNumber(
          receivedAt: PreciseMoment(microseconds: at), number: number)
      }
      return posted
    }
  }

  /// Stores workouts; those that are there stay as they are.
  package func store(_ workouts: [WorkoutRecord]) async throws(PostgresError) -> RowCounts {
    let first = Self.first(workouts, by: \.id)
    var rows = CopyRows(columns: 7, rows: first.count)
    for workout in first {
      rows.beginRow()
      rows.add(workout.id)
      rows.add(workout.type)
      rows.add(workout.start)
      rows.add(workout.end)
      rows.add(workout.durationSeconds)
      rows.add(workout.timeZoneName)
      rows.add(
        document: Array(
          JSONValue.object(workout.metrics.mapValues(JSONValue.number)).canonicalBytes))
    }
    return try await insert(
      rows, of: workouts.count, into: .workouts,
      columns: [
        ("healthkit_uuid", "TEXT"), ("type", "TEXT"), ("start_time", "TIMESTAMPTZ"),
        ("end_time", "TIMESTAMPTZ"), ("duration_seconds", "BIGINT"), ("timezone", "TEXT"),
        ("metrics", "JSONB"),
      ])
  }

  /// Stores periods of sleep; those that are there stay as they are.
  package func store(_ sleep: [SleepRecord]) async throws(PostgresError) -> RowCounts {
    let first = Self.first(sleep, by: \.id)
    var rows = CopyRows(columns: 6, rows: first.count)
    for period in first {
      rows.beginRow()
      rows.add(period.id)
      rows.add(period.start)
      rows.add(period.end)
      rows.add(period.source)
      rows.add(period.hours)
      rows.add(period.value?.name)
    }
    return try await insert(
      rows, of: sleep.count, into: .sleep,
      columns: [
        ("healthkit_uuid", "TEXT"), ("start_time", "TIMESTAMPTZ"), ("end_time", "TIMESTAMPTZ"),
        ("source", "TEXT"), ("qty", "DOUBLE PRECISION"), ("value", "TEXT"),
      ])
  }

  /// The first record of each id, sorted by id: all writers wait for one another in the same order.
  static func first<Record>(_ records: [Record], by id: (Record) -> String) -> [Record] {
    SortedRows(records, by: id).one(ofEach: id) { held, _ in held }
  }

  /// A statement for a transaction of few rows: PostgreSQL looks each up in an index. It knows nothing
  /// of a new table's size, and would read a table with up to some ten thousand rows whole.
  static func lookups(_ rows: Int) -> String {
    rows > 1000 ? "" : "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;"
  }

  private func insert(
    _ rows: CopyRows, of received: Int, into kind: RecordKind,
    columns: [(name: String, type: String)]
  ) async throws(PostgresError) -> RowCounts {
    guard received > 0 else { return RowCounts() }
    let (table, incoming) = (kind.table, "s3health_incoming_\(kind.rawValue)")
    let names = columns.map(\.name).joined(separator: ", ")
    let types = columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
    return try await pool.transaction { [self] transaction throws(PostgresError) in
      let owner = try clauses(transaction)
      try transaction.run(
        """
        CREATE TEMP TABLE IF NOT EXISTS \(incoming) (\(types)) ON COMMIT DELETE ROWS;
        \(Self.lookups(received))
        """)
      try transaction.copy("COPY pg_temp.\(incoming) FROM STDIN (FORMAT binary)", rows)
      // Rows that are there are left out before they use up a number of the column `id`.
      let inserted = try transaction.insert(
        """
        INSERT INTO \(table) (\(owner.column)\(names))
        SELECT \(owner.value)\(names) FROM pg_temp.\(incoming) AS new
        WHERE NOT EXISTS (
          SELECT FROM \(table) AS kept
          WHERE kept.healthkit_uuid = new.healthkit_uuid\(owner.condition("kept")))
        ORDER BY healthkit_uuid COLLATE "C"
        """)
      return RowCounts(received: received, inserted: inserted)
    }
  }
}

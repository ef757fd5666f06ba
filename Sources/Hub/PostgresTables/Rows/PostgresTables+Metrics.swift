package import HealthExports

extension PostgresTables {
  /// Stores what is said of metrics, so that each row is the newest value (R56).
  ///
  /// The result does not depend on the order in which changes arrive, nor on who else writes.
  package func store(
    _ changes: [MetricChange], from origin: MetricChange.Origin
  ) async throws(PostgresError) -> RowCounts {
    let received = changes.count { $0.value != nil }
    let newest = Self.newest(changes, from: origin)
    guard !newest.isEmpty else { return RowCounts(received: received) }
    return try await pool.transaction { [self] transaction throws(PostgresError) in
      let owner = try clauses(transaction)
      var counts =
        switch conflictRule {
        case .newest: try Self.replace(newest, origin, owner, transaction)
        case .nothing: try Self.insert(newest, owner, transaction)
        }
      counts.received = received
      return counts
    }
  }

  /// One change for each row, sorted: a statement can't change a row twice, and all writers lock rows
  /// in the same order.
  static func newest(
    _ changes: [MetricChange], from origin: MetricChange.Origin
  ) -> [MetricChange] {
    SortedRows(changes, by: \.id).one(ofEach: \.id) { held, next in
      held.isNewer(than: next, from: origin) ? held : next
    }
  }

  /// The table that `copy` fills.
  private static let incoming = "s3health_incoming_metrics"

  private static func copy(
    _ changes: [MetricChange], _ transaction: Transaction
  ) throws(PostgresError) {
    var rows = CopyRows(columns: 7, rows: changes.count)
    for change in changes {
      rows.beginRow()
      rows.add(change.id)
      rows.add(change.order.moment)
      rows.add(change.order.id)
      rows.add(change.value != nil)
      rows.add(change.value?.number)
      rows.add(change.value?.unit)
      rows.add(change.value?.timeZoneName)
    }
    try transaction.run(
      """
      CREATE TEMP TABLE IF NOT EXISTS \(incoming) (
        healthkit_uuid TEXT, at TIMESTAMPTZ, id TEXT, has_row BOOLEAN, value DOUBLE PRECISION,
        unit TEXT, timezone TEXT) ON COMMIT DELETE ROWS;
      \(lookups(changes.count))
      """)
    try transaction.copy("COPY pg_temp.\(incoming) FROM STDIN (FORMAT binary)", rows)
  }

  private static func replace(
    _ changes: [MetricChange], _ origin: MetricChange.Origin, _ owner: OwnerClauses,
    _ transaction: Transaction
  ) throws(PostgresError) -> RowCounts {
    try copy(changes, transaction)
    var changed = try orderNew(changes.count, origin, owner, transaction)
    if changed == nil { changed = try order(origin, owner, transaction) }
    var counts = RowCounts()
    guard let changed, changed.count > 0 else { return counts }
    // Statements of their own: each sees what others have committed up to now.
    counts.inserted = try insert(from: changed.table, owner, transaction)
    guard counts.inserted < changed.count else { return counts }
    counts.deleted = try transaction.run(
      """
      DELETE FROM ios_apple_health_metrics AS kept USING pg_temp.\(changed.table) AS new
      WHERE kept.healthkit_uuid = new.healthkit_uuid\(owner.condition("kept")) AND NOT new.has_row
      """
    ).changedCount
    counts.updated = try transaction.run(
      """
      UPDATE ios_apple_health_metrics AS kept
      SET value = new.value, unit = new.unit, timezone = new.timezone
      FROM pg_temp.\(changed.table) AS new
      WHERE kept.healthkit_uuid = new.healthkit_uuid\(owner.condition("kept")) AND new.has_row
        AND (kept.value, kept.unit, kept.timezone)
          IS DISTINCT FROM (new.value, new.unit, new.timezone)
      """
    ).changedCount
    return counts
  }

  /// The metrics whose row may have to change: what it is to be stands in a table, nothing where it is
  /// to go. Their orders' rows are locked: nobody else changes the metrics' rows until the end.
  private typealias Changed = (table: String, count: Int)

  /// The columns of the orders that one origin has.
  private static func columns(_ origin: MetricChange.Origin) -> String {
    let own = origin.rawValue
    return "\(own)_at, \(own)_id, \(own)_value, \(own)_unit, \(own)_timezone"
  }

  /// `MetricChange.isNewer` in SQL. The moment of a revision becomes earlier when it is found that an
  /// earlier one had the same number.
  private static func isNewer(_ origin: MetricChange.Origin) -> String {
    switch origin {
    case .posted: "(kept.posted_at, kept.posted_id) < (excluded.posted_at, excluded.posted_id)"
    case .revision:
      "(kept.revision_id, excluded.revision_at) < (excluded.revision_id, kept.revision_at)"
    }
  }

  /// Stores the orders of metrics of which nothing was said up to now: all are what came. Nil, and
  /// nothing stored, if of one of them something was.
  private static func orderNew(
    _ count: Int, _ origin: MetricChange.Origin, _ owner: OwnerClauses, _ transaction: Transaction
  ) throws(PostgresError) -> Changed? {
    let known = try transaction.run(
      """
      SELECT EXISTS (SELECT FROM pg_temp.\(incoming) AS new
        WHERE EXISTS (SELECT FROM s3health_metric_orders AS kept
          WHERE kept.healthkit_uuid = new.healthkit_uuid\(owner.condition("kept"))))
      """)
    guard known[0, 0] == "f" else { return nil }
    let inserted = try transaction.insertUnlessTaken(
      """
      INSERT INTO s3health_metric_orders (\(owner.column)healthkit_uuid, \(columns(origin)))
      SELECT \(owner.value)healthkit_uuid, at, id, value, unit, timezone
      FROM pg_temp.\(incoming) ORDER BY healthkit_uuid COLLATE "C"
      """)
    return inserted.map { _ in (incoming, count) }
  }

  /// Stores the orders of metrics of which something may have been said already. Rows that are not what
  /// their orders say count as changed.
  private static func order(
    _ origin: MetricChange.Origin, _ owner: OwnerClauses, _ transaction: Transaction
  ) throws(PostgresError) -> Changed {
    let table = "s3health_changed_metrics"
    try transaction.run(
      """
      CREATE TEMP TABLE IF NOT EXISTS \(table) (
        healthkit_uuid TEXT, has_row BOOLEAN, value DOUBLE PRECISION, unit TEXT, timezone TEXT)
        ON COMMIT DELETE ROWS
      """)
    let own = origin.rawValue
    try transaction.run(
      """
      INSERT INTO s3health_metric_orders AS kept (\(owner.column)healthkit_uuid, \(columns(origin)))
      SELECT \(owner.value)healthkit_uuid, at, id, value, unit, timezone
      FROM pg_temp.\(incoming) ORDER BY healthkit_uuid COLLATE "C"
      ON CONFLICT (\(owner.column)healthkit_uuid) DO UPDATE SET
        \(own)_at = excluded.\(own)_at, \(own)_id = excluded.\(own)_id,
        \(own)_value = excluded.\(own)_value, \(own)_unit = excluded.\(own)_unit,
        \(own)_timezone = excluded.\(own)_timezone
      WHERE kept.\(own)_at IS NULL OR \(isNewer(origin))
      """)
    // That has locked all of their orders, also those that it has left as they were. Whatever the rows
    // are then compared with is the last word: one that is missing is made again.
    let changed = try transaction.run(
      """
      INSERT INTO pg_temp.\(table)
      SELECT said.* FROM (
        SELECT healthkit_uuid, revision_value IS NOT NULL OR posted_at IS NOT NULL AS has_row,
          CASE WHEN is_revision THEN revision_value ELSE posted_value END AS value,
          CASE WHEN is_revision THEN revision_unit ELSE posted_unit END AS unit,
          CASE WHEN is_revision THEN revision_timezone ELSE posted_timezone END AS timezone
        FROM (
          SELECT kept.*, revision_value IS NOT NULL AND (posted_value IS NULL
            OR (revision_at, revision_id) > (posted_at, posted_id)) AS is_revision
          FROM pg_temp.\(incoming) AS new JOIN s3health_metric_orders AS kept
            ON kept.healthkit_uuid = new.healthkit_uuid\(owner.condition("kept"))
        ) AS orders
      ) AS said
      LEFT JOIN ios_apple_health_metrics AS held
        ON held.healthkit_uuid = said.healthkit_uuid\(owner.condition("held"))
      WHERE (said.has_row, said.value, said.unit, said.timezone)
        IS DISTINCT FROM (held.healthkit_uuid IS NOT NULL, held.value, held.unit, held.timezone)
      """)
    return (table, changed.changedCount)
  }

  private static func insert(
    _ changes: [MetricChange], _ owner: OwnerClauses, _ transaction: Transaction
  ) throws(PostgresError) -> RowCounts {
    try copy(changes.filter { $0.value != nil }, transaction)
    return RowCounts(inserted: try insert(from: incoming, owner, transaction))
  }

  /// Rows that are there are left out before they use up a number of the column `id`.
  private static func insert(
    from table: String, _ owner: OwnerClauses, _ transaction: Transaction
  ) throws(PostgresError) -> Int {
    try transaction.insert(
      """
      INSERT INTO ios_apple_health_metrics
        (\(owner.column)healthkit_uuid, date, type, value, unit, timezone)
      SELECT \(owner.value)healthkit_uuid, (left(healthkit_uuid, 10) || 'T00:00:00Z')::timestamptz,
        substr(healthkit_uuid, 12), value, unit, timezone
      FROM pg_temp.\(table) AS new
      WHERE has_row AND NOT EXISTS (
        SELECT FROM ios_apple_health_metrics AS kept
        WHERE kept.healthkit_uuid = new.healthkit_uuid\(owner.condition("kept")))
      ORDER BY healthkit_uuid COLLATE "C"
      """)
  }
}

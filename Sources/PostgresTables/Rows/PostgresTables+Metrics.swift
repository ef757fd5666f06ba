package import HealthRecords

extension PostgresTables {
  /// Stores what is said of metrics, so that each row is the newest value (D5, R56).
  ///
  /// The result does not depend on the order in which changes arrive, nor on who else writes.
  package func store(
    _ changes: [MetricChange], from origin: MetricChange.Origin
  ) async throws(PostgresError) -> RowCounts {
    let received = changes.count { $0.value != nil }
    let newest = Self.newest(changes)
    guard !newest.isEmpty else { return RowCounts(received: received) }
    return try await pool.transaction { [conflictRule] transaction throws(PostgresError) in
      var counts =
        switch conflictRule {
        case .newest: try Self.replace(newest, origin, transaction)
        case .nothing: try Self.insert(newest, transaction)
        }
      counts.received = received
      return counts
    }
  }

  /// One change for each row, sorted: a statement can't change a row twice, and all writers lock rows
  /// in the same order.
  static func newest(_ changes: [MetricChange]) -> [MetricChange] {
    var newest: [[UInt8]: MetricChange] = [:]
    newest.reserveCapacity(changes.count)
    for change in changes {
      let key = Array(change.id.utf8)
      if let held = newest[key], change.order < held.order { continue }
      newest[key] = change
    }
    return newest.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }

  private static func copy(
    _ changes: [MetricChange], _ transaction: Transaction
  ) throws(PostgresError) {
    var text = CopyText()
    for change in changes {
      text.add(change.id)
      text.add(change.order.moment.description)
      text.add(change.order.id)
      text.add(change.value?.number)
      text.add(change.value?.unit)
      text.add(change.value?.timeZoneName)
      text.endRow()
    }
    try transaction.run(
      """
      CREATE TEMP TABLE IF NOT EXISTS s3health_incoming_metrics (
        healthkit_uuid TEXT, at TIMESTAMPTZ, id TEXT, value DOUBLE PRECISION, unit TEXT,
        timezone TEXT) ON COMMIT DELETE ROWS
      """)
    try transaction.copy("COPY pg_temp.s3health_incoming_metrics FROM STDIN", text)
  }

  private static func replace(
    _ changes: [MetricChange], _ origin: MetricChange.Origin, _ transaction: Transaction
  ) throws(PostgresError) -> RowCounts {
    try copy(changes, transaction)
    try transaction.run(
      """
      CREATE TEMP TABLE IF NOT EXISTS s3health_changed_metrics (
        healthkit_uuid TEXT, value DOUBLE PRECISION, unit TEXT, timezone TEXT)
        ON COMMIT DELETE ROWS
      """)
    let own = origin.rawValue
    // The order's row is locked from here on: nobody else changes the metric's row until the end.
    let changed = try transaction.run(
      """
      WITH changed AS (
        INSERT INTO s3health_metric_orders AS kept
          (healthkit_uuid, \(own)_at, \(own)_id, \(own)_value, \(own)_unit, \(own)_timezone)
        SELECT healthkit_uuid, at, id, value, unit, timezone
        FROM pg_temp.s3health_incoming_metrics ORDER BY healthkit_uuid COLLATE "C"
        ON CONFLICT (healthkit_uuid) DO UPDATE SET
          \(own)_at = excluded.\(own)_at, \(own)_id = excluded.\(own)_id,
          \(own)_value = excluded.\(own)_value, \(own)_unit = excluded.\(own)_unit,
          \(own)_timezone = excluded.\(own)_timezone
        WHERE kept.\(own)_at IS NULL
          OR (kept.\(own)_at, kept.\(own)_id) < (excluded.\(own)_at, excluded.\(own)_id)
        RETURNING healthkit_uuid,
          revision_value, revision_unit, revision_timezone,
          posted_value, posted_unit, posted_timezone,
          revision_value IS NOT NULL AND (posted_value IS NULL
            OR (revision_at, revision_id) > (posted_at, posted_id)) AS is_revision
      )
      INSERT INTO pg_temp.s3health_changed_metrics
      SELECT healthkit_uuid,
        CASE WHEN is_revision THEN revision_value ELSE posted_value END,
        CASE WHEN is_revision THEN revision_unit ELSE posted_unit END,
        CASE WHEN is_revision THEN revision_timezone ELSE posted_timezone END
      FROM changed
      """)
    var counts = RowCounts()
    guard changed.changedCount > 0 else { return counts }
    // Statements of their own: each sees what others have committed up to now.
    counts.deleted = try transaction.run(
      """
      DELETE FROM ios_apple_health_metrics AS kept USING pg_temp.s3health_changed_metrics AS new
      WHERE kept.healthkit_uuid = new.healthkit_uuid AND new.value IS NULL
      """
    ).changedCount
    counts.updated = try transaction.run(
      """
      UPDATE ios_apple_health_metrics AS kept
      SET value = new.value, unit = new.unit, timezone = new.timezone
      FROM pg_temp.s3health_changed_metrics AS new
      WHERE kept.healthkit_uuid = new.healthkit_uuid AND new.value IS NOT NULL
        AND (kept.value, kept.unit, kept.timezone)
          IS DISTINCT FROM (new.value, new.unit, new.timezone)
      """
    ).changedCount
    counts.inserted = try insert(from: "s3health_changed_metrics", transaction)
    return counts
  }

  private static func insert(
    _ changes: [MetricChange], _ transaction: Transaction
  ) throws(PostgresError) -> RowCounts {
    try copy(changes.filter { $0.value != nil }, transaction)
    return RowCounts(inserted: try insert(from: "s3health_incoming_metrics", transaction))
  }

  /// Rows that are there are left out before they use up a number of the column `id`.
  private static func insert(
    from table: String, _ transaction: Transaction
  ) throws(PostgresError) -> Int {
    try transaction.run(
      """
      INSERT INTO ios_apple_health_metrics (healthkit_uuid, date, type, value, unit, timezone)
      SELECT healthkit_uuid, (left(healthkit_uuid, 10) || 'T00:00:00Z')::timestamptz,
        substr(healthkit_uuid, 12), value, unit, timezone
      FROM pg_temp.\(table) AS new
      WHERE value IS NOT NULL AND NOT EXISTS (
        SELECT FROM ios_apple_health_metrics AS kept
        WHERE kept.healthkit_uuid = new.healthkit_uuid)
      ORDER BY healthkit_uuid COLLATE "C"
      ON CONFLICT (healthkit_uuid) DO NOTHING
      """
    ).changedCount
  }
}

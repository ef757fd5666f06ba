package import HealthExports
package import HealthModel

extension PostgresTables {
  /// Stores what is said of metrics, so that each row is the newest value (R56).
  ///
  /// The result does not depend on the order in which changes arrive, nor on who else writes.
  package func store(
    _ changes: [MetricChange], from origin: MetricChange.Origin
  ) async throws(PostgresError) -> RowCounts {
    let received = changes.count { $0.value != nil }
    guard !changes.isEmpty else { return RowCounts() }
    guard conflictRule == .newest else {
      let said = changes.filter { $0.value != nil }
      return try await insert(
        said, .metrics, Self.rowColumns, from: Self.columns, first: Self.newestFirst(origin))
    }
    return try await writer.transaction { [self] transaction throws(PostgresError) in
      let owner = try clauses(transaction)
      try Self.order(changes, origin, owner, transaction)
      var counts = try Self.update(changes.map(\.id), owner, transaction)
      counts.received = received
      return counts
    }
  }

  /// The numbers of metrics that were posted for some dates, by the ids of their rows.
  package func posted(
    on dates: [CalendarDate]
  ) async throws(PostgresError) -> [String: PostedNumber] {
    let ids = dates.flatMap { date in
      MetricRecord.given.map { MetricRecord.id(date, $0.recordType) }
    }
    return try await writer.transaction { [self] transaction throws(PostgresError) in
      let found = try transaction.run(
        """
        SELECT healthkit_uuid, (extract(epoch FROM posted_at) * 1000000)::bigint, posted_value
        FROM s3health_metric_orders AS kept
        WHERE healthkit_uuid = ANY ($1::text[]) AND posted_value IS NOT NULL\
        \(try clauses(transaction).condition("kept"))
        """, [arrayLiteral(ids)])
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

  private static let columns: [RowColumn<MetricChange>] = [
    RowColumn("healthkit_uuid", "text", \.id),
    RowColumn("at", "timestamptz") { "\($0.order.moment)" },
    RowColumn("said_by", "text", \.order.id),
    RowColumn("value", "float8") { $0.value?.number.map { "\($0)" } },
    RowColumn("unit", "text", \.value?.unit),
    RowColumn("timezone", "text", \.value?.timeZoneName),
  ]

  /// The columns of a row of metrics, and how they are made of those above.
  private static let rowColumns = [
    ("date", "(left(healthkit_uuid, 10) || 'T00:00:00Z')::timestamptz"),
    ("type", "substr(healthkit_uuid, 12)"), ("value", "value"), ("unit", "unit"),
    ("timezone", "timezone"),
  ]

  /// Which of several changes of a row counts. Revisions go by their ids: the moment is the one since which
  /// the ledger has had the number, and becomes earlier when somebody has looked further back.
  private static func newestFirst(_ origin: MetricChange.Origin) -> String {
    switch origin {
    case .posted: #"at DESC, said_by COLLATE "C" DESC, place DESC"#
    case .revision: #"said_by COLLATE "C" DESC, at, place DESC"#
    }
  }

  /// Takes what is newer into the orders of metrics, and locks all of their orders, also those that it
  /// leaves as they were: nobody else changes the metrics' rows until the end.
  private static func order(
    _ changes: [MetricChange], _ origin: MetricChange.Origin, _ owner: OwnerClauses,
    _ transaction: Transaction
  ) throws(PostgresError) {
    let own = origin.rawValue
    let isNewer =
      switch origin {
      case .posted: "(kept.posted_at, kept.posted_id) < (excluded.posted_at, excluded.posted_id)"
      case .revision:
        "(kept.revision_id, excluded.revision_at) < (excluded.revision_id, kept.revision_at)"
      }
    let known = try transaction.run(
      """
      SELECT EXISTS (SELECT FROM s3health_metric_orders AS kept
        WHERE healthkit_uuid = ANY ($1::text[])\(owner.condition("kept")))
      """, [arrayLiteral(changes.map(\.id))])
    // Nothing was said of them up to now: all are what came.
    let areNew = transaction.unlessTaken.isEmpty && known[0, 0] == "f"
    let replacing = """
      ON CONFLICT (\(owner.column)healthkit_uuid) DO UPDATE SET
        \(own)_at = excluded.\(own)_at, \(own)_id = excluded.\(own)_id,
        \(own)_value = excluded.\(own)_value, \(own)_unit = excluded.\(own)_unit,
        \(own)_timezone = excluded.\(own)_timezone
      WHERE kept.\(own)_at IS NULL OR \(isNewer)
      """
    _ = try transaction.run(
      """
      INSERT INTO s3health_metric_orders AS kept (\(owner.column)healthkit_uuid,
        \(own)_at, \(own)_id, \(own)_value, \(own)_unit, \(own)_timezone)
      SELECT \(owner.value)healthkit_uuid, at, said_by, value, unit, timezone
      FROM \(Self.columns.rows(first: newestFirst(origin))) AS new
      ORDER BY healthkit_uuid COLLATE "C" \(areNew ? "" : replacing)
      """, Self.columns.parameters(changes))
  }

  /// Makes the rows what their orders say: whatever they are compared with is the last word, and one that is
  /// missing is made again.
  private static func update(
    _ ids: [String], _ owner: OwnerClauses, _ transaction: Transaction
  ) throws(PostgresError) -> RowCounts {
    var counts = RowCounts()
    // A row that others insert meanwhile, without an order, is seen the next time.
    for _ in 0..<3 {
      let found = try transaction.run(
        """
        WITH changed AS MATERIALIZED (
          SELECT said.*, held.healthkit_uuid IS NOT NULL AS is_held FROM (
            SELECT healthkit_uuid, revision_value IS NOT NULL OR posted_at IS NOT NULL AS has_row,
              CASE WHEN is_revision THEN revision_value ELSE posted_value END AS value,
              CASE WHEN is_revision THEN revision_unit ELSE posted_unit END AS unit,
              CASE WHEN is_revision THEN revision_timezone ELSE posted_timezone END AS timezone
            FROM (
              SELECT kept.*, revision_value IS NOT NULL AND (posted_value IS NULL
                OR (revision_at, revision_id) > (posted_at, posted_id)) AS is_revision
              FROM s3health_metric_orders AS kept
              WHERE healthkit_uuid = ANY ($1::text[])\(owner.condition("kept"))
            ) AS orders
          ) AS said
          LEFT JOIN ios_apple_health_metrics AS held
            ON held.healthkit_uuid = said.healthkit_uuid\(owner.condition("held"))
          WHERE (said.has_row, said.value, said.unit, said.timezone)
            IS DISTINCT FROM (held.healthkit_uuid IS NOT NULL, held.value, held.unit, held.timezone)
        ), inserted AS (
          INSERT INTO ios_apple_health_metrics
            (\(owner.column)healthkit_uuid, \(rowColumns.map(\.0).joined(separator: ", ")))
          SELECT \(owner.value)healthkit_uuid, \(rowColumns.map(\.1).joined(separator: ", "))
          FROM changed WHERE has_row AND NOT is_held ORDER BY healthkit_uuid COLLATE "C"
          \(transaction.unlessTaken) RETURNING 1
        ), updated AS (
          UPDATE ios_apple_health_metrics AS kept
          SET value = changed.value, unit = changed.unit, timezone = changed.timezone
          FROM changed
          WHERE kept.healthkit_uuid = changed.healthkit_uuid\(owner.condition("kept"))
            AND has_row AND is_held
          RETURNING 1
        ), deleted AS (
          DELETE FROM ios_apple_health_metrics AS kept USING changed
          WHERE kept.healthkit_uuid = changed.healthkit_uuid\(owner.condition("kept"))
            AND NOT has_row
          RETURNING 1
        )
        SELECT (SELECT count(*) FROM changed), (SELECT count(*) FROM inserted),
          (SELECT count(*) FROM updated), (SELECT count(*) FROM deleted)
        """, [arrayLiteral(ids)])
      let numbers = (0..<4).map { found[0, $0].flatMap { Int($0) } ?? 0 }
      counts.inserted += numbers[1]
      counts.updated += numbers[2]
      counts.deleted += numbers[3]
      if numbers[0] == numbers[1...].reduce(0, +) { break }
    }
    return counts
  }
}

/// What a metric's value of a day goes by: the newer one wins, by time and then by id.
package struct MetricOrder: Hashable, Comparable, Sendable {
  package let moment: PreciseMoment
  package let id: String

  package init(moment: PreciseMoment, id: String) { (self.moment, self.id) = (moment, id) }

  /// The order of a revision of the ledger.
  ///
  /// - Parameter moment: since when the ledger has had the number; nil for the moment of the revision.
  package init(_ revision: RevisionID, since moment: PreciseMoment? = nil) {
    self.init(moment: moment ?? PreciseMoment(revision.timestamp), id: revision.rawValue)
  }

  package static func < (a: MetricOrder, b: MetricOrder) -> Bool {
    a.moment == b.moment
      ? a.id.utf8.lexicographicallyPrecedes(b.id.utf8) : a.moment < b.moment
  }
}

/// What is said of one metric of one day.
package struct MetricChange: Hashable, Sendable {
  /// Who says it. Either one's newest word counts, whatever the other says.
  package enum Origin: String, CaseIterable, Hashable, Sendable {
    /// A revision of the ledger.
    case revision
    /// Records that were posted.
    case posted
  }

  package struct Value: Hashable, Sendable {
    /// Nil for a row whose value is null: only what was posted has such.
    package let number: Double?
    package let unit: String?
    package let timeZoneName: String?

    package init(number: Double?, unit: String?, timeZoneName: String?) {
      (self.number, self.unit, self.timeZoneName) = (number, unit, timeZoneName)
    }
  }

  /// `{date}_{type}`.
  package let id: String
  package let order: MetricOrder
  /// Nil where the day has the metric no more.
  package let value: Value?

  package init(id: String, order: MetricOrder, value: Value?) {
    (self.id, self.order, self.value) = (id, order, value)
  }

  package init(_ record: MetricRecord, order: MetricOrder) {
    self.init(
      id: record.id, order: order,
      value: Value(
        number: record.value, unit: record.unit, timeZoneName: record.timeZoneName))
  }

  /// The changes that a revision makes to its day: each of the 28 metrics has a value, or none.
  ///
  /// - Parameter since: by type, since when the ledger has had this number.
  package static func changes(
    _ revision: DailyRevision, id: RevisionID, since: [String: PreciseMoment] = [:]
  ) -> [MetricChange] {
    let order = MetricOrder(id)
    let records = MetricRecord.records(of: revision)
    let held = Set(records.map(\.type))
    return records.map { MetricChange($0, order: MetricOrder(id, since: since[$0.type])) }
      + MetricRecord.given.map(\.recordType).filter { !held.contains($0) }.map {
        MetricChange(id: MetricRecord.id(revision.date, $0), order: order, value: nil)
      }
  }
}

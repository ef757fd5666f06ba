package import HealthExports
import HealthModel

/// Workouts and sleep as rows (R56).
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

  package func store(_ workouts: [WorkoutRecord]) async throws(PostgresError) -> RowCounts {
    try await insert(
      workouts, .workouts,
      from: [
        RowColumn("healthkit_uuid", "text", \.id), RowColumn("type", "text", \.type),
        RowColumn("start_time", "timestamptz") { "\($0.start)" },
        RowColumn("end_time", "timestamptz") { "\($0.end)" },
        RowColumn("duration_seconds", "bigint") { $0.durationSeconds.map { "\($0)" } },
        RowColumn("timezone", "text", \.timeZoneName),
        RowColumn("metrics", "jsonb") { workout in
          let document = JSONValue.object(workout.metrics.mapValues(JSONValue.number))
          return String(decoding: document.canonicalBytes, as: UTF8.self)
        },
      ])
  }

  /// Stores periods of sleep; those that are there stay as they are.
  package func store(_ sleep: [SleepRecord]) async throws(PostgresError) -> RowCounts {
    try await insert(
      sleep, .sleep,
      from: [
        RowColumn("healthkit_uuid", "text", \.id),
        RowColumn("start_time", "timestamptz") { "\($0.start)" },
        RowColumn("end_time", "timestamptz") { "\($0.end)" },
        RowColumn("source", "text", \.source),
        RowColumn("qty", "float8") { $0.hours.map { "\($0)" } },
        RowColumn("value", "text", \.value?.name),
      ])
  }

  /// Stores any number of rows, in transactions of so many. If one of them fails, what others have stored
  /// stays; loading the same again stores nothing twice.
  package func load<Row>(
    _ rows: [Row], _ store: ([Row]) async throws(PostgresError) -> RowCounts
  ) async throws(PostgresError) -> RowCounts {
    var counts = RowCounts()
    for start in stride(from: 0, to: rows.count, by: Self.mostAtOnce) {
      counts += try await store(Array(rows[start..<min(start + Self.mostAtOnce, rows.count)]))
    }
    return counts
  }

  private static let mostAtOnce = 20_000

  /// Inserts rows that are not there, the first in an order of each id. A row that another writer inserts meanwhile
  /// is left out.
  ///
  /// - Parameter made: the table's columns besides the id, and how they are made; nil for the same.
  func insert<Row: Sendable>(
    _ rows: [Row], _ kind: RecordKind, _ made: [(String, String)]? = nil,
    from columns: [RowColumn<Row>], first order: String = "place"
  ) async throws(PostgresError) -> RowCounts {
    guard !rows.isEmpty else { return RowCounts() }
    let made = made ?? columns.dropFirst().map { ($0.name, $0.name) }
    let parameters = columns.parameters(rows)
    return try await writer.transaction { [self] transaction throws(PostgresError) in
      let owner = try clauses(transaction)
      // Rows that are there are left out before they use up a number of the column `id`.
      let inserted = try transaction.run(
        """
        INSERT INTO \(kind.table)
          (\(owner.column)healthkit_uuid, \(made.map(\.0).joined(separator: ", ")))
        SELECT \(owner.value)healthkit_uuid, \(made.map(\.1).joined(separator: ", "))
        FROM \(columns.rows(first: order)) AS new
        WHERE NOT EXISTS (
          SELECT FROM \(kind.table) AS kept
          WHERE kept.healthkit_uuid = new.healthkit_uuid\(owner.condition("kept")))
        ORDER BY healthkit_uuid COLLATE "C"
        \(transaction.unlessTaken)
        """, parameters
      ).changedCount
      return RowCounts(received: rows.count, inserted: inserted)
    }
  }
}

/// A column of rows that are sent, as an array.
struct RowColumn<Row>: Sendable {
  let name: String
  /// Of PostgreSQL.
  let type: String
  let value: @Sendable (Row) -> String?

  init(_ name: String, _ type: String, _ value: @escaping @Sendable (Row) -> String?) {
    (self.name, self.type, self.value) = (name, type, value)
  }
}

extension Array {
  /// The rows in a statement: of each id, byte for byte, the first in an order. All writers lock rows and
  /// wait for one another in the order of their ids.
  ///
  /// - Parameter order: `place` is that in which they were given.
  func rows<Row>(first order: String) -> String where Element == RowColumn<Row> {
    let arrays = enumerated().map { "$\($0.offset + 1)::\($0.element.type)[]" }
    return """
      (SELECT DISTINCT ON (healthkit_uuid COLLATE "C") *
        FROM unnest(\(arrays.joined(separator: ", ")))
          WITH ORDINALITY AS given (\(map(\.name).joined(separator: ", ")), place)
        ORDER BY healthkit_uuid COLLATE "C", \(order))
      """
  }

  /// What is sent for the statement.
  func parameters<Row>(_ rows: [Row]) -> [String?] where Element == RowColumn<Row> {
    map { column in arrayLiteral(rows.map(column.value)) }
  }
}

/// Texts as PostgreSQL writes an array of them.
func arrayLiteral(_ texts: [String?]) -> String {
  var bytes = Array("{".utf8)
  for (place, text) in texts.enumerated() {
    if place > 0 { bytes.append(UInt8(ascii: ",")) }
    guard let text else {
      bytes.append(contentsOf: "NULL".utf8)
      continue
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(UInt8(ascii: "\\"))
      }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
  bytes.append(UInt8(ascii: "}"))
  return String(decoding: bytes, as: UTF8.self)
}

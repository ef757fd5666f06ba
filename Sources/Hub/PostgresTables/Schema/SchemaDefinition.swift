import HealthExports

/// The tables of docs/POSTGRES.md, and those that this program keeps beside them (R56).
package enum SchemaDefinition {
  struct Part {
    let name: String
    let statement: String
  }

  /// The version of the tables beside those of the document.
  package static let version = 2

  static let metrics = Part(
    name: RecordKind.metrics.table,
    statement: """
      CREATE TABLE ios_apple_health_metrics (
          id SERIAL PRIMARY KEY,
          healthkit_uuid TEXT NOT NULL UNIQUE,
          date TIMESTAMPTZ NOT NULL,
          type TEXT NOT NULL,
          value DOUBLE PRECISION,
          unit TEXT,
          timezone TEXT
      )
      """)

  static let workouts = Part(
    name: RecordKind.workouts.table,
    statement: """
      CREATE TABLE ios_apple_health_workouts (
          id SERIAL PRIMARY KEY,
          healthkit_uuid TEXT NOT NULL UNIQUE,
          type TEXT,
          start_time TIMESTAMPTZ,
          end_time TIMESTAMPTZ,
          duration_seconds INTEGER,
          timezone TEXT,
          metrics JSONB
      )
      """)

  static let sleep = Part(
    name: RecordKind.sleep.table,
    statement: """
      CREATE TABLE ios_apple_health_sleep (
          id SERIAL PRIMARY KEY,
          healthkit_uuid TEXT NOT NULL UNIQUE,
          start_time TIMESTAMPTZ NOT NULL,
          end_time TIMESTAMPTZ NOT NULL,
          source TEXT,
          qty DOUBLE PRECISION,
          value TEXT
      )
      """)

  static let indexes = [
    Part(
      name: "idx_ios_metrics_date_type",
      statement:
        "CREATE INDEX idx_ios_metrics_date_type ON ios_apple_health_metrics(date, type)"),
    Part(
      name: "idx_ios_workouts_start",
      statement: "CREATE INDEX idx_ios_workouts_start ON ios_apple_health_workouts(start_time)"),
    Part(
      name: "idx_ios_sleep_end",
      statement: "CREATE INDEX idx_ios_sleep_end ON ios_apple_health_sleep(end_time)"),
  ]

  /// What each metric's row goes by: the newest of the ledger's revisions that were stored, and the
  /// newest of the posted records. The row is the newer of the two that has a value, so that it does
  /// not depend on who came first, and a metric that a revision has no more keeps its order.
  /// `revision_at` is the moment since which the ledger has had the value.
  static let orders = Part(
    name: "s3health_metric_orders",
    statement: """
      CREATE TABLE s3health_metric_orders (
          healthkit_uuid TEXT PRIMARY KEY,
          revision_at TIMESTAMPTZ,
          revision_id TEXT COLLATE "C",
          revision_value DOUBLE PRECISION,
          revision_unit TEXT,
          revision_timezone TEXT,
          posted_at TIMESTAMPTZ,
          posted_id TEXT COLLATE "C",
          posted_value DOUBLE PRECISION,
          posted_unit TEXT,
          posted_timezone TEXT
      )
      """)

  /// The moment of the last receipt, in microseconds since 1970: one row.
  static let receipts = Part(
    name: "s3health_receipts",
    statement: "CREATE TABLE s3health_receipts (last_order BIGINT NOT NULL)")

  static let schema = Part(
    name: "s3health_schema",
    statement: "CREATE TABLE s3health_schema (version INTEGER NOT NULL)")

  static let tables = [metrics, workouts, sleep, orders, receipts, schema]

  /// The tables whose rows have a person, if there are several.
  static let tablesOfPeople = [metrics, workouts, sleep, orders]

  static let firstReceipt = "INSERT INTO s3health_receipts (last_order) VALUES (0)"

  /// The statements for a person to read, or to run where this program may not.
  package static var script: String {
    (tables + indexes).map { $0.statement + ";\n" }.joined()
      + firstReceipt + ";\n" + "INSERT INTO s3health_schema (version) VALUES (\(version));\n"
  }

  /// The columns that each table must have; it may have others.
  static let columns: [String: [String: String]] = [
    metrics.name: [
      "id": "integer", "healthkit_uuid": "text", "date": "timestamp with time zone", "type": "text",
      "value": "double precision", "unit": "text", "timezone": "text",
    ],
    workouts.name: [
      "id": "integer", "healthkit_uuid": "text", "type": "text",
      "start_time": "timestamp with time zone", "end_time": "timestamp with time zone",
      "duration_seconds": "integer", "timezone": "text", "metrics": "jsonb",
    ],
    sleep.name: [
      "id": "integer", "healthkit_uuid": "text", "start_time": "timestamp with time zone",
      "end_time": "timestamp with time zone", "source": "text", "qty": "double precision",
      "value": "text",
    ],
  ]
}

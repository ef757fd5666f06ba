import HealthExports

/// What `create` did.
package struct SchemaChange: Hashable, Sendable {
  /// The tables and indexes that were not there.
  package var created: [String] = []
  /// Those that were.
  package var present: [String] = []
}

extension PostgresTables {
  /// Creates the tables and indexes that are not there, all or none. Running it again, also by
  /// several at the same time, changes nothing.
  ///
  /// - Parameter forPeople: gives each row a person, if the tables have none yet (R65). The rows that
  ///   are there stay, as the store's own.
  /// - Throws: `tablesDiffer` if a table of that name has other columns, or was made by a newer
  ///   version.
  package func create(forPeople: Bool = false) async throws(PostgresError) -> SchemaChange {
    try await writer.transaction { transaction throws(PostgresError) in
      // Two that create at once would see each other's half.
      try transaction.run("SELECT pg_advisory_xact_lock(7310034861294720331)")
      var change = SchemaChange()
      for part in SchemaDefinition.tables {
        if try Self.exists(part.name, transaction) {
          try Self.check(part.name, transaction)
          change.present.append(part.name)
          continue
        }
        try transaction.run(part.statement)
        change.created.append(part.name)
      }
      for part in SchemaDefinition.indexes {
        if try Self.exists(part.name, transaction) {
          change.present.append(part.name)
        } else {
          try transaction.run(part.statement)
          change.created.append(part.name)
        }
      }
      let orders = SchemaDefinition.orders.name
      if change.created.contains(SchemaDefinition.metrics.name), change.present.contains(orders) {
        // The rows are gone: their orders would keep them from coming back.
        try transaction.run("DELETE FROM \(orders)")
      }
      if forPeople {
        for table in SchemaDefinition.tablesOfPeople
        where try !PeopleColumn.exists(table.name, transaction) {
          try Self.addPerson(table.name, isPrimary: table.name == orders, transaction)
          change.created.append("\(table.name).person")
        }
      }
      let version = try transaction.run("SELECT max(version) FROM s3health_schema")
      let found = version.rowCount == 1 ? version[0, 0].flatMap { Int($0) } : nil
      if let found, found > SchemaDefinition.version {
        throw PostgresError(
          .tablesDiffer, "the tables were made by a newer version of this program")
      }
      if change.created.contains(SchemaDefinition.receipts.name) {
        try transaction.run(SchemaDefinition.firstReceipt)
      }
      if found != SchemaDefinition.version {
        try transaction.run(
          """
          DELETE FROM s3health_schema;
          INSERT INTO s3health_schema (version) VALUES (\(SchemaDefinition.version))
          """)
      }
      return change
    }
  }

  /// Makes person and id unique together, instead of the id alone.
  private static func addPerson(
    _ table: String, isPrimary: Bool, _ transaction: Transaction
  ) throws(PostgresError) {
    try transaction.run("ALTER TABLE \(table) ADD COLUMN person TEXT NOT NULL DEFAULT ''")
    let found = try transaction.run(
      """
      SELECT quote_ident(conname) FROM pg_constraint AS held
      WHERE conrelid = to_regclass($1) AND contype IN ('p', 'u') AND conkey = ARRAY[(
        SELECT attnum FROM pg_attribute
        WHERE attrelid = held.conrelid AND attname = 'healthkit_uuid')]
      """, [table])
    for row in 0..<found.rowCount {
      if let name = found[row, 0] {
        try transaction.run("ALTER TABLE \(table) DROP CONSTRAINT \(name)")
      }
    }
    let kind = isPrimary ? "PRIMARY KEY" : "UNIQUE"
    try transaction.run("ALTER TABLE \(table) ADD \(kind) (person, healthkit_uuid)")
  }

  /// Whether the tables are there, and the server would store rows: nobody holds them locked, and there
  /// is room.
  package func check() async throws(PostgresError) {
    try await writer.transaction { transaction throws(PostgresError) in
      for part in SchemaDefinition.tables where !(try Self.exists(part.name, transaction)) {
        throw PostgresError(.tablesMissing, "the table \(part.name) is not there")
      }
      let names = RecordKind.allCases.map(\.table).joined(separator: ", ")
      let orders = SchemaDefinition.orders.name
      try transaction.run(
        """
        LOCK TABLE \(names) IN ROW EXCLUSIVE MODE;
        INSERT INTO \(orders) (healthkit_uuid) VALUES ('.probe') ON CONFLICT DO NOTHING;
        DELETE FROM \(orders) WHERE healthkit_uuid = '.probe'
        """)
    }
  }

  private static func exists(
    _ name: String, _ transaction: Transaction
  ) throws(PostgresError) -> Bool {
    try transaction.run("SELECT to_regclass($1) IS NOT NULL", [name])[0, 0] == "t"
  }

  private static func check(_ table: String, _ transaction: Transaction) throws(PostgresError) {
    guard let expected = SchemaDefinition.columns[table] else { return }
    let found = try transaction.run(
      """
      SELECT attname, format_type(atttypid, NULL) FROM pg_attribute
      WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
      """, [table])
    var types: [String: String] = [:]
    for row in 0..<found.rowCount {
      if let name = found[row, 0] { types[name] = found[row, 1] }
    }
    for (name, type) in expected.sorted(by: { $0.key < $1.key }) where types[name] != type {
      throw PostgresError(
        .tablesDiffer, "the table \(table) does not fit: its column \(name) is not \(type)")
    }
  }
}

import HealthExports
import HealthModel
import StoreTesting
import TestSupport
import Testing

@testable import PostgresTables

private func night(_ id: String, source: String? = "Watch") -> SleepRecord {
  SleepRecord(
    id: id, start: PreciseMoment(secondsSince1970: 0), end: PreciseMoment(secondsSince1970: 60),
    source: source, hours: nil, value: .awake)
}

private func uuid(_ number: Int) -> String {
  "00000000-0000-5000-8000-\(100_000_000_000 + number)"
}

private func change(_ id: String, _ number: Double?, second: Int = 0) -> MetricChange {
  MetricChange(
    id: id,
    order: MetricOrder(
      moment: PreciseMoment(secondsSince1970: Int64(1_770_000_000 + second)),
      id: "\(1_770_000_000 + second)"),
    value: number.map { .init(number: $0, unit: "lb", timeZoneName: nil) })
}

@Suite(.process, .database)
struct StoringRowsTests {
  /// Waits, in an open transaction, until another one waits for it.
  private static func waitForAnother(_ transaction: Transaction) throws(PostgresError) {
    while true {
      try transaction.run("SELECT pg_stat_clear_snapshot(), pg_sleep(0.01)")
      let waiting = try transaction.run(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
        """)
      if waiting[0, 0] != "0" { return }
    }
  }

  /// Waits until another writer has begun to write to a table. It begins before or after what the
  /// test does next, which waits for it or finds its rows.
  private func waitForWriter(
    of table: String, in database: PostgresServer.Database
  ) async throws {
    let locks = "SELECT count(*) FROM pg_locks WHERE relation = '\(table)'::regclass"
    while try await database.sql(locks) == [[["0"]]] {}
  }

  private func tables(_ url: String) throws -> PostgresTables {
    PostgresTables(try PostgresTarget(url), timeout: .seconds(60))
  }

  @Test func `R56: a row that another writer commits meanwhile is a duplicate, the others are new`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let (tables, other) = (try tables(database.url), try tables(database.url))
    _ = try await tables.create()
    async let otherRows: Int = other.writer.transaction { transaction throws(PostgresError) in
      let inserted = try transaction.run(
        """
        INSERT INTO ios_apple_health_sleep (healthkit_uuid, start_time, end_time, source)
        VALUES ('\(uuid(5))', now(), now(), 'Other')
        """
      ).changedCount
      try Self.waitForAnother(transaction)
      return inserted
    }
    try await waitForWriter(of: "ios_apple_health_sleep", in: database)
    let counts = try await tables.store((0..<10).map { night(uuid($0)) })
    #expect(counts == RowCounts(received: 10, inserted: 9))
    #expect(try await otherRows == 1)
    #expect(
      try await database.sql(
        "SELECT source FROM ios_apple_health_sleep WHERE healthkit_uuid = '\(uuid(5))'",
        "SELECT count(*) FROM ios_apple_health_sleep") == [[["\"Other\""]], [["10"]]])
  }

  @Test func `R56: a metric that another writer changes meanwhile keeps the newest value`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let (tables, other) = (try tables(database.url), try tables(database.url))
    _ = try await tables.create()
    let id = "2026-01-15_x"
    // The other says something newer of one metric, and has not committed it.
    async let otherRows: Int = other.writer.transaction { transaction throws(PostgresError) in
      try transaction.run(
        """
        INSERT INTO s3health_metric_orders
          (healthkit_uuid, revision_at, revision_id, revision_value)
        VALUES ('\(id)', to_timestamp(1770000005), 'a', 7.5)
        """)
      let inserted = try transaction.run(
        """
        INSERT INTO ios_apple_health_metrics (healthkit_uuid, date, type, value)
        VALUES ('\(id)', now(), 'x', 7.5)
        """
      ).changedCount
      try Self.waitForAnother(transaction)
      return inserted
    }
    try await waitForWriter(of: "s3health_metric_orders", in: database)
    let counts = try await tables.store(
      [change("2026-01-14_x", 1.5), change(id, 2.5), change("2026-01-16_x", 3.5)], from: .revision)
    #expect(counts == RowCounts(received: 3, inserted: 2))
    #expect(try await otherRows == 1)
    #expect(
      try await database.sql("SELECT value FROM ios_apple_health_metrics ORDER BY healthkit_uuid")
        == [[["1.5"], ["7.5"], ["3.5"]]])
  }

  @Test func `R56: rows of metrics that were stored without an order are replaced, and go`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let tables = try tables(database.url)
    _ = try await tables.create()
    let first = PostgresTables(try PostgresTarget(database.url), onConflict: .nothing)
    let ids = (10..<15).map { "2026-01-\($0)_x" }
    #expect(
      try await first.store(ids.map { change($0, 1.5) }, from: .posted)
        == RowCounts(received: 5, inserted: 5))
    let said = [
      change(ids[0], 1.5), change(ids[1], 2.5), change(ids[2], nil), change("2026-01-20_x", 3.5),
      change("2026-01-21_x", nil),
    ]
    #expect(
      try await tables.store(said, from: .revision)
        == RowCounts(received: 3, inserted: 1, updated: 1, deleted: 1))
    #expect(
      try await database.sql(
        "SELECT healthkit_uuid, value FROM ios_apple_health_metrics ORDER BY healthkit_uuid")
        == [
          [
            ["\"\(ids[0])\"", "1.5"], ["\"\(ids[1])\"", "2.5"], ["\"\(ids[3])\"", "1.5"],
            ["\"\(ids[4])\"", "1.5"], ["\"2026-01-20_x\"", "3.5"],
          ]
        ])
  }

  @Test
  func `R56: a load in many transactions counts and keeps what one transaction would`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let tables = try tables(database.url)
    _ = try await tables.create()
    var random = SplitMix64(seed: 5)
    let nights = (0..<6000).map {
      night(uuid(Int.random(in: 0..<5000, using: &random)), source: "Watch \($0)")
    }
    let first = Dictionary(nights.map { ($0.id, $0.source) }, uniquingKeysWith: { held, _ in held })
    #expect(
      try await tables.load(nights, tables.store)
        == RowCounts(received: 6000, inserted: first.count))
    #expect(try await tables.load(nights, tables.store) == RowCounts(received: 6000))
    let rows = try await database.sql(
      "SELECT healthkit_uuid, source FROM ios_apple_health_sleep ORDER BY healthkit_uuid")
    #expect(
      rows[0]
        == first.sorted { $0.key < $1.key }.map { ["\"\($0.key)\"", "\"\($0.value ?? "")\""] }
    )

    let changes = (0..<6000).map {
      change(
        "2026-01-15_\(10_000 + $0 % 4500)", $0 % 7 == 0 ? nil : Double($0) + 0.5, second: $0 / 3)
    }
    let newest = changes.suffix(4500).filter { $0.value != nil }
    #expect(
      try await tables.load(changes) { piece async throws(PostgresError) in
        try await tables.store(piece, from: .revision)
      }
        == RowCounts(
          received: changes.count { $0.value != nil }, inserted: newest.count))
    let values = try await database.sql(
      "SELECT value FROM ios_apple_health_metrics ORDER BY healthkit_uuid")
    #expect(
      values[0]
        == newest.sorted { $0.id < $1.id }.compactMap { $0.value.map { ["\($0.number ?? .nan)"] } })
  }

  @Test func `R56: a load that fails names the first failure, and later pieces are not begun`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let tables = try tables(database.url)
    await #expect {
      _ = try await tables.load((0..<50_000).map { night(uuid($0)) }, tables.store)
    } throws: { ($0 as? PostgresError)?.code == .tablesMissing }
  }

  @Test(arguments: 1...5)
  func `R56: of ids that are equal byte for byte, the first or newest row stays`(
    seed: UInt64
  ) async throws {
    let database = try await PostgresServer.shared().database()
    let tables = try tables(database.url)
    _ = try await tables.create()
    var random = SplitMix64(seed: seed)
    // Ids that share what comes before, or are equal but for their bytes; and what an array has to quote.
    let parts = ["", "a", "b", "é", "e\u{301}", "{\"", "\\", ",NULL", "2026-01-15_Weight/", "ß"]
    let rows = (0..<300).map { place in
      let count = Int.random(in: 0...4, using: &random)
      let id = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      return change(
        "2026-01-15_\(id)", Double(place), second: Int.random(in: 0..<3, using: &random))
    }
    func choose(_ isBetter: (MetricChange, MetricChange) -> Bool) -> [[String]] {
      var chosen: [[UInt8]: MetricChange] = [:]
      for row in rows {
        let key = Array(row.id.utf8)
        if let held = chosen[key], !isBetter(row, held) { continue }
        chosen[key] = row
      }
      return chosen.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        .map { ["\(Int($0.value.value?.number ?? -1))"] }
    }
    let nights = rows.enumerated().map { night($0.element.id, source: "\($0.offset)") }
    _ = try await tables.store(nights)
    let counts = try await tables.store(rows, from: .posted)
    let newest = choose { !($0.order < $1.order) }
    #expect(counts == RowCounts(received: 300, inserted: newest.count))
    #expect(
      try await database.sql(
        "SELECT source::int FROM ios_apple_health_sleep ORDER BY id",
        "SELECT value::int FROM ios_apple_health_metrics ORDER BY id")
        == [choose { _, _ in false }, newest])
  }
}

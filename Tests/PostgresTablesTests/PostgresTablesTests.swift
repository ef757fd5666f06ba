import Foundation
import HealthExports
import HealthModel
import StoreTesting
import TestSupport
import Testing

@testable import PostgresTables

/// An id of a row, by a number.
private func uuid(_ number: Int) -> String {
  let digits = String(number)
  return "00000000-0000-5000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
}

private func night(_ number: Int, source: String = "Watch") -> SleepRecord {
  let start = Int64(1_760_000_000 + number * 3600)
  return SleepRecord(
    id: uuid(number), start: PreciseMoment(secondsSince1970: start),
    end: PreciseMoment(secondsSince1970: start + 1800), source: source, hours: 0.5,
    value: .asleepCore)
}

private func tables(
  _ url: String, onConflict rule: PostgresTables.ConflictRule = .newest,
  timeout: Duration = .seconds(60)
) throws -> PostgresTables {
  PostgresTables(
    try PostgresTarget(url), onConflict: rule, timeout: timeout)
}

@Suite(.process, .database)
struct PostgresTablesTests {
  @Test func `R56: the tables of the document are made once, however often and by however many`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let all = try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { try await tables(database.url).create() }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(all.count { $0.created.count == 9 } == 1)
    #expect(all.count { $0.present.count == 9 } == 3)
    let columns = try await database.sql(
      """
      SELECT table_name || '.' || column_name, data_type, is_nullable
      FROM information_schema.columns WHERE table_name LIKE 'ios_apple%'
      ORDER BY table_name, ordinal_position
      """)[0]
    #expect(columns.count == 22)
    #expect(
      columns.prefix(7).map { $0.joined(separator: " ") } == [
        #""ios_apple_health_metrics.id" "integer" "NO""#,
        #""ios_apple_health_metrics.healthkit_uuid" "text" "NO""#,
        #""ios_apple_health_metrics.date" "timestamp with time zone" "NO""#,
        #""ios_apple_health_metrics.type" "text" "NO""#,
        #""ios_apple_health_metrics.value" "double precision" "YES""#,
        #""ios_apple_health_metrics.unit" "text" "YES""#,
        #""ios_apple_health_metrics.timezone" "text" "YES""#,
      ])
    let constraints = try await database.sql(
      """
      SELECT count(*) FROM pg_constraint WHERE contype = 'u'
      AND pg_get_constraintdef(oid) = 'UNIQUE (healthkit_uuid)'
      """)
    #expect(constraints == [[["3"]]])
  }

  @Test
  func `R56: a foreign table of the same name, and tables of a newer version, are left alone`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    _ = try await database.sql("CREATE TABLE ios_apple_health_sleep (id INTEGER, value TEXT)")
    await #expect {
      try await tables(database.url).create()
    } throws: { ($0 as? PostgresError)?.code == .tablesDiffer }
    #expect(
      try await database.sql("SELECT to_regclass('ios_apple_health_metrics')") == [[["null"]]])
    _ = try await database.sql("DROP TABLE ios_apple_health_sleep")
    for _ in 0..<2 { _ = try await tables(database.url).create() }
    // The version is written once, and also where an earlier attempt has left it out.
    let version = "SELECT version FROM s3health_schema"
    #expect(try await database.sql(version) == [[["\(SchemaDefinition.version)"]]])
    _ = try await database.sql("DELETE FROM s3health_schema")
    _ = try await tables(database.url).create()
    #expect(try await database.sql(version) == [[["\(SchemaDefinition.version)"]]])
    _ = try await database.sql("UPDATE s3health_schema SET version = 99")
    await #expect {
      try await tables(database.url).create()
    } throws: { ($0 as? PostgresError)?.code == .tablesDiffer }
  }

  @Test
  func `R56: all columns of the three kinds hold what was given, as another client reads them`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let tables = try tables(database.url)
    await #expect {
      try await tables.check()
    } throws: { ($0 as? PostgresError)?.code == .tablesMissing }
    _ = try await tables.create()
    try await tables.check()
    let date = try #require(CalendarDate("2026-01-15"))
    let order = MetricOrder(moment: PreciseMoment(secondsSince1970: 1_770_000_000), id: "a")
    _ = try await tables.store(
      .metrics([
        MetricRecord(
          date: date, type: "VO2 Max (ml/(kg·min))", value: 41.123456789012345,
          unit: "ml/(kg·min)", timeZoneName: "Asia/Kolkata")
      ]), order: order)
    _ = try await tables.store([
      WorkoutRecord(
        id: uuid(1), type: "Tab\tand\\line\n\\N", start: PreciseMoment(microseconds: 1_500_000),
        end: PreciseMoment(microseconds: -250_000 + 3_000_000), durationSeconds: 1,
        timeZoneName: nil, metrics: ["Avg Speed(mi/hr)": 6.25])
    ])
    _ = try await tables.store([night(1, source: "Ünï'; DROP TABLE x; --")])
    let rows = try await database.sql(
      "SELECT healthkit_uuid, date, type, value, unit, timezone FROM ios_apple_health_metrics",
      "SELECT type, start_time, end_time, duration_seconds, timezone, metrics->>'Avg Speed(mi/hr)' FROM ios_apple_health_workouts",
      "SELECT healthkit_uuid, start_time, source, qty, value FROM ios_apple_health_sleep")
    #expect(
      rows[0] == [
        [
          #""2026-01-15_VO2 Max (ml/(kg·min))""#, #""2026-01-15T00:00:00.000000Z""#,
          #""VO2 Max (ml/(kg·min))""#, "41.123456789012344", #""ml/(kg·min)""#, #""Asia/Kolkata""#,
        ]
      ])
    #expect(
      rows[1] == [
        [
          #""Tab\tand\\line\n\\N""#, #""1970-01-01T00:00:01.500000Z""#,
          #""1970-01-01T00:00:02.750000Z""#, "1", "null", #""6.25""#,
        ]
      ])
    #expect(
      rows[2] == [
        [
          "\"\(uuid(1))\"", #""2025-10-09T09:53:20.000000Z""#, #""Ünï'; DROP TABLE x; --""#, "0.5",
          #""asleepCore""#,
        ]
      ])
  }

  @Test func `R56: what a row need not have is null, and far moments and numbers are kept`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let tables = try tables(database.url)
    _ = try await tables.create()
    let (first, last) = (
      PreciseMoment("1900-01-01T00:00:00Z"), PreciseMoment("9999-12-31T23:59:59Z")
    )
    func workout(_ seconds: Int?) throws -> WorkoutRecord {
      WorkoutRecord(
        id: uuid(1), type: "", start: try #require(first), end: try #require(last),
        durationSeconds: seconds, timeZoneName: nil, metrics: [:])
    }
    // Refused by the column, and nothing is stored.
    await #expect {
      try await tables.store([workout(Int(Int32.max) + 1)])
    } throws: { ($0 as? PostgresError)?.sqlState == "22003" }
    #expect(try await tables.store([workout(nil)]).inserted == 1)
    #expect(
      try await tables.store([
        SleepRecord(
          id: uuid(2), start: try #require(first), end: try #require(last), source: nil,
          hours: nil, value: .awake)
      ]).inserted == 1)
    let moments = [#""1900-01-01T00:00:00.000000Z""#, #""9999-12-31T23:59:59.000000Z""#]
    let rows = try await database.sql(
      "SELECT start_time, end_time, type, duration_seconds, timezone, metrics::text FROM ios_apple_health_workouts",
      "SELECT start_time, end_time, source, qty FROM ios_apple_health_sleep")
    #expect(rows[0] == [moments + [#""""#, "null", "null", #""{}""#]])
    #expect(rows[1] == [moments + ["null", "null"]])
  }

  @Test func `R56: counts are exact while several write the same rows, and no row is doubled`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    _ = try await tables(database.url).create()
    let counts = try await withThrowingTaskGroup { group in
      for writer in 0..<8 {
        group.addTask {
          let tables = try tables(database.url)
          var random = SplitMix64(seed: UInt64(writer) + 7)
          var counts = RowCounts()
          for _ in 0..<6 {
            // Repeats within a batch count as duplicates, too.
            let batch = (0..<200).map { _ in night(Int.random(in: 0..<900, using: &random)) }
            let more = try await tables.store(batch)
            #expect(more.received == 200)
            counts += more
          }
          return counts
        }
      }
      return try await group.reduce(into: RowCounts()) { $0 += $1 }
    }
    let rows = try await database.sql(
      "SELECT count(*), count(DISTINCT healthkit_uuid) FROM ios_apple_health_sleep",
      "SELECT max(id) < 2 * count(*) FROM ios_apple_health_sleep")
    #expect(rows[0] == [["\(counts.inserted)", "\(counts.inserted)"]])
    #expect(counts.received == 9600)
    #expect(counts.duplicates == 9600 - counts.inserted)
    // Duplicates use up hardly any number of the column `id`.
    #expect(rows[1] == [["true"]])
  }

  @Test func `R56: the row that was first stays: workouts and sleep are never replaced`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let tables = try tables(database.url)
    _ = try await tables.create()
    #expect(
      try await tables.store([night(1), night(1, source: "Other")])
        == RowCounts(received: 2, inserted: 1))
    #expect(
      try await tables.store([night(1, source: "Third"), night(2)])
        == RowCounts(received: 2, inserted: 1))
    #expect(
      try await database.sql("SELECT source FROM ios_apple_health_sleep ORDER BY healthkit_uuid")
        == [[["\"Watch\""], ["\"Watch\""]]])
  }

  @Test(arguments: [1, 2, 3])
  func `R56: metrics are the newest of all that was said, in whatever order it arrives`(
    seed: UInt64
  ) async throws {
    let database = try await PostgresServer.shared().database()
    _ = try await tables(database.url).create()
    var random = SplitMix64(seed: seed)
    // What is said: by revisions, which also take metrics away, and by posted records, whose value
    // may be null.
    var said: [(MetricChange.Origin, MetricChange)] = []
    for step in 0..<400 {
      let origin = Bool.random(using: &random) ? MetricChange.Origin.revision : .posted
      let isGone = origin == .revision && Int.random(in: 0..<3, using: &random) == 0
      let isNull = origin == .posted && Int.random(in: 0..<3, using: &random) == 0
      // A revision is newer by its id, and its number may be an old one of the ledger.
      let moment = Int.random(in: 10..<50, using: &random)
      let since = origin == .revision ? Int.random(in: 10...moment, using: &random) : moment
      let order = MetricOrder(
        moment: PreciseMoment(microseconds: 1_770_000_000_000_000 + since),
        id: (origin == .revision ? "\(moment)" : "") + "\(["a", "B", "b"][step % 3])\(step)")
      said.append(
        (
          origin,
          MetricChange(
            id: "2026-01-\(10 + step % 7)_x", order: order,
            value: isGone
              ? nil
              : .init(
                number: isNull ? nil : Double(step) + 0.5, unit: "lb",
                timeZoneName: "Europe/Berlin"))
        ))
    }
    var batches: [(MetricChange.Origin, [MetricChange])] = []
    for origin in MetricChange.Origin.allCases {
      // Each is said twice, in different company.
      var rest = (said + said).filter { $0.0 == origin }.map(\.1).shuffled(using: &random)
      while !rest.isEmpty {
        let size = min(rest.count, Int.random(in: 1...25, using: &random))
        batches.append((origin, Array(rest.prefix(size))))
        rest.removeFirst(size)
      }
    }
    batches.shuffle(using: &random)
    let counts = try await withThrowingTaskGroup { group in
      let tables = try tables(database.url)
      for (origin, batch) in batches {
        group.addTask { try await tables.store(batch, from: origin) }
      }
      return try await group.reduce(into: RowCounts()) { $0 += $1 }
    }
    let expected = model(said)
    let rows = try await database.sql(
      "SELECT healthkit_uuid, value FROM ios_apple_health_metrics ORDER BY healthkit_uuid",
      "SELECT count(*) FROM s3health_metric_orders")
    #expect(
      rows[0]
        == expected.sorted { $0.key < $1.key }.map {
          ["\"\($0.key)\"", $0.value.map { "\($0)" } ?? "null"]
        })
    #expect(rows[1] == [["7"]])
    #expect(counts.inserted - counts.deleted == expected.count)
  }

  /// The newest of each origin; of the two that have a number, the newer; else what was posted.
  private func model(_ said: [(MetricChange.Origin, MetricChange)]) -> [String: Double?] {
    var newest: [String: [MetricChange.Origin: MetricChange]] = [:]
    for (origin, change) in said {
      let held = newest[change.id]?[origin]
      let isNewer = held.map { held in
        origin == .revision
          ? held.order.id.utf8.lexicographicallyPrecedes(change.order.id.utf8)
          : held.order < change.order
      }
      if isNewer ?? true {
        newest[change.id, default: [:]][origin] = change
      }
    }
    return newest.compactMapValues { origins in
      let numbered = origins.values.filter { $0.value?.number != nil }
      return numbered.max { $0.order < $1.order }?.value.map(\.number)
        ?? origins[.posted]?.value.map(\.number)
    }
  }

  @Test(
    "A metric that the newest revision lacks loses its row, and an older one does not bring it back"
  )
  func vanishes() async throws {
    let database = try await PostgresServer.shared().database()
    let tables = try tables(database.url)
    _ = try await tables.create()
    func revision(_ readings: [DailyMetric: Double], second: Int) throws -> [MetricChange] {
      let moment = Timestamp(secondsSince1970: 1_770_000_000 + second)
      return MetricChange.changes(
        DailyRevision(
          day: try ReportingDay(
            date: try #require(CalendarDate("2026-01-15")), timeZoneName: "UTC"),
          generatedAt: moment, collector: nil, readings: readings.mapValues(MetricReading.value)),
        id: RevisionID(at: moment, entropy: 7))
    }
    let first = try revision([.weight: 80, .waist: 90], second: 1)
    #expect(first.count == 28)
    let third = try revision([.waist: 91], second: 3)
    #expect(
      try await tables.store(first, from: .revision) == RowCounts(received: 2, inserted: 2))
    #expect(
      try await tables.store(third, from: .revision)
        == RowCounts(received: 1, inserted: 0, updated: 1, deleted: 1))
    let second = try revision([.weight: 85, .bodyFat: 20], second: 2)
    #expect(
      try await tables.store(second, from: .revision) == RowCounts(received: 2, inserted: 0))
    #expect(
      try await database.sql("SELECT type FROM ios_apple_health_metrics")
        == [[["\"Waist Circumference (in)\""]]])
    // What was posted is not the ledger's to take away.
    let posted = MetricOrder(moment: PreciseMoment(secondsSince1970: 1_770_000_002), id: "p")
    let weight = MetricRecord(
      date: try #require(CalendarDate("2026-01-15")), type: "Weight/Body Mass (lb)", value: 175.5,
      unit: "lb", timeZoneName: "UTC")
    #expect(
      try await tables.store(.metrics([weight]), order: posted)
        == RowCounts(received: 1, inserted: 1))
    #expect(
      try await tables.store(revision([:], second: 9), from: .revision).deleted == 1)
    #expect(
      try await database.sql("SELECT value FROM ios_apple_health_metrics") == [[["175.5"]]])
  }

  @Test func `R56: with the rule of the document the first value of a day stays`() async throws {
    let database = try await PostgresServer.shared().database()
    let tables = try tables(database.url, onConflict: .nothing)
    _ = try await tables.create()
    func batch(_ value: Double) throws -> RecordBatch {
      .metrics([
        MetricRecord(
          date: try #require(CalendarDate("2026-01-15")), type: "Protein (g)", value: value,
          unit: "g", timeZoneName: nil)
      ])
    }
    let order = MetricOrder(moment: PreciseMoment(secondsSince1970: 1), id: "a")
    #expect(
      try await tables.store(batch(1.5), order: order) == RowCounts(received: 1, inserted: 1))
    let later = MetricOrder(moment: PreciseMoment(secondsSince1970: 2), id: "a")
    #expect(
      try await tables.store(batch(2), order: later) == RowCounts(received: 1, inserted: 0))
    #expect(try await database.sql("SELECT value FROM ios_apple_health_metrics") == [[["1.5"]]])
  }
}

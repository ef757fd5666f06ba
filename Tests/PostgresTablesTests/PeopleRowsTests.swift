import HealthExports
import HealthModel
import TestSupport
import Testing

@testable import PostgresTables

/// The rows of several people in the same tables (R65).
@Suite(.process, .database)
struct PeopleRowsTests {
  private static let id = "2026-02-08_step_count"

  private func change(_ number: Double?, second: Int = 0, id: String = id) -> MetricChange {
    MetricChange(
      id: id,
      order: MetricOrder(
        moment: PreciseMoment(secondsSince1970: Int64(1_770_000_000 + second)), id: "a"),
      value: number.map { .init(number: $0, unit: "count", timeZoneName: nil) })
  }

  private func night(source: String) -> SleepRecord {
    SleepRecord(
      id: "00000000-0000-5000-8000-000000000001", start: PreciseMoment(secondsSince1970: 0),
      end: PreciseMoment(secondsSince1970: 60), source: source, hours: nil, value: .awake)
  }

  private func tables(_ url: String) throws -> PostgresTables {
    PostgresTables(try PostgresTarget(url), timeout: .seconds(60))
  }

  private func rows(_ database: PostgresServer.Database) async throws -> [[String]] {
    try await database.sql(
      "SELECT person, value FROM ios_apple_health_metrics ORDER BY person COLLATE \"C\"")[0]
  }

  @Test
  func `R65: equal ids of several people get separate rows, each in its own order`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let tables = try tables(database.url)
    _ = try await tables.create(forPeople: true)
    let (ann, bob) = (tables.of("ann"), tables.of("bob"))
    for (owner, number) in [(tables, 1.0), (ann, 2), (bob, 3)] {
      let counts = try await owner.store([change(number)], from: .posted)
      #expect(counts == RowCounts(received: 1, inserted: 1))
      #expect(try await owner.store([night(source: "\(number)")]).inserted == 1)
    }
    #expect(try await rows(database) == [["\"\"", "1"], ["\"ann\"", "2"], ["\"bob\"", "3"]])
    // A newer value of one changes that one's row; an older one none.
    #expect(try await ann.store([change(20, second: 5)], from: .posted).updated == 1)
    #expect(try await bob.store([change(30, second: -5)], from: .posted).updated == 0)
    #expect(try await ann.store([change(nil, second: 9)], from: .revision) == RowCounts())
    #expect(try await rows(database) == [["\"\"", "1"], ["\"ann\"", "20"], ["\"bob\"", "3"]])
    #expect(
      try await database.sql(
        "SELECT person FROM ios_apple_health_sleep ORDER BY person COLLATE \"C\"")[0]
        == [["\"\""], ["\"ann\""], ["\"bob\""]])
  }

  @Test(arguments: [false, true])
  func `R56: a row that is gone or old is made again, with the newest value`(
    forPeople: Bool
  ) async throws {
    let database = try await PostgresServer.shared().database()
    let all = try tables(database.url)
    _ = try await all.create(forPeople: forPeople)
    let tables = forPeople ? all.of("ann") : all
    let other = "2026-02-09_step_count"
    let newest = [change(20, second: 5), change(7, id: other)]
    #expect(try await tables.store(newest, from: .posted).inserted == 2)
    if forPeople {
      // Another person's row is not the one that is missing.
      #expect(try await all.of("bob").store([change(3)], from: .posted).inserted == 1)
    }
    let whose = forPeople ? " AND person = 'ann'" : ""
    let id = "healthkit_uuid = '\(Self.id)'\(whose)"
    let value = "SELECT value FROM ios_apple_health_metrics WHERE \(id)"
    _ = try await database.sql("DELETE FROM ios_apple_health_metrics WHERE \(id)")
    // An older value does not replace the one that the orders keep.
    let older = [change(10), change(7, id: other)]
    #expect(
      try await tables.store(older, from: .posted) == RowCounts(received: 2, inserted: 1))
    #expect(try await database.sql(value) == [[["20"]]])
    // As in a table from an old copy.
    _ = try await database.sql("UPDATE ios_apple_health_metrics SET value = 10 WHERE \(id)")
    #expect(
      try await tables.store(older, from: .posted)
        == RowCounts(received: 2, inserted: 0, updated: 1))
    #expect(try await database.sql(value) == [[["20"]]])
    // A metric that is to have no row gets none.
    let gone = "2026-02-10_step_count"
    for _ in 0..<2 {
      #expect(try await tables.store([change(nil, id: gone)], from: .revision) == RowCounts())
    }
  }

  @Test func `R65: tables get people once, and the rows that are there stay`() async throws {
    let database = try await PostgresServer.shared().database()
    let tables = try tables(database.url)
    _ = try await tables.create()
    #expect(try await tables.store([change(1)], from: .posted).inserted == 1)
    await #expect(throws: PostgresError.self) {
      _ = try await tables.of("ann").store([change(2)], from: .posted)
    }
    let made = try await tables.create(forPeople: true).created
    #expect(made.count == 4 && made.allSatisfy { $0.hasSuffix(".person") })
    #expect(try await tables.create(forPeople: true).created.isEmpty)
    #expect(try await tables.create().created.isEmpty)
    #expect(try await tables.of("ann").store([change(2)], from: .posted).inserted == 1)
    // The same program goes on with its own row.
    #expect(try await tables.store([change(10, second: 1)], from: .posted).updated == 1)
    #expect(try await rows(database) == [["\"\"", "10"], ["\"ann\"", "2"]])
  }

  @Test func `R65: many people who write at once get each their own newest value`() async throws {
    let database = try await PostgresServer.shared().database()
    let tables = try tables(database.url)
    _ = try await tables.create(forPeople: true)
    try await withThrowingTaskGroup { group in
      for person in 0..<8 {
        for second in 0..<12 {
          group.addTask {
            _ = try await tables.of("p\(person)").store(
              [change(Double(person * 100 + second), second: second)], from: .posted)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(
      try await rows(database) == (0..<8).map { ["\"p\($0)\"", "\($0 * 100 + 11)"] })
  }
}

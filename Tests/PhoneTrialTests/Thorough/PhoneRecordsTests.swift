import Foundation
import HealthExports
import HealthModel
import PhoneKit
import Secrets
import SyncClients
import TestSupport
import Testing

/// The app's records on a real hub with PostgreSQL.
@MainActor @Suite(.server, .database) struct PhoneRecordsTests {
  /// How many requests of a kind the hub has taken: each is an object of its store.
  private func requests(_ kind: String, _ store: URL) -> Int {
    let root = store.appending(path: "streams/v0/health_records").path
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    return names.count { $0.contains("/\(kind)/") && $0.hasSuffix(".json.gz") }
  }

  @Test
  func
    `the past goes out from the first sample on in large requests, and a correction of any age follows`()
    async throws
  {
    let phone = try await PhoneOnHub(limit: 5000)
    defer { phone.removeHome() }
    // Noon of today in UTC: a day before it is on another date, also where a clock was set.
    let noon = Timestamp(
      secondsSince1970: Timestamp.now.secondsSince1970 / 86_400 * 86_400 + 43_200)
    func weigh(daysAgo: Int, number: Int) throws {
      try phone.health.add(
        .bodyMass, 70, at: noon.adding(seconds: -daysAgo * 86_400), number: number)
    }
    for day in 1...60 { try weigh(daysAgo: day, number: day) }
    try weigh(daysAgo: 400, number: 1000)

    let app = try await phone.model()
    await app.records.send(.connect)
    #expect(app.records.machine.phase == .upToDate, "\(app.records.machine.phase)")
    let sent = app.records.machine.progress
    #expect(sent.records == 61 && sent.days == sent.allDays && (401...403).contains(sent.allDays))
    #expect(try await phone.weights() == 61)
    // Days by themselves would be 61 requests.
    #expect(requests("metrics", phone.store) <= 4)

    // Years late: a weight, a night, and a workout.
    try weigh(daysAgo: 200, number: 1001)
    let night = noon.adding(seconds: -300 * 86_400)
    try phone.health.add(.sleepAnalysis, 3, at: night, lasting: 3600, number: 1002)
    phone.health.add(
      Workout(
        id: "0d0a5c1e-0000-4000-8000-100000000001", activity: "Running",
        start: Int64(night.secondsSince1970), end: Int64(night.secondsSince1970 + 1800),
        duration: 1800, source: "Watch", figures: [.distance: 5000]))
    await app.records.send(.syncNow)
    #expect(app.records.machine.phase == .upToDate, "\(app.records.machine.phase)")
    #expect(try await phone.weights() == 62)
    #expect(try await phone.rows("sleep") == 1)
    #expect(try await phone.rows("workouts") == 1)

    // "Last synced" outlasts the app. What was sent is not news any more: there is no hub, and nothing is asked
    // of it.
    let last = app.records.machine.lastSync
    let again = try await phone.model()
    #expect(last != nil && again.records.machine.lastSync == last)
    #expect(
      again.records.machine.text(timeZoneName: "UTC").contains { $0.hasPrefix("✅ Up to date, ") })
    try await phone.hub.end(by: SIGTERM)
    await again.records.send(.syncNow)
    #expect(again.records.machine.phase == .upToDate, "\(again.records.machine.phase)")
  }

  @Test func `R56: a day whose only sample was deleted says that it has no number any more`()
    async throws
  {
    let phone = try await PhoneOnHub(limit: 5000)
    defer { phone.removeHome() }
    let noon = Timestamp(
      secondsSince1970: Timestamp.now.secondsSince1970 / 86_400 * 86_400 + 43_200)
    /// Whether each row has a number, by date.
    func numbers() async throws -> [Bool] {
      try await phone.database.sql(
        "SELECT value IS NOT NULL FROM ios_apple_health_metrics WHERE type LIKE 'Weight%' "
          + "ORDER BY date")[0].map { $0[0] == "true" }
    }
    // One of the last week, one that is older.
    let days = [20, 2]
    for (number, day) in days.enumerated() {
      try phone.health.add(
        .bodyMass, 70, at: noon.adding(seconds: -day * 86_400), number: number + 1)
    }
    try await phone.service.backfillRecords()
    #expect(try await numbers() == [true, true])
    for (number, day) in days.enumerated() {
      try phone.health.delete(
        .bodyMass, number: number + 1, at: noon.adding(seconds: -day * 86_400))
    }
    try await phone.service.syncRecords()
    #expect(try await numbers() == [false, false])
    // Measured anew, and deleted again: each is news.
    let last = noon.adding(seconds: -2 * 86_400)
    try phone.health.add(.bodyMass, 70, at: last, number: 3)
    try await phone.service.syncRecords()
    #expect(try await numbers() == [false, true])
    try phone.health.delete(.bodyMass, number: 3, at: last)
    try await phone.service.syncRecords()
    #expect(try await numbers() == [false, false])
    try await phone.hub.end(by: SIGTERM)
  }

  @Test
  func `R56: a record that no server takes is left out and named, and those beside it are stored`()
    async throws
  {
    let (program, store, database) = try await HubProgram.withTables()
    defer { program.removeHome() }
    let token = try await HubProgram.token("phone", program)
    let hub = try await HubProgram(program, store: store.path)
    let client = try RecordClient(hub.url, token: Secret(token))
    let date = try #require(CalendarDate("2026-01-15"))
    let records = [(DailyMetric.weight, 70.25), (.bodyMassIndex, 4000)].compactMap {
      MetricRecord($0.0, $0.1, on: date, timeZoneName: "Europe/Berlin")
    }
    let (counts, refused) = try await client.post(whatCountsOf: .metrics(records))
    #expect(counts.received == 1 && counts.inserted == 1)
    #expect(refused.count == 1 && refused.first?.code == .outOfBounds, "\(refused)")
    let rows = try await database.sql("SELECT count(*) FROM ios_apple_health_metrics")
    #expect(rows == [[["1"]]])
    try await hub.end(by: SIGTERM)
  }
}

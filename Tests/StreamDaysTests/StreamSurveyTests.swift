import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams
import ObjectStore
import StoreTesting
import Testing

@testable import StreamDays

/// Days that are listed at once (R49).
@Suite(.unit) struct StreamSurveyTests {
  private static let dates = (1...9).map { "2026-03-0\($0)" }

  private static func fill(_ world: StreamWorld) async throws {
    for (number, date) in dates.enumerated() where number != 4 {
      for hour in 10..<13 {
        try await world.send(
          [
            Entries.steps(
              10, "\(date)T\(hour):00:00Z", "\(date)T\(hour):01:00Z",
              uuid: Entries.uuid(number * 24 + hour))
          ], receivedAt: Timestamp("\(date)T20:00:00Z"))
      }
    }
  }

  @Test func `a run that finds nothing new lists all days at once, and writes nothing (R49)`()
    async throws
  {
    let store = FaultInjectingStore(MemoryStore())
    let world = try StreamWorld(store, at: "2026-03-09T22:00:00Z")
    try await Self.fill(world)
    let dates = Set(try Self.dates.map(world.date))
    _ = try await world.sweep("2026-03-09", dates)
    world.advance(3600)
    _ = try await world.sweep("2026-03-09", dates)
    let (lists, keys) = (store.log.lists, try await store.base.keys())
    let writes = store.log.count(.put) + store.log.count(.delete)
    let (_, done) = try await world.sweep("2026-03-09", dates)
    #expect(done.count == 9)
    // The markers, the devices, their batches, what names payloads, and the days. The day without
    // samples has neither a revision nor a basis: it is read, and not listed again.
    #expect(store.log.lists - lists == 5)
    #expect(try await store.base.keys() == keys)
    #expect(store.log.count(.put) + store.log.count(.delete) == writes)
    for (number, date) in Self.dates.enumerated() {
      #expect(try await world.steps(date) == (number == 4 ? nil : 30), "\(date)")
    }
  }

  @Test func `figures of an old survey do not replace newer ones (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-09T22:00:00Z")
    try await Self.fill(world)
    let deriver = world.deriver()
    let survey = await deriver.survey(of: try Self.dates.map(world.date))
    #expect(survey?.dates.upperBound == (try world.date("2026-03-09")))
    try await world.send([
      Entries.steps(
        500, "2026-03-08T15:00:00Z", "2026-03-08T15:01:00Z", uuid: Entries.uuid(9999))
    ])
    // Another machine is faster.
    _ = try await world.derive("2026-03-08")
    world.advance(60)
    let late = try await deriver.recompute(world.date("2026-03-08"), after: survey)
    #expect(late.published == nil && late.outcome?.isSettled == true)
    #expect(try await world.steps("2026-03-08") == 530)
    #expect(try await world.ledger.history(world.date("2026-03-08")).count == 1)
    // A date that it does not hold is listed for itself.
    let one = try await deriver.survey(of: [world.date("2026-03-01"), world.date("2026-03-02")])
    #expect(
      try await deriver.recompute(world.date("2026-03-07"), after: one).published != nil)
    #expect(try await world.steps("2026-03-07") == 30)
  }

  @Test func `what may hide samples of one day does not hold up the others (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-09T22:00:00Z")
    try await Self.fill(world)
    let id = String(repeating: "a", count: 64)
    let copy = "streams/v0/apple_ios_healthkit/\(StreamWorld.device)/2026/03/02/\(id) 2.json.gz"
    _ = try await world.store.put(try #require(ObjectKey(copy)), [1], if: .absent)
    let deriver = world.deriver()
    #expect(await deriver.survey(of: try Self.dates.map(world.date)) == nil)
    let sweep = MarkerSweep(
      deriver, today: try world.date("2026-03-09"),
      now: { world.shared.now })
    var failed: [CalendarDate] = []
    _ = try await sweep.run(Set(try Self.dates.map(world.date))) { date, result in
      if case .failure = result { failed.append(date) }
    }
    // A batch may bear on the two days before it is filed and the day after.
    #expect(failed.map(\.description) == Array(Self.dates[0...3]))
    #expect(try await world.steps("2026-03-06") == 30)
  }

  @Test func `days far apart are not listed as one (R49)`() throws {
    func range(_ texts: String...) throws -> String? {
      let dates = try texts.map { try #require(CalendarDate($0)) }
      return StreamSurvey.range(of: dates).map { "\($0.lowerBound) \($0.upperBound)" }
    }
    #expect(try range() == nil)
    #expect(try range("2026-03-01") == nil)
    #expect(try range("2026-03-01", "2026-03-09", "2026-03-10") == nil)
    #expect(
      try range("2026-03-01", "2026-03-04", "2026-03-05", "2026-03-20") == "2026-03-01 2026-03-05")
    let days = try (0..<60).map { try #require(CalendarDate("2026-03-01")?.adding(days: $0)) }
    #expect(StreamSurvey.range(of: days)?.upperBound.description == "2026-03-31")
  }
}

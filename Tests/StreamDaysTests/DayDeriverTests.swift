import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import Testing

@testable import StreamDays

/// Days derived from a store's streams (R45, R49).
@Suite(.unit) struct DayDeriverTests {
  private let other = Collector(collectorID: .init(), deviceID: .init())

  @Test func `samples become a day, and a second run writes nothing (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await world.send([
      Entries.steps(40, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z", uuid: Entries.uuid(1)),
      Entries.steps(60, "2026-03-02T11:00:00Z", "2026-03-02T11:01:00Z", uuid: Entries.uuid(2)),
    ])
    let first = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 100)
    let before = try await world.store.keys()
    world.advance(60)
    let second = try await world.derive("2026-03-02")
    guard case .settled(let id, let wrote) = first.outcome else {
      Issue.record("\(first)")
      return
    }
    #expect(wrote == [id] && second.outcome == .settled(id, wrote: []))
    #expect(try await world.store.keys() == before)
    // Without the basis the batches are read again, and still nothing is written but the basis.
    let basis = try #require(ObjectKey("streams/v0/.derived/2026-03-02"))
    try await world.store.delete(basis)
    #expect(try await world.derive("2026-03-02").outcome == .settled(id, wrote: []))
    #expect(try await world.store.keys() == before)
    #expect(try await world.derive("2026-03-01").outcome == .nothing)
  }

  @Test func `the next deriver moves the pointer that a stopped one did not move (R20, R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    let pointer = world.ledger.layout.pointerKey(try world.date("2026-03-02"))
    try await world.send(40, hour: 10)
    _ = try await world.derive("2026-03-02")
    let old = try #require(try await world.store.get(pointer, limit: 4096))
    try await world.send(60, hour: 11)
    _ = try await world.derive("2026-03-02")
    let new = try #require(try await world.store.get(pointer, limit: 4096))
    #expect(old.body != new.body)
    // The deriver was stopped after it wrote the revision, before the pointer and the basis.
    try await world.store.delete(pointer)
    _ = try await world.store.put(pointer, old.body, if: .absent)
    try await world.store.delete(try #require(ObjectKey("streams/v0/.derived/2026-03-02")))
    let revisions = try await world.ledger.history(try world.date("2026-03-02"))
    let again = try await world.derive("2026-03-02")
    #expect(again.outcome == .settled(try #require(revisions.last), wrote: []))
    #expect(try await world.store.get(pointer, limit: 4096)?.body == new.body)
    #expect(try await world.ledger.history(try world.date("2026-03-02")) == revisions)
  }

  @Test func `a day keeps its numbers when any of its batches is lost, and fails (R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await world.send(40, hour: 10)
    let first = try #require(
      try await world.store.keys().first { $0.hasSuffix(".json.gz") }.flatMap { ObjectKey($0) })
    try await world.send(60, hour: 11)
    _ = try await world.derive("2026-03-02")
    let object = try #require(try await world.store.get(first, limit: 4096))
    try await world.store.delete(first)
    // The day after it reads the same batches, and no numbers are made of them.
    #expect(try await world.derive("2026-03-03").outcome == .nothing)
    try await world.send(1, hour: 12)
    for _ in 0..<2 {
      await #expect {
        try await world.derive("2026-03-02")
      } throws: { error in
        (error as? LedgerError)?.message
          == "2026-03-02 stays as it is: raw data that it was made of is gone (batches: 1 or more)"
      }
      #expect(try await world.steps("2026-03-02") == 100)
    }
    // Restored, it counts with what came meanwhile.
    _ = try await world.store.put(first, object.body, if: .absent)
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 101)
    // The person accepts that it is lost.
    try await world.store.delete(first)
    try await world.store.delete(try #require(ObjectKey("streams/v0/.derived/2026-03-02")))
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 61)
  }

  @Test func `a day whose raw data was all removed keeps its numbers, with a note (R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await world.send([
      Entries.steps(40, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z", uuid: Entries.uuid(1))
    ])
    guard case .settled(let id, _) = try await world.derive("2026-03-02").outcome else {
      Issue.record("the day was not made")
      return
    }
    for key in try await world.store.keys() where key.hasPrefix("streams/") {
      try await world.store.delete(try #require(ObjectKey(key)))
    }
    world.advance(60)
    let again = try await world.derive("2026-03-02")
    #expect(again.outcome == .nothing && again.notes.count == 1, "\(again)")
    #expect(try await world.latest("2026-03-02")?.id == id)
    // A deletion is not a loss.
    try await world.send([
      Entries.deletion("2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z", uuid: Entries.uuid(1))
    ])
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == nil)
  }

  @Test func `an entry counts once, however often and in whatever batches it is stored (R45)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    let a = try Entries.steps(
      40, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z", uuid: Entries.uuid(1))
    let b = try Entries.steps(
      60, "2026-03-02T11:00:00Z", "2026-03-02T11:01:00Z", uuid: Entries.uuid(2))
    try await world.send([a, b])
    try await world.send([a, b, a])
    try await world.send([b])
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 100)
    // A deletion wins, also over a retry that follows it.
    try await world.send([
      Entries.deletion("2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z", uuid: Entries.uuid(1))
    ])
    world.advance(60)
    try await world.send([a])
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 60)
    try await world.send([
      Entries.deletion("2026-03-02T11:00:00Z", "2026-03-02T11:01:00Z", uuid: Entries.uuid(2))
    ])
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == nil)
  }

  @Test func `a corrected sample without a UUID takes the place of the first (R45)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await world.send([Entries.steps(40, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z")])
    world.advance(60)
    try await world.send([Entries.steps(70, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z")])
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 70)
  }

  @Test func `two feeds of the same samples are not added (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    let sample = try Entries.steps(40, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z")
    try await world.send([sample], feed: "a")
    try await world.send([sample], feed: "b")
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 40)
  }

  @Test func `a sample without a UUID does not replace another feed's (R45)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    let ten = ("2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z")
    try await world.send(
      [
        Entries.steps(40, ten.0, ten.1),
        Entries.steps(60, "2026-03-02T11:00:00Z", "2026-03-02T11:01:00Z"),
      ], feed: "a")
    world.advance(60)
    try await world.send([Entries.steps(70, ten.0, ten.1)], feed: "b")
    // The feed with more samples counts, and has all of its own.
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 100)
  }

  @Test func `40 streamed steps do not replace an import's 12,000 (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-03T12:00:00Z")
    try await world.send([
      Entries.steps(40, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z", uuid: Entries.uuid(1)),
      Entries.entry(
        #"{"sample_type":"HKQuantityTypeIdentifierRestingHeartRate","timestamp":"2026-03-02T09:00:00Z","value":51,"unit":"bpm"}"#
      ),
    ])
    _ = try await world.publish(
      "2026-03-02", [.steps: .value(12_000), .restingHeartRate: .value(60)], as: other)
    _ = try await world.derive("2026-03-02")
    let latest = try #require(try await world.latest("2026-03-02"))
    #expect(latest.revision.collector == .derivation)
    #expect(latest.revision.readings[.steps] == .value(12_000))
    // What was read after the day comes before a stream of which samples may be missing.
    #expect(latest.revision.readings[.restingHeartRate] == .value(60))
    let again = try await world.derive("2026-03-02")
    #expect(again.outcome == .settled(latest.id, wrote: []))
  }

  @Test func `a day that an export has corrected stays so when more samples come (R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-04T12:00:00Z")
    func send(_ rate: Int, hour: Int) async throws {
      try await world.send([
        Entries.entry(
          #"{"sample_type":"HKQuantityTypeIdentifierRestingHeartRate","timestamp":"2026-03-02T\#(hour):00:00Z","value":\#(rate),"unit":"bpm"}"#
        )
      ])
      _ = try await world.derive("2026-03-02")
    }
    func rate() async throws -> Double? {
      try await world.latest("2026-03-02")?.revision.readings[.restingHeartRate]?.number
    }
    try await send(71, hour: 10)
    #expect(try await rate() == 71)
    _ = try await world.publish(
      "2026-03-02", [.restingHeartRate: .value(60), .steps: .value(12_000)], as: other,
      isExport: true)
    #expect(try await rate() == 60)
    try await send(73, hour: 11)
    #expect(try await rate() == 60)
  }

  @Test func `what the streams say is stored once, also beside equal figures (R20, R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-03T12:00:00Z")
    try await world.send([Entries.steps(40, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z")])
    _ = try await world.publish("2026-03-02", [.steps: .value(40)], as: other)
    _ = try await world.derive("2026-03-02")
    let stored = try #require(try await world.latest("2026-03-02"))
    #expect(Set(stored.revision.allWords.all.map(\.source)) == [.healthKit, .streams])
    world.advance(60)
    let again = try await world.derive("2026-03-02")
    #expect(again.outcome == .settled(stored.id, wrote: []))
  }

  @Test func `a night counts on the day on which it ends, in the day's zone (R49)`() async throws {
    let world = try StreamWorld(zone: "Pacific/Auckland", at: "2026-03-03T12:00:00Z")
    // 22:00 to 02:00 by the clock in Auckland, which is 13 hours ahead.
    try await world.send([
      Entries.entry(
        #"{"sample_type":"HKCategoryTypeIdentifierSleepAnalysis","timestamp":"2026-03-02T09:00:00Z","end_timestamp":"2026-03-02T13:00:00Z","value":3,"unit":""}"#
      )
    ])
    #expect(try await world.derive("2026-03-02").outcome == .nothing)
    _ = try await world.derive("2026-03-03")
    let latest = try await world.latest("2026-03-03")
    #expect(latest?.revision.readings[.sleepAsleep] == .value(240))
    #expect(latest?.revision.day.timeZoneName == "Pacific/Auckland")
  }

  @Test func `a day keeps the zone of its first revision (R49)`() async throws {
    let store = MemoryStore()
    let berlin = try StreamWorld(store, zone: "Europe/Berlin", at: "2026-03-03T12:00:00Z")
    try await berlin.send([Entries.steps(40, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z")])
    _ = try await berlin.derive("2026-03-02")
    let tokyo = try StreamWorld(store, zone: "Asia/Tokyo", at: "2026-03-03T12:05:00Z")
    let found = try await tokyo.derive("2026-03-02")
    guard case .settled(_, let wrote) = found.outcome else {
      Issue.record("\(found)")
      return
    }
    #expect(wrote.isEmpty)
    try await tokyo.send([
      Entries.steps(2, "2026-03-02T11:00:00Z", "2026-03-02T11:01:00Z", uuid: Entries.uuid(9))
    ])
    _ = try await tokyo.derive("2026-03-02")
    let latest = try await tokyo.latest("2026-03-02")
    #expect(latest?.revision.day.timeZoneName == "Europe/Berlin")
    #expect(latest?.revision.readings[.steps] == .value(42))
  }

  @Test func `unknown types and units, long and misdated samples are left out and reported (R49)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    func sample(_ type: String, _ start: String, _ end: String, _ unit: String) throws
      -> StreamEntry
    {
      try Entries.entry(
        #"{"sample_type":"\#(type)","timestamp":"\#(start)","end_timestamp":"\#(end)","value":7,"unit":"\#(unit)"}"#
      )
    }
    let steps = "HKQuantityTypeIdentifierStepCount"
    try await world.send([
      Entries.steps(40, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z"),
      sample(
        "HKQuantityTypeIdentifierNew", "2026-03-02T10:00:00Z", "2026-03-02T10:00:00Z", "count"),
      sample(steps, "2026-03-02T01:00:00Z", "2026-03-03T06:00:00Z", "count"),
      sample(steps, "2026-03-02T12:16:00Z", "2026-03-02T12:17:00Z", "count"),
      sample(
        "HKQuantityTypeIdentifierFlightsClimbed", "2026-03-02T10:00:00Z", "2026-03-02T10:00:00Z",
        "floors"),
      sample(
        "HKCategoryTypeIdentifierAppleStandHour", "2026-03-02T01:00:00Z", "2026-03-02T02:00:00Z",
        ""),
    ])
    let found = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 40)
    #expect(found.leftOut.types == ["HKQuantityTypeIdentifierNew": 1])
    #expect(found.leftOut.tooLong == 1 && found.leftOut.time == 1 && found.leftOut.category == 1)
    #expect(found.leftOut.samples == [:] && found.leftOut.words.count == 5)
    #expect(
      found.leftOut.words.contains(
        "1 sample in a unit that can't be converted: 'floors' of flights_climbed, which is counted in count "
          + "(1); give it in a unit that measures the same"))
  }

  @Test func `a conflict copy or a damaged batch stops the day (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await world.send([Entries.steps(40, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z")])
    let keys = try await world.store.keys()
    let batch = try #require(keys.first { $0.hasSuffix(".json.gz") })
    let conflict = batch.replacing(".json.gz", with: " 2.json.gz")
    let damaged = batch.dropLast(72) + String(repeating: "0", count: 64) + ".json.gz"
    for name in [conflict, String(damaged)] {
      let copy = try #require(ObjectKey(name))
      _ = try await world.store.put(copy, [1, 2, 3], if: .absent)
      await #expect(throws: LedgerError.self) { try await world.derive("2026-03-02") }
      #expect(try await world.steps("2026-03-02") == nil)
      try await world.store.delete(copy)
    }
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 40)
  }

  @Test func `what newer rules derived is not replaced (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await world.send([Entries.steps(40, "2026-03-02T10:00:00Z", "2026-03-02T10:01:00Z")])
    _ = try await world.derive("2026-03-02")
    let key = try #require(ObjectKey("streams/v0/.derived/2026-03-02"))
    let stored = try #require(try await world.store.get(key, limit: 4096))
    let basis = try #require(DerivationBasis(stored.body))
    let rules = DerivationBasis.currentRules + 1
    let newer = DerivationBasis(
      basis.revisionID, rules: rules,
      of: DerivationInputs(batches: [], zones: "", revisions: [basis.revisionID]))
    _ = try await world.store.put(key, newer.encoded, if: .matches(stored.etag))
    try await world.send([Entries.steps(60, "2026-03-02T11:00:00Z", "2026-03-02T11:01:00Z")])
    #expect(try await world.derive("2026-03-02").outcome == .newerRules(rules))
    #expect(try await world.steps("2026-03-02") == 40)
  }

  @Test func `of a synchronised folder one installation is the deriver (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await NamedDeriver.claim(world.streams, by: other)
    try await NamedDeriver.claim(world.streams, by: other)
    let second = Collector(collectorID: .init(), deviceID: .init())
    let error = await #expect(throws: LedgerError.self) {
      try await NamedDeriver.claim(world.streams, by: second)
    }
    #expect(error?.code == .invalidArguments && error?.key == "streams/v0/.deriver")
  }

  @Test func `two recomputes at once settle on the figures of all batches (R49)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...12 {
        group.addTask {
          try await world.send([
            Entries.steps(
              10, "2026-03-02T0\(number % 10):00:00Z", "2026-03-02T0\(number % 10):01:00Z",
              uuid: Entries.uuid(number), source: "s\(number)")
          ])
          _ = try await world.derive("2026-03-02")
        }
      }
      try await group.waitForAll()
    }
    #expect(try await world.steps("2026-03-02") == 100)
    let revisions = try await world.ledger.history(try world.date("2026-03-02"))
    #expect(revisions.count <= 40)
  }
}

extension ObjectStore {
  /// Every key.
  func keys() async throws -> [String] {
    try await listAll(ListRequest(prefix: ""), maximum: 10_000).map(\.key)
  }
}

import HealthModel
import ObjectStore
import Testing

@testable import HealthLedger

/// R21: a day that has an id of the calendar's last second, which none follows.
@Suite(.unit) struct CalendarEndTests {
  let bench = LedgerBench()
  let date: CalendarDate

  init() throws { date = try Sample.date() }

  private func end(_ suffix: String) throws -> RevisionID {
    try #require(RevisionID("99991231T235959Z-\(suffix)"))
  }

  @Test(arguments: ["000000", "7F3A2C99", "ffffffff", "FFFFFFFFFF"])
  func `R21 publishes go on above it, each newer than the last, and the pointer grows`(
    suffix: String
  ) async throws {
    let planted = try end(suffix)
    try await bench.placeRevision(try Sample.draft(steps: 1), planted)
    try await bench.placePointer(date, to: planted)
    var last = planted
    // Upwards and downwards: what the same source says now counts.
    for steps in [100, 300, 200.0] {
      let outcome = try await bench.ledger.publish(try Sample.draft(steps: steps))
      #expect(outcome == .published(outcome.revisionID))
      #expect(outcome.revisionID > last && outcome.revisionID.timestamp == .last)
      last = outcome.revisionID
      #expect(bench.pointer(date) == last)
      let day = try await bench.ledger.resolve(date).latest
      #expect(day?.id == last && day?.violations == [])
      #expect(day?.revision.reading(of: .steps) == .value(steps))
    }
    let again = try await bench.ledger.publish(try Sample.draft(steps: 200))
    #expect(again == .unchanged(last))
    // Another source is joined with it.
    let joined = try await bench.ledger.publish(try Sample.energy(70))
    #expect(joined.revisionID > last)
    let day = try #require(try await bench.ledger.resolve(date).latest?.revision)
    #expect(day.reading(of: .steps) == .value(200) && day.reading(of: .activeEnergy) == .value(70))
  }

  @Test func `R21 what can't be read, and copies of a revision, stop no publish either`()
    async throws
  {
    let copy = Sample.body(try Sample.draft(steps: 1), Sample.id(0))
    for body in [Array("{}".utf8), copy] {
      let bench = LedgerBench()
      let key = bench.ledger.layout.revisionKey(date, try end("FFFFFFFF")).rawValue
      try await bench.place(key, body)
      for steps in [100, 50.0] {
        _ = try await bench.ledger.publish(try Sample.draft(steps: steps))
        let day = try await bench.ledger.resolve(date).latest
        #expect(day?.revision.reading(of: .steps) == .value(steps))
      }
    }
  }

  @Test func `R21 a source is withdrawn there, too`() async throws {
    let draft = try Sample.draft(steps: 1)
    try await bench.placeRevision(draft, try end("ABCDEF"))
    let nothing = DayDraft(
      withdrawing: .healthKit, from: draft.day, Sample.collector, at: Sample.noon)
    _ = try await bench.ledger.publish(nothing)
    let day = try await bench.ledger.resolve(date).latest
    #expect(day?.revision.reading(of: .steps).number == nil)
  }

  @Test func `R21 writers of equal data get one id, and others another`() async throws {
    var ids: [RevisionID] = []
    for steps in [5, 5, 6.0] {
      let bench = LedgerBench()
      try await bench.placeRevision(try Sample.draft(steps: 1), try end("ABCDEF"))
      ids.append(try await bench.ledger.publish(try Sample.draft(steps: steps)).revisionID)
    }
    #expect(ids[0] == ids[1] && ids[1] != ids[2])
  }

  @Test func `R21, R24 without compare-and-swap the digits are random there, too`() async throws {
    var ids: Set<RevisionID> = []
    for entropy in 0..<3 {
      let bench = LedgerBench()
      try await bench.placeRevision(try Sample.draft(steps: 1), try end("ABCDEF"))
      let ledger = HealthLedger(
        store: WeakStore(base: bench.memory, verdict: .unsafe),
        environment: .test(now: Sample.noon, entropy: UInt32(entropy)))
      let outcome = try await ledger.publish(try Sample.draft(steps: 5))
      ids.insert(outcome.revisionID)
      #expect(try await ledger.resolve(date).latest?.id == outcome.revisionID)
    }
    #expect(ids.count == 3)
  }

  @Test func `R21 a clock beyond the calendar's end writes what can be read and followed`()
    async throws
  {
    let late = Timestamp.last.adding(seconds: 1000)
    for steps in [100, 50.0] {
      let draft = try Sample.draft(steps: steps, capturedAt: late)
      var read = draft
      read.isReadNow = true
      let outcome = try await bench.ledger(now: late).publish(read)
      #expect(outcome.revisionID.timestamp == .last)
      let day = try await bench.ledger.resolve(date).latest
      #expect(day?.violations == [] && day?.revision.reading(of: .steps) == .value(steps))
    }
    // A right clock goes on from there.
    _ = try await bench.ledger.publish(try Sample.draft(steps: 70))
    let day = try await bench.ledger.resolve(date).latest
    #expect(day?.revision.reading(of: .steps) == .value(70))
  }

  @Test func `R21 above the greatest id of all the publish fails, and says what to move away`()
    async throws
  {
    let greatest = try end(String(repeating: "f", count: 233))
    try await bench.placeRevision(try Sample.draft(steps: 1), greatest)
    try await bench.placePointer(date, to: greatest)
    let draft = try Sample.draft(steps: 2)
    let error = await #expect(throws: LedgerError.self) {
      _ = try await bench.ledger.publish(draft)
    }
    let layout = bench.ledger.layout
    #expect(error?.key == layout.revisionKey(date, greatest).rawValue)
    let remedy = try #require(error?.remedy?.description)
    #expect(remedy.contains("move this object"))
    #expect(remedy.contains(layout.pointerKey(date).rawValue))
    // What it says is enough.
    try await bench.memory.delete(layout.revisionKey(date, greatest))
    try await bench.memory.delete(layout.pointerKey(date))
    _ = try await bench.ledger.publish(draft)
    #expect(
      try await bench.ledger.resolve(date).latest?.revision.reading(of: .steps) == .value(2))
  }
}

import HealthModel
import ObjectStore
import Testing

@testable import HealthLedger

/// R36 and R37: what a day looked like then, and what changed between revisions.
@Suite(.unit) struct HistoryTests {
  let bench = LedgerBench()
  let date: CalendarDate

  init() throws { date = try Sample.date() }

  private func state(_ seconds: Int) async throws -> HistoricalResolution {
    try await bench.ledger.resolve(date, asOf: Sample.noon.adding(seconds: seconds))
  }

  @Test func `R36 the answer is the greatest valid revision that is not later than the moment`()
    async throws
  {
    for (index, steps) in [1.0, 2, 3].enumerated() {
      try await bench.placeRevision(try Sample.draft(steps: steps), Sample.id(index * 10))
    }
    let broken = bench.ledger.layout.revisionKey(date, Sample.id(15)).rawValue
    try await bench.place(broken, Array("{}".utf8))
    // The pointer does not matter to the past.
    try await bench.placePointer(date, to: Sample.id(20))

    #expect(try await state(-1).revision == nil)
    #expect(try await state(-1).later == [0, 10, 15, 20].map { Sample.id($0) })
    #expect(try await state(0).revision?.id == Sample.id(0))
    #expect(try await state(9).revision?.id == Sample.id(0))
    #expect(try await state(10).revision?.id == Sample.id(10))
    let passing = try await state(19)
    #expect(passing.revision?.id == Sample.id(10))
    #expect(passing.rejected.map(\.id) == [Sample.id(15)])
    #expect(passing.later == [Sample.id(20)])
    #expect(try await state(99).revision?.id == Sample.id(20))
    #expect(try await state(99).later.isEmpty)
  }

  @Test(arguments: 1...5)
  func `R36 as of any moment after the last revision is what R30 answers`(
    seed: Int
  ) async throws {
    let damaged = try await DamagedLedger(days: 40, seed: UInt64(seed + 500))
    let ledger = damaged.bench.ledger
    for date in damaged.range.dates {
      let now = try await ledger.resolve(date).latest?.id
      let then = try await ledger.resolve(date, asOf: Sample.noon.adding(seconds: 1 << 30))
      #expect(then.revision?.id == now)
      // Worked out the slow way, for every moment of the day's history.
      for id in try await ledger.history(date) {
        var readable: [RevisionID] = []
        for other in try await ledger.history(date) where other.timestamp <= id.timestamp {
          guard let found = try? await ledger.revision(date, other) else { continue }
          if found.decoded.revision != nil { readable.append(other) }
        }
        let state = try await ledger.resolve(date, asOf: id.timestamp)
        #expect(state.revision?.id == readable.max())
      }
    }
  }

  @Test func `R37 the revision before another is the greatest valid one below it`() async throws {
    try await bench.placeRevision(try Sample.draft(steps: 1), Sample.id(0))
    let broken = bench.ledger.layout.revisionKey(date, Sample.id(1)).rawValue
    try await bench.place(broken, Array("{}".utf8))
    try await bench.placeRevision(try Sample.draft(steps: 2), Sample.id(2))
    let before = try await bench.ledger.resolve(date, before: Sample.id(2))
    #expect(before.latest?.id == Sample.id(0))
    #expect(before.rejected.map(\.id) == [Sample.id(1)])
    #expect(try await bench.ledger.resolve(date, before: Sample.id(0)).latest == nil)
  }

  @Test func `R37 the newest pair is the two greatest readable revisions`() async throws {
    for (index, steps) in [1.0, 2, 3].enumerated() {
      try await bench.placeRevision(try Sample.draft(steps: steps), Sample.id(index * 10))
    }
    for unreadable in [Sample.id(15), Sample.id(30)] {
      let key = bench.ledger.layout.revisionKey(date, unreadable).rawValue
      try await bench.place(key, Array("{}".utf8))
    }
    let pair = try await bench.ledger.newestPair(date)
    #expect(try pair.both().new.id == Sample.id(20))
    #expect(try pair.both().old.id == Sample.id(10))
    #expect(pair.rejected.map(\.id) == [Sample.id(30), Sample.id(15)])
    // A pointer that is behind changes nothing.
    try await bench.placePointer(date, to: Sample.id(0))
    #expect(try await bench.ledger.newestPair(date).both().new.id == Sample.id(20))
  }

  @Test func `R37 of two revisions of one second the greater suffix is the newer`() async throws {
    let second = Sample.id(0).rawValue.prefix(16)
    let ids = try ["00000009", "0000000A", "0000000B"].map {
      try #require(RevisionID("\(second)-\($0)"))
    }
    for (index, id) in [1, 0, 2].map({ ($0, ids[$0]) }) {
      try await bench.placeRevision(try Sample.draft(steps: Double(index)), id)
    }
    let (old, new) = try await bench.ledger.newestPair(date).both()
    #expect([old.id, new.id] == [ids[1], ids[2]])
  }

  @Test func `R37 a day with one readable revision, or none, has no pair`() async throws {
    let empty = try await bench.ledger.newestPair(date)
    #expect(empty.new == nil && empty.old == nil && empty.rejected.isEmpty)
    var error = #expect(throws: LedgerError.self) { try empty.both() }
    #expect(error?.code == .dataNotFound && error?.remedy == .listRevisions(of: date))
    try await bench.placeRevision(try Sample.draft(steps: 1), Sample.id(1))
    let unreadable = bench.ledger.layout.revisionKey(date, Sample.id(0)).rawValue
    try await bench.place(unreadable, Array("{}".utf8))
    let one = try await bench.ledger.newestPair(date)
    #expect(one.new?.id == Sample.id(1) && one.old == nil)
    #expect(one.rejected.map(\.id) == [Sample.id(0)])
    error = #expect(throws: LedgerError.self) { try one.both() }
    #expect(error?.code == .dataNotFound && error?.message.contains("only one") == true)
  }

  @Test func `R37 differences are reported at the innermost value, with escaped pointers`() throws {
    let old = try JSONValue(parsing: Array(#"{"a":{"b":1,"c":[1,2]},"d/~":null,"e":0}"#.utf8))
    let new = try JSONValue(parsing: Array(#"{"a":{"b":2,"c":[1]},"e":0,"f":{"g":1}}"#.utf8))
    let difference = RevisionDifference(from: old, to: new)
    #expect(difference.changes.map(\.pointer) == ["/a/b", "/a/c", "/d~1~0", "/f"])
    #expect(
      difference.changes.map(\.old) == [.number(1), .array([.number(1), .number(2)]), .null, nil])
    #expect(
      difference.changes.map(\.new) == [
        .number(2), .array([.number(1)]), nil, .object(["g": .number(1)]),
      ])
    #expect(RevisionDifference(from: old, to: old).changes.isEmpty)
  }

  @Test func `R37 the moments of making are not a change of the data`() throws {
    let draft = try Sample.draft(steps: 1)
    let values = try [0, 1].map { try JSONValue(parsing: Sample.body(draft, Sample.id($0))) }
    let difference = RevisionDifference(from: values[0], to: values[1])
    #expect(!difference.changes.isEmpty)
    #expect(difference.payloadChanges.isEmpty)
  }
}

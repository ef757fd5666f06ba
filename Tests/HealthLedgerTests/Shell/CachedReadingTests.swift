import Foundation
import HealthModel
import ObjectStore
import StoreTesting
import TestSupport
import Testing

@testable import HealthLedger

/// R39: copies change no answer, whatever happens to the store between two reads.
@Suite(.unit, .slow) struct CachedReadingTests {
  /// What strangers and collectors do to a day.
  private func disturb(
    _ date: CalendarDate, _ bench: CachedBench, _ generator: inout SplitMix64
  ) async throws {
    let layout = LedgerLayout.root
    let listed = try await bench.ledger(on: bench.memory, cached: false).history(date)
    let id =
      Bool.random(using: &generator)
      ? listed.randomElement(using: &generator) ?? Sample.id(0)
      : Sample.id(
        Int.random(in: -9...9, using: &generator), entropy: .random(in: 0...3, using: &generator))
    let key = layout.revisionKey(date, id)
    let steps = Double(Int.random(in: 1...5, using: &generator))
    let sound = Sample.body(try Sample.draft(steps: steps, on: date), id)
    switch Int.random(in: 0...9, using: &generator) {
    case 0: try await bench.memory.delete(key)
    // Of the same length as what may be there.
    case 1: try await bench.place(key, sound.dropLast() + [0x20])
    case 2: try await bench.place(key, Array("{}".utf8))
    case 3: try await bench.place(key, [UInt8](repeating: 0x20, count: 70_000))
    case 4: try await bench.memory.delete(layout.pointerKey(date))
    case 5: try await bench.place(layout.pointerKey(date), Array("{}".utf8))
    case 6:
      let pointer = LatestPointer(date: date, revisionID: id)
      try await bench.place(layout.pointerKey(date), pointer.encoded)
    case 7:
      // The very bytes again, at another time.
      guard let object = try await bench.memory.get(key, limit: 1 << 20) else { return }
      try await bench.place(key, object.body)
    default: try await bench.place(key, sound)
    }
  }

  private func expectEqualAnswers(
    _ bench: CachedBench, _ range: DateRange, at location: SourceLocation = #_sourceLocation
  ) async throws {
    let cached = bench.reader().ledger
    let plain = bench.reader(cached: false).ledger
    let expected = try await plain.answers(range)
    #expect(try await cached.answers(range) == expected, sourceLocation: location)
    for deep in [false, true] {
      let (found, other) = (
        try await cached.verdicts(range, deep: deep), try await plain.verdicts(range, deep: deep)
      )
      #expect(found.days == other.days && found.rest == other.rest, sourceLocation: location)
    }
    for date in [range.from, range.to] {
      let moment = Sample.noon.adding(seconds: 2)
      let before = Sample.id(3)
      #expect(
        try await cached.resolve(date, asOf: moment) == plain.resolve(date, asOf: moment),
        sourceLocation: location)
      #expect(
        try await cached.resolve(date, before: before) == plain.resolve(date, before: before),
        sourceLocation: location)
    }
  }

  @Test(arguments: 1...TestDepth.full(12, usual: 3))
  func `R39 with copies and without them every answer is the same`(seed: Int) async throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let bench = CachedBench()
    let first = try Sample.date("2026-02-20")
    let range = try DateRange(from: first, to: try #require(first.adding(days: 11)))
    for _ in 0..<25 {
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        let date = try #require(range.dates.randomElement(using: &generator))
        try await disturb(date, bench, &generator)
      }
      if Int.random(in: 0...9, using: &generator) == 0 {
        try? FileManager.default.removeItem(at: bench.folder)
      }
      try await expectEqualAnswers(bench, range)
    }
    // Copies did answer: reading once more asks for nothing but listings.
    let (ledger, store) = bench.reader()
    _ = try await ledger.answers(range)
    let plain = bench.reader(cached: false)
    _ = try await plain.ledger.answers(range)
    #expect(store.log.gets < plain.store.log.gets)
  }

  @Test func `R39 a body that a stranger has overwritten is read, and found`() async throws {
    let bench = CachedBench()
    let range = try await bench.year()
    _ = try await bench.reader().ledger.verdicts(range)
    let date = range.dates[200]
    let id = try #require(try await bench.reader(cached: false).ledger.history(date).first)
    let key = LedgerLayout.root.revisionKey(date, id)
    let body = try #require(try await bench.memory.get(key, limit: 1 << 20)).body
    // Of the same length: only the etag shows it.
    let text = String(decoding: body, as: UTF8.self)
    try await bench.place(key, Array(text.replacing("\"count\"", with: "\"kount\"").utf8))
    let verdicts = try await bench.reader().ledger.verdicts(range)
    #expect(verdicts.days.filter { $0.status != .ok }.map(\.date) == [date])
    #expect(verdicts.days[200].findings.map(\.code).contains("unit_mismatch"))
  }

  @Test func `R39 what is replaced after it was listed is kept under its own etag`() async throws {
    let bench = CachedBench()
    let date = try Sample.date()
    let (range, key) = (
      try DateRange(from: date, to: date), LedgerLayout.root.revisionKey(date, Sample.id(0))
    )
    let (old, new) = (
      Sample.body(try Sample.draft(steps: 1), Sample.id(0)),
      Sample.body(try Sample.draft(steps: 2), Sample.id(0))
    )
    try await bench.place(key, old)
    let overtaken = OvertakenStore(base: bench.memory) { try? await bench.place(key, new) }
    #expect(try await bench.ledger(on: overtaken).answers(range)[0].latest?.body == new)
    try await bench.place(key, old)
    #expect(try await bench.reader().ledger.answers(range)[0].latest?.body == old)
    try await bench.place(key, new)
    let (ledger, store) = bench.reader()
    #expect(try await ledger.answers(range)[0].latest?.body == new)
    #expect(store.log.gets == 0)
  }

  @Test(arguments: [false, true])
  func `R39 no error of a copy alone is reported`(deep: Bool) async throws {
    let bench = CachedBench()
    let date = try Sample.date()
    let range = try DateRange(from: date, to: date)
    let cache = bench.cache
    for id in [Sample.id(-5), Sample.id(0)] {
      let key = LedgerLayout.root.revisionKey(date, id)
      let sound = Sample.body(try Sample.draft(steps: 1), id)
      try await bench.place(key, sound)
      // A copy that lies, as one does that was spoilt on its way here: the check covers what came.
      let entry = try #require(
        try await bench.memory.list(ListRequest(prefix: key.rawValue)).entries.first)
      cache.keep(
        [UInt8](repeating: 0x20, count: sound.count), of: key, try #require(ObjectVersion(entry)))
    }
    await cache.finish()
    try await bench.place(
      LedgerLayout.root.pointerKey(date),
      LatestPointer(date: date, revisionID: Sample.id(0)).encoded)
    let verdicts = try await bench.reader().ledger.verdicts(range, deep: deep)
    #expect(verdicts.days.map(\.status) == [.ok])
  }

  @Test func `R39 a store that fails fails a read that copies could have answered in part`()
    async throws
  {
    let bench = CachedBench()
    let range = try await bench.year()
    _ = try await bench.reader().ledger.answers(range)
    let plan = FaultPlan(rules: [.init(.lost, on: .list, which: nil)])
    let error = await #expect(throws: LedgerError.self) {
      _ = try await bench.reader(plan: plan).ledger.answers(range)
    }
    #expect(error?.code == .storageUnavailable)
  }
}

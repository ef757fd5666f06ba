import HealthModel
import ObjectStore
import StoreTesting
import Testing

@testable import HealthLedger

/// Which days a store holds, as its listing alone shows (R34).
@Suite(.unit) struct HoldingsTests {
  private let memory = MemoryStore()
  private func ledger(byFolder: Bool = false) -> HealthLedger {
    HealthLedger(store: byFolder ? FolderOrderedStore(memory) : memory, layout: .root)
  }

  private func store(_ key: String) async throws {
    _ = try await memory.put(try #require(ObjectKey(key)), [1], if: .absent)
  }

  private func store(_ date: CalendarDate, _ id: RevisionID) async throws {
    try await store(LedgerLayout.root.revisionKey(date, id).rawValue)
  }

  @Test(arguments: [false, true])
  func `R34 runs, gaps and the newest are those of the keys, over several pages`(byFolder: Bool)
    async throws
  {
    let ledger = ledger(byFolder: byFolder)
    let first = try Sample.date("2024-02-27")
    let dates = (0..<900).compactMap { first.adding(days: $0) }
    let holes: Set<Int> = [3, 4, 100, 898]
    for (index, date) in dates.enumerated() where !holes.contains(index) {
      for second in 0..<2 { try await store(date, Sample.id(index + second)) }
      try await store(LedgerLayout.root.pointerKey(date).rawValue)
    }
    // Made last, and of an old day.
    try await store(dates[7], Sample.id(5000))
    try await store(LedgerLayout.root.dayPrefix(dates[3]) + "note.txt")
    try await store("health/v0/data/zzz")
    try await store("health/v0/elsewhere")

    var progress: [Int] = []
    let holdings = try await ledger.holdings { progress.append($0) }
    #expect(holdings.runs.map(\.first) == [dates[0], dates[5], dates[101], dates[899]])
    #expect(holdings.runs.map(\.last) == [dates[2], dates[99], dates[897], dates[899]])
    #expect(holdings.runs.map(\.days) == [3, 95, 797, 1])
    #expect(holdings.days == 896 && holdings.revisions == 2 * 896 + 1)
    #expect(
      holdings.gaps() == [dates[3]...dates[4], dates[100]...dates[100], dates[898]...dates[898]])
    #expect(holdings.newest?.date == dates[899] && holdings.newest?.id == Sample.id(900))
    #expect(holdings.lastMade?.date == dates[7] && holdings.lastMade?.id == Sample.id(5000))
    #expect(holdings.foreignObjects == 2)
    #expect(progress.count == 3 && progress.last == 896, "\(progress)")

    let part = try await ledger.holdings(from: dates[90], to: dates[105])
    #expect(part.runs.map(\.first) == [dates[90], dates[101]])
    #expect(part.runs.map(\.last) == [dates[99], dates[105]])
    #expect(
      part.gaps(from: dates[90], to: dates[107]) == [
        dates[100]...dates[100], dates[106]...dates[107],
      ])
    let none = try await ledger.holdings(from: try Sample.date("2030-01-01"))
    #expect(none.runs.isEmpty && none.extent == nil && none.newest == nil)
    #expect(none.gaps(from: dates[0], to: dates[1]) == [dates[0]...dates[1]])
  }

  @Test func `R34 one listing of ten years shows which months have changed`() async throws {
    let first = try Sample.date("2016-01-01")
    let dates = (0..<3653).compactMap { first.adding(days: $0) }
    for date in dates {
      try await store(date, Sample.id(0))
      try await store(LedgerLayout.root.pointerKey(date).rawValue)
    }
    let counted = FaultInjectingStore(memory)
    let ledger = HealthLedger(store: counted, layout: .root)
    let end = try Sample.date("2025-12-30")
    func months() async throws -> [String: HeldMonth] {
      let months = try await ledger.heldMonths(to: end)
      return Dictionary(uniqueKeysWithValues: months.map { ($0.name, $0) })
    }
    let before = try await months()
    // 7,306 objects.
    #expect(counted.log.entries.count == 8)
    #expect(before.count == 120)
    #expect(before["2024-02"]?.dates.count == 29 && before["2025-12"]?.dates.last == end)
    #expect(try await months().mapValues(\.fingerprint) == before.mapValues(\.fingerprint))
    try await store(try Sample.date("2020-05-05"), Sample.id(1))
    // A day after the end is of no account.
    try await store(try Sample.date("2025-12-31"), Sample.id(1))
    let after = try await months()
    #expect(
      after.filter { $0.value.fingerprint != before[$0.key]?.fingerprint }.keys.sorted()
        == ["2020-05"])
    #expect(after["2020-05"]?.dates == before["2020-05"]?.dates)
  }

  @Test func `R34 a day is held if its pointer names a revision that is gone`() async throws {
    let days = try ["2026-02-06", "2026-02-07", "2026-02-08", "2026-02-10"].map(Sample.date)
    func point(_ date: CalendarDate) async throws {
      _ = try await memory.put(
        LedgerLayout.root.pointerKey(date),
        LatestPointer(date: date, revisionID: Sample.id(0)).encoded, if: .absent)
    }
    try await store(days[0], Sample.id(0))
    try await point(days[0])
    try await point(days[1])
    // No pointer: it names nothing.
    try await store(LedgerLayout.root.pointerKey(days[2]).rawValue)
    try await point(days[3])
    let counted = FaultInjectingStore(memory)
    let holdings = try await HealthLedger(store: counted, layout: .root).holdings()
    // The pointer of a day that has a revision is not read.
    #expect(counted.log.gets == 3 && counted.log.lists == 1)
    #expect(holdings.runs.map { $0.first...$0.last } == [days[0]...days[1], days[3]...days[3]])
    #expect(holdings.days == 3 && holdings.revisions == 1)
    #expect(holdings.newest?.date == days[0] && holdings.newestRevised == nil)
    let before = try await ledger().holdings(to: days[1])
    #expect(before.days == 2)
    // Their months are read, so that what is lost is reported.
    let months = try await ledger().heldMonths(to: days[3])
    #expect(months.map(\.dates) == [days])
  }

  @Test func `R33 one stray date does not make all days held too long a range`() async throws {
    let days = try ["0001-01-01", "2020-03-01", "2024-01-01", "2026-02-08"].map(Sample.date)
    for day in days { try await store(day, Sample.id(0)) }
    let holdings = try await ledger().holdings()
    let end = try Sample.date("2026-02-10")
    #expect(
      holdings.pieces(upTo: end, atMost: 100_000) == [days[0]...days[0], days[1]...end])
    #expect(
      holdings.pieces(atMost: 1000) == [days[0]...days[0], days[1]...days[1], days[2]...days[3]])
    // Ten years without a day are a stray date too, but not where they are the end.
    #expect(
      holdings.pieces(atMost: 1_000_000) == [days[0]...days[0], days[1]...days[3]])
    let late = try Sample.date("2046-02-10")
    #expect(
      holdings.pieces(upTo: late, atMost: 1_000_000) == [days[0]...days[0], days[1]...late])
    #expect(holdings.pieces(atMost: 1) == days.map { $0...$0 })
    #expect(Holdings().pieces(upTo: end, atMost: 1) == [])
  }

  @Test func `R33 dates after the end without data are not missing`() async throws {
    let days = try ["2026-02-08", "2026-02-13", "2027-02-01"].map(Sample.date)
    for day in days { try await store(day, Sample.id(0)) }
    let holdings = try await ledger().holdings()
    func pieces(_ end: String) throws -> [ClosedRange<CalendarDate>] {
      holdings.pieces(upTo: try Sample.date(end), atMost: 100_000)
    }
    let end = try Sample.date("2026-02-10")
    #expect(try pieces("2026-02-10") == [days[0]...end, days[1]...days[1], days[2]...days[2]])
    #expect(try pieces("2026-02-12") == [days[0]...days[1], days[2]...days[2]])
    #expect(try pieces("2026-02-13") == [days[0]...days[1], days[2]...days[2]])
    #expect(try pieces("2027-01-31") == [days[0]...days[2]])
    #expect(try pieces("2026-02-01") == [days[0]...days[0], days[1]...days[1], days[2]...days[2]])
  }

  @Test(arguments: [
    "2026", "2026/03", "2026/03/11", "2026/03/11/revisions",
    "2026/03/11/revisions/20260310T120000Z-ABCDEF.json",
  ])
  func `R29 a listing that something may have hidden days from fails`(tail: String) async throws {
    try await store(try Sample.date("2025-12-31"), Sample.id(0))
    try await store("health/v0/data/" + tail)
    let place = "health/v0/data/" + tail
    let blocked = HealthLedger(
      store: ObstructedStore(base: memory, key: place, isRetryable: false), layout: .root)
    await #expect {
      try await blocked.holdings()
    } throws: {
      ($0 as? LedgerError)?.code == .storageUnavailable
    }
    // Days before it are known.
    let before = try await blocked.holdings(to: Sample.date("2025-12-31"))
    #expect(before.days == 1 && before.foreignObjects == 0)
  }

  @Test func `R29 a revision that is not downloaded is held, and other obstacles hide no day`()
    async throws
  {
    let date = try Sample.date("2026-03-11")
    try await store(date, Sample.id(0))
    let key = LedgerLayout.root.revisionKey(date, Sample.id(0)).rawValue
    let evicted = ObstructedStore(base: memory, key: key, isRetryable: true)
    #expect(try await HealthLedger(store: evicted, layout: .root).holdings().days == 1)
    for tail in ["latest.json", "notes"] {
      let other = LedgerLayout.root.dayPrefix(date) + tail
      try await store(other)
      let link = ObstructedStore(base: memory, key: other, isRetryable: false)
      #expect(try await HealthLedger(store: link, layout: .root).holdings().days == 1)
    }
  }

  @Test func `R33 a page that can't be listed fails the whole`() async throws {
    let first = try Sample.date("2024-02-27")
    for index in 0..<1100 {
      try await store(try #require(first.adding(days: index)), Sample.id(index))
    }
    let faulty = FaultInjectingStore(
      memory, plan: FaultPlan(rules: [FaultPlan.Rule(.lost, on: .list, which: [2])]))
    await #expect {
      try await HealthLedger(store: faulty, layout: .root).holdings()
    } throws: { ($0 as? LedgerError)?.code == .storageUnavailable }
  }
}

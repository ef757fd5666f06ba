import HealthLedger
import HealthModel
import HealthReport
import ObjectStore
import StoreTesting
import Synchronization
import Testing

@testable import IngestServer

/// What the dashboard holds of the days of a store.
@Suite(.unit) struct DayVerdictsTests {
  private static let now = Timestamp(secondsSince1970: 1_770_811_200)
  private static let settings = DashboardSettings(
    storeName: "s",
    commands: StartCommands(importing: "", app: "", url: "", collector: "", settingZone: ""))

  private let ledger = HealthLedger(store: MemoryStore(now: { Self.now.secondsSince1970 }))
  private var today: CalendarDate { get throws { try date("2026-02-11") } }

  private func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

  private func publish(_ date: CalendarDate, steps: Double) async throws {
    _ = try await ledger.publish(
      DayDraft(
        day: ReportingDay(date: date, timeZoneName: "UTC"), collector: .derivation,
        readings: [.steps: .value(steps)], capturedAt: Self.now))
  }

  private func content(
    _ verdicts: DayVerdicts, on date: CalendarDate? = nil
  ) async throws -> DashboardContent? {
    try await verdicts.content(date ?? today, at: Self.now, nil)
  }

  @Test func `R59: the newest days do for the week and the month, never the year`() async throws {
    try await publish(today, steps: 1)
    try await publish(date("2025-03-01"), steps: 2)
    let verdicts = DayVerdicts(ledger, { Self.settings })
    #expect(try await content(verdicts) == nil)
    try await verdicts.readRecent(upTo: today)
    let recent = try #require(try await content(verdicts))
    #expect(Set(recent.reports.keys) == [.week, .month] && !recent.isWhole)
    let areWhole = recent.reports.values.allSatisfy { $0.isWhole }
    #expect(areWhole)
    #expect(CoveragePart(recent) == nil && TrendsPart(recent, .year) == nil)
    try await verdicts.readAll(upTo: today)
    let whole = try #require(try await content(verdicts))
    #expect(try whole.first == date("2025-03-01"))
    #expect(whole.isWhole)
    #expect(TrendsPart(whole, .month)?.part == TrendsPart(recent, .month)?.part)
    #expect(TodayPart(whole).part == TodayPart(recent).part)
  }

  @Test func `R59: newest days without data do not say that the store is empty`() async throws {
    try await publish(date("2025-03-01"), steps: 2)
    let verdicts = DayVerdicts(ledger, { Self.settings })
    try await verdicts.readRecent(upTo: today)
    #expect(try await content(verdicts) == nil)
    try await verdicts.readAll(upTo: today)
    let first = try date("2025-03-01")
    #expect(try await content(verdicts)?.first == first)
  }

  @Test func `R59: days that begin are held beside those before, gaps not hidden`() async throws {
    try await publish(today, steps: 1)
    let (tomorrow, later) = (try date("2026-02-12"), try date("2026-02-14"))
    let verdicts = DayVerdicts(ledger, { Self.settings })
    try await verdicts.readAll(upTo: today)
    #expect(try await content(verdicts, on: tomorrow) == nil, "not read yet")
    try await verdicts.read([tomorrow])
    #expect(try await content(verdicts, on: tomorrow)?.isWhole == true)
    try await verdicts.read([later])
    #expect(try await content(verdicts, on: later) == nil, "a day between was not read")
    try await verdicts.read([try date("2026-02-13")])
    #expect(try await content(verdicts, on: later)?.isWhole == true)
  }

  @Test
  func `R59: who waits for another's reading gets no days that it has not read`() async throws {
    let tomorrow = try date("2026-02-12")
    for date in [try today, tomorrow] { try await publish(date, steps: 1) }
    let store = HeldStore(base: ledger.store)
    let verdicts = DayVerdicts(HealthLedger(store: store), { Self.settings })
    let first = Task { [today = try today] in try await verdicts.readAll(upTo: today) }
    while !store.isAsked.withLock({ $0 }) { await Task.yield() }
    let second = Task { try await verdicts.readAllAndShow(tomorrow, at: Self.now) }
    for _ in 0..<100 { await Task.yield() }
    store.isOpen.withLock { $0 = true }
    try await first.value
    let content = try await second.value
    #expect(content?.isWhole ?? true)
  }

  @Test func `R59: a year begins at the store's first day, not the first read`() async throws {
    for text in ["2022-06-01", "2024-11-20", "2025-03-01"] {
      try await publish(date(text), steps: 1)
    }
    let verdicts = DayVerdicts(ledger, { Self.settings })
    try await verdicts.readAll(upTo: today)
    for (to, from) in [
      ("2026-02-11", "2025-02-11"), ("2025-09-30", "2024-09-30"), ("2023-03-31", "2022-06-01"),
      ("2022-06-03", "2022-05-28"), ("2021-12-31", "2020-12-31"),
    ] {
      let report = try await verdicts.report(.year, to: date(to), today: today, at: Self.now)
      #expect(try report.range.from == date(from), "\(to)")
    }
    let all = try await verdicts.report(.all, to: today, today: today, at: Self.now)
    #expect(try all.range.from == date("2022-06-01"))
  }
}

extension DayVerdicts {
  /// Without a pause between, so that nobody else who waits has gone on.
  fileprivate func readAllAndShow(
    _ today: CalendarDate, at now: Timestamp
  ) async throws -> DashboardContent? {
    try await readAll(upTo: today)
    return try content(today, at: now, nil)
  }
}

/// A store that answers no listing before the test lets it.
private final class HeldStore: ForwardingStore {
  let base: any ObjectStore
  let isAsked = Mutex(false)
  let isOpen = Mutex(false)

  init(base: any ObjectStore) { self.base = base }

  func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    isAsked.withLock { $0 = true }
    while !isOpen.withLock({ $0 }) { await Task.yield() }
    return try await base.list(request)
  }
}

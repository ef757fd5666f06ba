import HealthLedger
import HealthModel
import HealthReport
import ObjectStore
import Testing

@testable import IngestServer

/// What the dashboard reads, and when.
@Suite(.unit) struct DashboardMachineTests {
  private static let commands = StartCommands(
    importing: "", app: "", url: "", collector: "", settingZone: "")
  private static let now = Timestamp(secondsSince1970: 1_770_811_200)

  private func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

  private func content(
    _ today: CalendarDate, isEmpty: Bool = false, spans: [DashboardSpan] = DashboardSpan.allCases
  ) async throws -> DashboardContent {
    let ledger = HealthLedger(store: MemoryStore(now: { Self.now.secondsSince1970 }))
    if !isEmpty {
      _ = try await ledger.publish(
        DayDraft(
          day: ReportingDay(date: today, timeZoneName: "UTC"), collector: .derivation,
          readings: [.steps: .value(1)], capturedAt: Self.now))
    }
    var verdicts: [CalendarDate: DayVerdict] = [:]
    try await ledger.verify(DashboardContent.range(upTo: today)) { verdicts[$0.date] = $0 }
    return try DashboardContent(
      DashboardSettings(storeName: "s", commands: Self.commands), today: today, madeAt: Self.now,
      spans: spans, verdicts: verdicts)
  }

  @Test func `R59: a page waits for all changes but that of the time`() async throws {
    let (today, tomorrow) = (try date("2026-02-11"), try date("2026-02-12"))
    var state = DashboardMachine(since: Self.now)
    #expect(!state.isOnlyOld(today, at: 1000), "nothing was read")
    _ = state.takeReading(today, at: 0)
    state.done(.everything, try await content(today), at: Self.now, 1)
    #expect(!state.isOnlyOld(today, at: 601) && state.isOnlyOld(today, at: 602))
    #expect(!state.isOnlyOld(tomorrow, at: 602), "another day")
    var changed = state
    changed.note(changed: today)
    #expect(!changed.isOnlyOld(today, at: 602))
    state.ask("me", at: Self.now)
    #expect(!state.isOnlyOld(today, at: 602), "somebody asks for what is new")
    var empty = DashboardMachine(since: Self.now)
    empty.done(.everything, try await content(today, isEmpty: true), at: Self.now, 1)
    #expect(!empty.isOnlyOld(today, at: 602), "the first data is waited for")
  }

  @Test func `R59: a changed day is read alone, and many with one listing`() async throws {
    let today = try date("2026-02-11")
    let content = try await content(today)
    var state = DashboardMachine(since: Self.now)
    func take(_ date: CalendarDate, at elapsed: Double) -> DashboardMachine.Reading? {
      state.takeReading(date, at: elapsed)
    }
    #expect(take(today, at: 0) == .everything)
    state.done(.everything, content, at: Self.now, 1)
    #expect(take(today, at: 2) == nil)
    state.note(changed: today)
    #expect(take(today, at: 3) == .days([today]))
    #expect(take(today, at: 3) == nil)
    for day in 1...11 { state.note(changed: today.adding(days: -day) ?? today) }
    #expect(take(today, at: 4) == .everything)
    state.ask("me", at: Self.now)
    #expect(take(today, at: 5) == .everything)
    #expect(take(today, at: 601) == nil)
    #expect(take(today, at: 602) == .everything, "what others publish for other days")
  }

  @Test func `R59: after midnight two days are read anew, the others are known`() async throws {
    let (today, tomorrow) = (try date("2026-02-11"), try date("2026-02-12"))
    let old = try date("2026-02-09")
    for needsAll in [false, true] {
      var state = DashboardMachine(since: Self.now)
      state.done(.everything, try await content(today), at: Self.now, 1)
      state.note(changed: old)
      #expect(
        state.takeReading(tomorrow, at: 6, needsAll: needsAll) == .days([old, today, tomorrow]))
      state.done(.days([tomorrow]), try await content(tomorrow), at: Self.now, 7)
      #expect(state.takeReading(tomorrow, at: 8, needsAll: needsAll) == nil)
      #expect(!state.isOnlyOld(tomorrow, at: 601) && state.isOnlyOld(tomorrow, at: 602))
      let later = try #require(tomorrow.adding(days: 10))
      #expect(state.takeReading(later, at: 9, needsAll: needsAll) == .everything, "a long pause")
      #expect(state.takeReading(old, at: 10, needsAll: needsAll) == .everything, "a clock set back")
    }
    var empty = DashboardMachine(since: Self.now)
    empty.done(.everything, try await content(today, isEmpty: true), at: Self.now, 1)
    #expect(empty.takeReading(tomorrow, at: 2) == .everything)
  }

  @Test func `R59: today's first page waits for the newest days, others for all`() async throws {
    let today = try date("2026-02-11")
    var state = DashboardMachine(since: Self.now)
    #expect(state.takeReading(today, at: 0) == .everything)
    state = DashboardMachine(since: Self.now)
    func take(needsAll: Bool) -> DashboardMachine.Reading? {
      state.takeReading(today, at: 2, needsAll: needsAll)
    }
    #expect(take(needsAll: false) == .recent)
    #expect(take(needsAll: false) == .recent, "nothing is known yet")
    let recent = try await content(today, spans: [.week, .month])
    #expect(!recent.isWhole)
    state.done(.recent, recent, at: Self.now, 1)
    #expect(state.isPartial && state.trends(.month) != nil)
    #expect(state.trends(.year) == nil && state.parts?.coverage == nil, "no part looks whole")
    #expect(take(needsAll: false) == nil)
    #expect(!state.isOnlyOld(today, at: 1000), "all is still to be read")
    #expect(take(needsAll: true) == .everything)
    state.note(changed: today)
    #expect(take(needsAll: false) == .days([today]))
    let whole = try await content(today)
    state.done(.everything, whole, at: Self.now, 2)
    state.done(.days([today]), recent, at: Self.now, 2)
    #expect(!state.isPartial && state.trends(.year) != nil, "what is whole stays so")
    // What could not be read is waited for.
    var failing = DashboardMachine(since: Self.now)
    failing.done(.recent, recent, at: Self.now, 1)
    failing.failed(.everything, LedgerError(.storageUnavailable, "away"))
    #expect(failing.takeReading(today, at: 2, needsAll: false) == .everything)
  }

  @Test func `R59: a store without data is read again within seconds`() async throws {
    let today = try date("2026-02-11")
    var state = DashboardMachine(since: Self.now)
    _ = state.takeReading(today, at: 0)
    state.done(.everything, try await content(today, isEmpty: true), at: Self.now, 1)
    #expect(state.takeReading(today, at: 8) == nil)
    #expect(state.takeReading(today, at: 10) == .everything)
  }

  @Test func `R59: what could not be read is read later, and the page says so`() async throws {
    let today = try date("2026-02-11")
    let content = try await content(today)
    var state = DashboardMachine(since: Self.now)
    func changes() -> Bool { state.takeChange() }
    func take(at elapsed: Double) -> DashboardMachine.Reading? {
      state.takeReading(today, at: elapsed)
    }
    let failure = LedgerError(.storageUnavailable, "a message with a key", key: "secret/key")
    state.failed(state.takeReading(today, at: 0), failure)
    #expect(state.parts == nil)
    #expect(changes())
    #expect(state.status([], waiting: nil).obstacle == failure.code.rawValue)
    #expect(take(at: 1) == .everything)
    state.done(.everything, content, at: Self.now, 1)
    #expect(state.status([], waiting: 2).obstacle == nil)
    #expect(state.parts?.date == today)
    state.note(changed: today)
    state.failed(state.takeReading(today, at: 2), failure)
    #expect(state.parts?.date == today, "the last figures stay")
    #expect(take(at: 3) == .days([today]))
    state.failed(nil, failure)
    _ = changes()
    state.failed(nil, failure)
    #expect(!changes(), "the same obstacle changes nothing")
    state.reached()
    #expect(changes())
    #expect(state.status([], waiting: nil).obstacle == nil)
  }

  @Test func `R59: who may post is listed with what is known, who only looks not`() throws {
    var state = DashboardMachine(since: Self.now)
    var post = RequestRecord(at: Self.now)
    (post.device, post.status) = ("phone", 200)
    state.note(post)
    let status = state.status(
      [
        AccessToken("ann", [.dashboard]), AccessToken("phone", [.records, .ingest]),
        AccessToken("watch", [.overland, .dashboard]),
      ], waiting: 3)
    #expect(
      status.senders == [
        .init(name: "phone", endpoints: "ingest, records", postedAt: Self.now),
        .init(name: "watch", endpoints: "overland", postedAt: nil),
      ])
    #expect(status.waiting == 3)
  }
}

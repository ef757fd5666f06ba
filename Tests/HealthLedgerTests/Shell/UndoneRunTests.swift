import HealthModel
import ObjectStore
import Testing

@testable import HealthLedger

/// R20: what a run said of a day is withdrawn and restored, whatever is published before and after.
@Suite(.unit) struct UndoneRunTests {
  private let bench = LedgerBench()
  private let date: CalendarDate
  private let mine: RunID
  private let his: RunID

  init() throws {
    date = try Sample.date("2026-03-08")
    (mine, his) = (try Self.run("mine"), try Self.run("his"))
  }

  private static func run(_ name: String) throws -> RunID { try #require(RunID(rawValue: name)) }

  /// Publishes what an export says that was made so many seconds before noon.
  @discardableResult
  private func publish(
    _ steps: Double, by run: RunID, madeAt seconds: Int
  ) async throws -> PublishOutcome {
    var draft = DayDraft(
      day: try ReportingDay(date: date, timeZoneName: "Europe/Berlin"),
      collector: Sample.collector, source: .appleHealthExport, readings: [.steps: .value(steps)],
      capturedAt: Sample.noon.adding(seconds: seconds))
    draft.run = run
    return try await bench.ledger.publish(draft)
  }

  private func change(_ run: RunID, isUndone: Bool) async throws {
    _ = try await bench.ledger.publish(
      DayDraft(
        .init(run, isUndone: isUndone),
        of: try ReportingDay(date: date, timeZoneName: "Europe/Berlin"), Sample.collector,
        at: Sample.noon))
  }

  private var latest: DailyRevision {
    get async throws { try #require(try await bench.ledger.resolve(date).latest?.revision) }
  }

  private var steps: Double? {
    get async throws { try await latest.reading(of: .steps).number }
  }

  /// How many revisions the day has.
  private var count: Int {
    bench.memory.contents.keys.count { $0.rawValue.contains("/revisions/") }
  }

  @Test func `R20, R23 who stores what another run has stored learns of that run`() async throws {
    func draft(_ run: RunID) throws -> DayDraft {
      var draft = DayDraft(
        day: try ReportingDay(date: date, timeZoneName: "Europe/Berlin"),
        collector: Sample.collector, source: .appleHealthExport, readings: [.steps: .value(7)],
        capturedAt: Sample.noon)
      draft.run = run
      return draft
    }
    // Both have listed the day before either stores it: the second finds an equal revision under its id.
    let known = try await bench.ledger.survey([date])[date]
    let first = try await bench.ledger.publish(try draft(mine), known: known)
    #expect(first.earlier.storedBy == nil && first.earlier.repeated.isEmpty)
    let second = try await bench.ledger.publish(try draft(his), known: known)
    #expect(second.outcome.revisionID == first.outcome.revisionID)
    #expect(second.earlier.storedBy == mine)
    let third = try await bench.ledger.publish(
      try draft(his), known: try await bench.ledger.survey([date])[date])
    #expect(third.earlier.repeated == [mine] && third.earlier.storedBy == nil)
  }

  @Test func `R20 a run is undone, restored and undone again, each in a revision of its own`()
    async throws
  {
    try await publish(100, by: mine, madeAt: -60)
    try await publish(200, by: his, madeAt: -30)
    #expect(try await steps == 200)
    for (times, isUndone) in [(1, true), (2, false), (3, true)] {
      try await change(his, isUndone: isUndone)
      #expect(try await steps == (isUndone ? 100 : 200))
      #expect(try await latest.allWords.undone == [his: times])
      #expect(count == 2 + times)
      // What is so already is not stored again.
      try await change(his, isUndone: isUndone)
      #expect(count == 2 + times)
    }
    let runs = try await bench.ledger.runs(since: nil)
    #expect(Set(runs.map(\.id)) == [mine, his])
    #expect(runs.filter(\.isUndone).map(\.id) == [his])
  }

  @Test func `R20 a run is undone below another one, and nothing is left when both are`()
    async throws
  {
    try await publish(100, by: mine, madeAt: -60)
    try await publish(200, by: his, madeAt: -30)
    try await change(mine, isUndone: true)
    #expect(try await steps == 200)
    try await change(his, isUndone: true)
    #expect(try await steps == nil)
    try await change(mine, isUndone: false)
    #expect(try await steps == 100)
    try await change(his, isUndone: false)
    #expect(try await steps == 200)
  }

  @Test func `R20 older data after an undo counts as if the run had not been`() async throws {
    try await publish(100, by: mine, madeAt: -60)
    try await publish(200, by: his, madeAt: -30)
    try await change(his, isUndone: true)
    // The same export, read again, says nothing new.
    let before = count
    try await publish(200, by: try Self.run("again"), madeAt: -30)
    #expect(try await steps == 100 && count == before)
    // One that was made before it, and after what counts.
    try await publish(150, by: try Self.run("older"), madeAt: -45)
    #expect(try await steps == 150)
    // One that is older than what counts.
    try await publish(120, by: try Self.run("oldest"), madeAt: -90)
    #expect(try await steps == 150)
    // Restored, it is the newest again.
    try await change(his, isUndone: false)
    #expect(try await steps == 200)
  }

  @Test func `R20 two machines that undo a run at once have undone it once`() async throws {
    try await publish(100, by: mine, madeAt: -60)
    try await publish(200, by: his, madeAt: -30)
    let undo = DayDraft(
      .init(his, isUndone: true),
      of: try ReportingDay(date: date, timeZoneName: "Europe/Berlin"), Sample.collector,
      at: Sample.noon)
    let other = bench.ledger(now: Sample.noon, entropy: 7)
    async let first = bench.ledger.publish(undo)
    async let second = other.publish(undo)
    _ = try await (first, second)
    #expect(try await latest.allWords.undone == [his: 1])
    #expect(try await steps == 100)
    try await change(his, isUndone: false)
    #expect(try await steps == 200)
  }
}

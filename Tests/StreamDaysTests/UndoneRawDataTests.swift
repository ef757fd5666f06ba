import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import StoreTesting
import Testing

@testable import StreamDays

/// What was stored in a run that is undone counts on no day, whatever comes after it (R43, R49).
@Suite(.unit) struct UndoneRawDataTests {
  private let (mine, his, later): (RunID, RunID, RunID)

  init() throws {
    mine = try #require(RunID(rawValue: "mine"))
    his = try #require(RunID(rawValue: "his"))
    later = try #require(RunID(rawValue: "later"))
  }

  /// Undoes a run on a date, or takes that back, as the command does.
  private func undo(
    _ run: RunID, _ world: StreamWorld, restoring: Bool = false, on text: String = "2026-03-02"
  ) async throws {
    let date = try world.date(text)
    let isNews = try await world.deriver().leaveOut(run, isUndone: !restoring, on: [date])
    #expect(isNews)
    let day = try ReportingDay(date: date, timeZoneName: world.zone)
    let draft = DayDraft(
      DayDraft.RunChange(run, isUndone: !restoring), of: day, .derivation, at: world.shared.now)
    _ = try await world.ledger.publish(draft)
    world.advance(60)
  }

  private func runs(_ world: StreamWorld, _ date: String) async throws -> Set<RunID?> {
    Set(try #require(try await world.latest(date)).revision.allWords.all.map(\.run))
  }

  @Test(arguments: [false, true])
  func `R43, R49: samples of an undone run do not come back with later ones, until it is restored`(
    isCached: Bool
  ) async throws {
    let world = try StreamWorld(at: "2026-03-02T13:00:00Z")
    let deriver = DayDeriver(
      ledger: world.ledger, streams: world.streams, zones: ReportingZones("UTC"),
      cache: isCached ? DayCache(limit: 1 << 20) : nil)
    let date = try world.date("2026-03-02")
    func steps() async throws -> Double? {
      _ = try await deriver.recompute(date)
      return try await world.steps("2026-03-02")
    }
    try await world.send(40, hour: 10, run: mine)
    #expect(try await steps() == 40)
    try await world.send(5000, hour: 11, run: his)
    #expect(try await steps() == 5040)
    #expect(try await runs(world, "2026-03-02") == [his])
    try await undo(his, world)
    #expect(try await world.steps("2026-03-02") == 40)
    #expect(try await steps() == 40)
    try await world.send(7, hour: 12, run: later)
    #expect(try await steps() == 47)
    try await undo(his, world, restoring: true)
    #expect(try await steps() == 5047)
    // The same again says nothing new, and a batch without a run counts whatever is undone.
    #expect(try await world.deriver().leaveOut(his, isUndone: false, on: [date]) == false)
    try await undo(his, world)
    try await world.send(3, hour: 13)
    #expect(try await steps() == 50)
  }

  @Test(arguments: [false, true])
  func `R43, R55: a payload of an undone run stays away in other zones, also from the date beside`(
    isCached: Bool
  ) async throws {
    let world = try StreamWorld(at: "2026-03-03T13:00:00Z")
    func post(_ hour: Int, _ steps: Int, _ run: RunID) async throws {
      let row = #"{"date":"2026-03-02 \#(hour):00:00 +0000","qty":\#(steps)}"#
      try await world.post(
        Payload.metric("step_count", "count", row), aggregation: "hours", run: run)
      world.advance(60)
      _ = try await world.derive("2026-03-02")
    }
    try await post(10, 40, mine)
    // At 23:00 UTC the next date has begun in Singapore.
    try await post(23, 5000, his)
    #expect(try await world.steps("2026-03-02") == 5040)
    try await undo(his, world)
    try await post(11, 7, later)
    #expect(try await world.steps("2026-03-02") == 47)
    try await world.deriver().setZones(ReportingZones("Asia/Singapore"))
    world.advance(3600)
    _ = try await world.sweep("2026-03-03")
    #expect(try await world.latest("2026-03-02")?.revision.day.timeZoneName == "Asia/Singapore")
    #expect(try await world.steps("2026-03-02") == 47)
    #expect(try await world.steps("2026-03-03") == nil)
    try await undo(his, world, restoring: true)
    world.advance(3600)
    // The marker of the undo leads to the date beside, too.
    _ = try await world.sweep("2026-03-03")
    #expect(try await world.steps("2026-03-02") == 47)
    #expect(try await world.steps("2026-03-03") == 5000)
  }

  @Test func `R43: the undone runs outlast a correction of the zones, and others are refused`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T13:00:00Z")
    try await world.send(40, hour: 10, run: mine)
    _ = try await world.derive("2026-03-02")
    try await undo(mine, world)
    #expect(try await world.steps("2026-03-02") == nil)
    try await world.deriver().setZones(ReportingZones("Europe/Berlin"))
    let key = try #require(ObjectKey("streams/v0/.zones"))
    let stored = try await world.store.get(key, limit: 4096)?.body ?? []
    #expect(
      String(decoding: stored, as: UTF8.self)
        == #"{"format":"zones.v0","set":true,"undone":["mine"],"zones":"Europe/Berlin"}"#)
    #expect(StoredZones(stored)?.encoded == stored)
    for wrong in [#""mine""#, #"["No"]"#, "[1]"] {
      let text = #"{"format":"zones.v0","set":true,"undone":\#(wrong),"zones":"UTC"}"#
      #expect(StoredZones(Array(text.utf8)) == nil, "\(wrong)")
    }
  }
}

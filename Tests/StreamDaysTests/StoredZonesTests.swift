import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import StoreTesting
import Testing

@testable import StreamDays

@Suite(.unit, .slow) struct StoredZonesTests {
  private static func zones(_ text: String) throws -> ReportingZones {
    try ReportingZones(parsing: text)
  }

  private static let key = "streams/v0/.zones"

  private func steps(_ world: StreamWorld, _ value: Double, at start: Timestamp) async throws {
    let number = start.secondsSince1970
    let entry = try Entries.steps(
      value, "\(start)", "\(start.adding(seconds: 30))", uuid: Entries.uuid(number))
    try await world.send([entry], receivedAt: max(world.shared.now, start.adding(seconds: 60)))
  }

  // MARK: - Every moment on one date

  @Test(arguments: [
    "Asia/Singapore, Etc/UTC@2026-03-04", "Etc/UTC, Asia/Singapore@2026-03-04",
    "Pacific/Pago_Pago, Pacific/Kiritimati@2026-03-04",
    "Pacific/Kiritimati, Pacific/Pago_Pago@2026-03-04",
    "Europe/Berlin, Asia/Tokyo@2026-03-03, Europe/Berlin@2026-03-05",
    "America/New_York, Europe/London@2026-03-08",
  ])
  func `R4, R49: across a move every sample counts on one date`(text: String) async throws {
    let world = try StreamWorld(at: "2026-03-13T00:00:00Z")
    try await world.deriver().setZones(Self.zones(text))
    let begin = try #require(Timestamp("2026-03-01T12:10:00Z"))
    var total = 0.0
    for hour in 0..<200 {
      try await steps(world, Double(hour + 1), at: begin.adding(seconds: hour * 3600))
      total += Double(hour + 1)
    }
    world.advance(3600)
    let swept = try await world.sweep("2026-03-13")
    #expect(swept.0.kept == 0)
    var (sum, most) = (0.0, 0)
    var dates: Set<String> = []
    for date in swept.1 {
      guard let latest = try await world.latest("\(date)") else { continue }
      #expect(latest.revision.day.timeZoneName == (try Self.zones(text).name(on: date)))
      sum += latest.revision.readings[.steps]?.number ?? 0
      dates.insert("\(date)")
      most += 1
    }
    #expect(sum == total && dates.count == most)
  }

  @Test func `R49: a late sample of before a move counts on the date of then`() async throws {
    let world = try StreamWorld(at: "2026-03-05T12:00:00Z")
    try await world.deriver().setZones(Self.zones("Etc/UTC, Asia/Singapore@2026-03-04"))
    // In Singapore it is the 3rd already.
    try await steps(world, 7, at: try #require(Timestamp("2026-03-02T20:00:00Z")))
    world.advance(3600)
    _ = try await world.sweep("2026-03-05")
    #expect(try await world.steps("2026-03-02") == 7)
    #expect(try await world.steps("2026-03-03") == nil)
  }

  // MARK: - Corrections

  @Test func `R49: a correction leaves no number on two dates, also if its machine dies`()
    async throws
  {
    let world = try StreamWorld(zone: "Asia/Singapore", at: "2026-11-21T12:00:00Z")
    try await steps(world, 100, at: try #require(Timestamp("2026-11-19T23:00:00Z")))
    world.advance(3600)
    _ = try await world.sweep("2026-11-21")
    #expect(try await world.steps("2026-11-20") == 100)
    try await world.deriver().setZones(Self.zones("Etc/UTC"))
    // The machine that changed them is gone. Any other sweeps, whatever its own zone.
    let swept = try await world.sweep("2026-11-21")
    #expect(swept.0 == MarkerSweep.Result(deleted: 0, kept: 1))
    #expect(try await world.steps("2026-11-19") == 100)
    let then = try #require(try await world.latest("2026-11-20"))
    #expect(then.revision.readings[.steps]?.number == nil)
    #expect(then.revision.day.timeZoneName == "Etc/UTC")
    world.advance(1300)
    #expect(try await world.sweep("2026-11-21").0.deleted == 1)
    #expect(try await world.steps("2026-11-19") == 100)
  }

  @Test func `R49: a move to the west leaves no number on a date that has not begun there`()
    async throws
  {
    let world = try StreamWorld(zone: "Asia/Singapore", at: "2026-11-20T20:00:00Z")
    try await steps(world, 100, at: try #require(Timestamp("2026-11-20T19:00:00Z")))
    _ = try await world.sweep("2026-11-21")
    #expect(try await world.steps("2026-11-21") == 100)
    try await world.deriver().setZones(Self.zones("Etc/UTC"))
    _ = try await world.sweep("2026-11-20")
    #expect(try await world.steps("2026-11-20") == 100)
    #expect(try await world.steps("2026-11-21") == nil)
  }

  @Test func `R49: a change names the days that it changes, and no others`() async throws {
    let world = try StreamWorld(zone: "Asia/Singapore", at: "2026-11-21T12:00:00Z")
    for date in 10...20 {
      try await steps(world, 100, at: try #require(Timestamp("2026-11-\(date)T03:00:00Z")))
    }
    world.advance(3600)
    _ = try await world.sweep("2026-11-21")
    try await world.deriver().setZones(Self.zones("Asia/Singapore, Etc/UTC@2026-11-19"))
    let named = try await world.sweep("2026-11-21").1.map { "\($0)" }
    #expect(named == ["2026-11-19", "2026-11-20", "2026-11-21"])
  }

  @Test(arguments: [
    ("Europe/Berlin", "Pacific/Auckland"), ("Asia/Singapore", "Pacific/Kiritimati"),
    ("Pacific/Kiritimati", "Pacific/Pago_Pago"), ("Pacific/Pago_Pago", "Pacific/Kiritimati"),
  ])
  func `R49: the first date of a move is made again, however far the new zone is from UTC`(
    old: String, new: String
  ) async throws {
    let world = try StreamWorld(zone: old, at: "2026-11-21T12:00:00Z")
    for hour in 0..<96 {
      let start = try #require(Timestamp("2026-11-17T00:00:00Z")).adding(seconds: hour * 3600)
      try await steps(world, 1, at: start)
    }
    world.advance(3600)
    _ = try await world.sweep("2026-11-22")
    try await world.deriver().setZones(Self.zones("\(old), \(new)@2026-11-19"))
    let named = try await world.sweep("2026-11-22").1
    #expect(named.contains(try world.date("2026-11-19")))
    var total = 0.0
    for date in 16...22 { total += try await world.steps("2026-11-\(date)") ?? 0 }
    #expect(total == 96)
  }

  @Test func `R4, R49: a day in another collector's zone takes no moment from the date before`()
    async throws
  {
    let tokyo = try StreamWorld(zone: "Asia/Tokyo", at: "2026-11-21T12:00:00Z")
    _ = try await tokyo.publish(
      "2026-11-19", [.weight: .value(70)],
      as: Collector(collectorID: .init(), deviceID: .init()))
    let world = try StreamWorld(tokyo.store, at: "2026-11-21T12:10:00Z")
    // In Tokyo this is the nineteenth, but in UTC the eighteenth is not over.
    try await steps(world, 100, at: try #require(Timestamp("2026-11-18T20:00:00Z")))
    try await steps(world, 7, at: try #require(Timestamp("2026-11-19T03:00:00Z")))
    for date in ["2026-11-18", "2026-11-19"] { _ = try await world.derive(date) }
    #expect(try await world.steps("2026-11-18") == 100)
    #expect(try await world.steps("2026-11-19") == 7)
  }

  @Test func `R49: changing the zone of one date also changes the date after it`() async throws {
    let world = try StreamWorld(zone: "Asia/Singapore", at: "2026-11-23T12:00:00Z")
    try await steps(world, 100, at: try #require(Timestamp("2026-11-19T20:00:00Z")))
    world.advance(3600)
    _ = try await world.sweep("2026-11-23")
    #expect(try await world.steps("2026-11-20") == 100)
    try await world.deriver().setZones(
      Self.zones("Asia/Singapore, Etc/UTC@2026-11-19, Asia/Singapore@2026-11-20"))
    _ = try await world.sweep("2026-11-23")
    #expect(try await world.steps("2026-11-19") == 100)
    #expect(try await world.steps("2026-11-20") == nil)
  }

  @Test func `R49: a day with equal numbers is published again in its new zone`() async throws {
    let world = try StreamWorld(zone: "Asia/Singapore", at: "2026-11-21T12:00:00Z")
    try await steps(world, 100, at: try #require(Timestamp("2026-11-19T03:00:00Z")))
    _ = try await world.derive("2026-11-19")
    try await world.deriver().setZones(Self.zones("Asia/Tokyo"))
    _ = try await world.sweep("2026-11-21")
    let day = try await world.latest("2026-11-19")?.revision
    #expect(day?.day.timeZoneName == "Asia/Tokyo" && day?.readings[.steps] == .value(100))
  }

  @Test
  func `R49: every deriver uses the zones of the store, so none replaces another's day`()
    async throws
  {
    let west = try StreamWorld(zone: "Asia/Singapore", at: "2026-11-21T12:00:00Z")
    let east = try StreamWorld(west.store, zone: "Etc/UTC", at: "2026-11-21T12:00:00Z")
    try await steps(west, 100, at: try #require(Timestamp("2026-11-19T23:00:00Z")))
    for _ in 0..<3 {
      for world in [west, east] {
        for date in ["2026-11-19", "2026-11-20", "2026-11-21"] { _ = try await world.derive(date) }
      }
    }
    #expect(try await west.ledger.history(west.date("2026-11-20")).count == 1)
    #expect(try await west.steps("2026-11-19") == nil)
    #expect(
      try await east.deriver().decideZones(mayChange: false)
        == .differ(own: Self.zones("Etc/UTC"), stored: Self.zones("Asia/Singapore")))
  }

  @Test func `R49: zones that were never set are corrected by the first that a person sets`()
    async throws
  {
    let machine = try StreamWorld(zone: "Etc/UTC", isZoneSet: false, at: "2026-11-21T12:00:00Z")
    try await steps(machine, 100, at: try #require(Timestamp("2026-11-19T23:00:00Z")))
    _ = try await machine.derive("2026-11-19")
    #expect(try await machine.steps("2026-11-19") == 100)
    let person = try StreamWorld(machine.store, zone: "Asia/Singapore", at: "2026-11-21T12:00:00Z")
    _ = try await person.deriver().decideZones(mayChange: false)
    _ = try await person.sweep("2026-11-21")
    #expect(try await person.steps("2026-11-20") == 100)
    #expect(try await person.steps("2026-11-19") == nil)
    // The machine that has none goes by them from now on.
    _ = try await machine.derive("2026-11-19")
    #expect(try await machine.steps("2026-11-19") == nil)
  }

  // MARK: - Changes while others work

  /// Changes the zones once, at the moment at which a day's revisions are listed.
  private struct Changing: ForwardingStore {
    let base: any ObjectStore
    let change: @Sendable () async -> Void

    func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
      if request.prefix.hasPrefix("health/v0/") { await change() }
      return try await base.list(request)
    }
  }

  @Test func `R49: zones that change during a sweep leave its markers to the next one`()
    async throws
  {
    let world = try StreamWorld(zone: "Asia/Singapore", at: "2026-11-21T12:00:00Z")
    try await steps(world, 1, at: try #require(Timestamp("2026-11-18T03:00:00Z")))
    try await steps(world, 100, at: try #require(Timestamp("2026-11-19T23:00:00Z")))
    world.advance(3600)
    let new = try Self.zones("Etc/UTC")
    let store = Changing(base: world.store) { try? await world.deriver().setZones(new) }
    let other = try StreamWorld(store, zone: "Asia/Singapore", at: "2026-11-21T13:00:00Z")
    #expect(try await other.sweep("2026-11-21").0.deleted == 0)
    world.advance(3600)
    #expect(try await world.sweep("2026-11-21").0.kept == 0)
    #expect(try await world.steps("2026-11-19") == 100)
    #expect(try await world.steps("2026-11-20") == nil)
  }

  @Test func `R43, R49: zones that can't be read stop the making of days, and name the object`()
    async throws
  {
    let world = try StreamWorld(at: "2026-11-21T12:00:00Z")
    try await steps(world, 100, at: try #require(Timestamp("2026-11-20T23:00:00Z")))
    for text in ["", "{}", #"{"format":"zones.v0","set":true,"zones":"Mars/Phobos"}"#] {
      let key = try #require(ObjectKey(Self.key))
      _ = try await world.store.put(key, Array(text.utf8), if: .absent)
      let error = await #expect(throws: LedgerError.self) {
        _ = try await world.derive("2026-11-20")
      }
      #expect(error?.key == Self.key && error?.rule == "R43")
      try await world.store.delete(key)
    }
    _ = try await world.derive("2026-11-20")
    #expect(try await world.steps("2026-11-20") == 100)
    let key = try #require(ObjectKey(Self.key))
    let stored = try await world.store.get(key, limit: 4096)?.body
    #expect(
      String(decoding: stored ?? [], as: UTF8.self)
        == #"{"format":"zones.v0","set":true,"zones":"UTC"}"#)
  }

  // MARK: - Decisions

  @Test(arguments: [
    // Nothing there, nothing set here, or the same.
    ("", true, "Etc/UTC", true, "keep"), ("UTC", true, "Asia/Tokyo", false, "keep"),
    ("UTC", true, "Etc/UTC", true, "keep"), ("UTC", false, "Asia/Tokyo", false, "keep"),
    ("Asia/Tokyo, UTC@2026-03-01", true, "Etc/UTC", true, "keep"),
    // A machine's.
    ("UTC", false, "Asia/Tokyo", true, "all Asia/Tokyo"), ("UTC", false, "UTC", true, "all UTC"),
    // Somebody set both.
    ("UTC", true, "Asia/Tokyo", true, "UTC, Asia/Tokyo@2026-03-11"),
    ("Asia/Tokyo", true, "UTC", true, "Asia/Tokyo, UTC@2026-03-11"),
    // The 11th of Tokyo has not begun: what belongs to the 10th ends later.
    (
      "UTC, Asia/Tokyo@2026-03-11", true, "Europe/Berlin", true,
      "UTC, Europe/Berlin@2026-03-10"
    ),
    // The move is known, and its first date has not begun there.
    ("UTC, Asia/Tokyo@2026-03-11", true, "Asia/Tokyo", true, "keep"),
    (
      "UTC", true, "UTC, Asia/Tokyo@2026-03-01", true, "all UTC, Asia/Tokyo@2026-03-01"
    ),
  ])
  func `R49: only set zones change a store's, and a move leaves what was before`(
    stored: String, isStoredSet: Bool, own: String, isOwnSet: Bool, expected: String
  ) throws {
    let there =
      stored.isEmpty ? nil : StoredZones(try Self.zones(stored), isSet: isStoredSet)
    let here = StoredZones(try Self.zones(own), isSet: isOwnSet)
    // The 11th in Tokyo, the 10th in Greenwich.
    let now = try #require(Timestamp("2026-03-10T20:00:00Z"))
    switch ZoneDecision(stored: there, own: here, now: now, mayChange: true) {
    case .keep: #expect(expected == "keep")
    case .differ: Issue.record("nothing was changed")
    case .correct(let zones, let before):
      #expect("all \(zones.zones)" == expected && before == there?.zones && zones.isSet)
    case .move(let zones, let from):
      #expect("\(zones.zones)" == expected && expected.hasSuffix("@\(from)") && zones.isSet)
    }
    switch ZoneDecision(stored: there, own: here, now: now, mayChange: false) {
    case .keep: #expect(expected == "keep")
    case .differ: #expect(isStoredSet && isOwnSet)
    case .correct: #expect(!isStoredSet)
    case .move: Issue.record("a move without leave")
    }
  }

  @Test(arguments: [
    ("Europe/Berlin, Pacific/Kiritimati@2026-03-11", "Europe/Berlin", "Europe/Berlin"),
    (
      "UTC, Europe/Berlin@2026-03-01, Asia/Tokyo@2026-04-01", "Europe/Berlin",
      "UTC, Europe/Berlin@2026-03-01"
    ),
    ("UTC, Asia/Tokyo@2026-03-11", "Etc/UTC", "UTC"),
  ])
  func `R49: a zone that is changed back before its first date drops the move`(
    stored: String, own: String, expected: String
  ) throws {
    let there = StoredZones(try Self.zones(stored), isSet: true)
    let here = StoredZones(try Self.zones(own), isSet: true)
    let now = try #require(Timestamp("2026-03-10T11:00:00Z"))
    // A server that starts does not know whether somebody has planned the move.
    #expect(ZoneDecision(stored: there, own: here, now: now, mayChange: true) == .keep)
    #expect(
      ZoneDecision(stored: there, own: here, now: now, mayChange: true, isChange: true)
        == .move(StoredZones(try Self.zones(expected), isSet: true), from: try date("2026-03-10")))
    let settled = StoredZones(try Self.zones(expected), isSet: true)
    #expect(
      ZoneDecision(stored: settled, own: here, now: now, mayChange: true, isChange: true) == .keep)
  }

  // MARK: - Zones that an input names

  @Test func `R43: the first zones that an input names are kept, by one of two at once`()
    async throws
  {
    let world = try StreamWorld(isZoneSet: false, at: "2026-11-20T12:00:00Z")
    let object = try #require(ZonesObject(of: world.ledger))
    #expect(try await object.read() == nil)
    let names = ["Pacific/Honolulu", "Asia/Tokyo"]
    let found = try await withThrowingTaskGroup(of: StoredZones.self) { group in
      for name in names { group.addTask { try await object.keep(named: ReportingZones(name)) } }
      return try await group.reduce(into: [StoredZones]()) { $0.append($1) }
    }
    #expect(found.count == 2 && found[0] == found[1] && found[0].isKept && !found[0].isSet)
    #expect(try await object.read() == found[0])
    // Those that a machine stored are not replaced, and are not the person's.
    let other = try StreamWorld(isZoneSet: false, at: "2026-11-20T12:00:00Z")
    try await steps(other, 5, at: #require(Timestamp("2026-11-20T08:00:00Z")))
    _ = try await other.derive("2026-11-20")
    let held = try await #require(ZonesObject(of: other.ledger)).keep(
      named: ReportingZones(names[0]))
    #expect(!held.isKept && held.zones != ReportingZones(names[0]))
  }

  @Test func `R43: a deriver without a set zone makes days in the zones that an input named`()
    async throws
  {
    let world = try StreamWorld(isZoneSet: false, at: "2026-11-20T12:00:00Z")
    _ = try await #require(ZonesObject(of: world.ledger)).keep(
      named: ReportingZones("Asia/Singapore"))
    let row = #"{"date":"2026-11-20 07:00:00 +0800","qty":1000}"#
    try await world.post(Payload.metric("step_count", "count", row), session: "a")
    #expect(try await world.derive("2026-11-20").misfit == nil)
    #expect(try await world.steps("2026-11-20") == 1000)
    // Rows of elsewhere still wait: nobody has set this zone.
    let far = #"{"date":"2026-11-20 07:00:00 -0500","qty":10}"#
    try await world.post(Payload.metric("step_count", "count", far), session: "b")
    #expect(try await world.derive("2026-11-20").needsZone)
    // A zone that a person sets replaces it, for all days.
    let named = StoredZones(ReportingZones("Asia/Singapore"), isSet: false, isNamed: true)
    let own = StoredZones(ReportingZones("Europe/Berlin"), isSet: true)
    let now = try #require(Timestamp("2026-11-20T12:00:00Z"))
    #expect(
      ZoneDecision(stored: named, own: own, now: now, mayChange: false)
        == .correct(own, before: named.zones))
  }

  private func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }
}

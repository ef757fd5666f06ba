import ContentDigests
import Gzip
import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import StoreTesting
import StreamDays
import Synchronization
import Testing

@testable import IngestServer

/// The pure parts of the server.
@Suite(.unit) struct HubRuleTests {
  @Test func `R54: a bucket of requests refills with time, for each device alone`() {
    var rates = DeviceRates(perSecond: 2, burst: 3)
    func admit(_ device: String, at now: Double) -> Int? { rates.admit(device, at: now) }
    #expect((0..<4).map { _ in admit("a", at: 10) } == [nil, nil, nil, 1])
    #expect(admit("b", at: 10) == nil)
    #expect(admit("a", at: 10.5) == nil)
    #expect(admit("a", at: 10.6) == 1)
    // A clock that goes back gives nothing.
    #expect(admit("a", at: 3) == 1)
    #expect((0..<4).map { _ in admit("a", at: 1000) } == [nil, nil, nil, 1])
    rates = DeviceRates(perSecond: 0, burst: 1)
    #expect((0..<1000).allSatisfy { _ in admit("a", at: 0) == nil })
  }

  /// A store that ignores conditions.
  private struct Careless: ForwardingStore {
    let base: any ObjectStore = MemoryStore()
    func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .unsafe }
  }

  @Test func `R54: a server whose store may replace what is there is not ready`() async throws {
    func answer(of store: any ObjectStore) async -> (Int, JSONValue?) {
      let streams = StreamStore(store: store, compression: ZlibCompression())
      let answer = await Readiness(streams, nil, HubCounters()).answer()
      return (answer.status, (try? JSONValue(parsing: answer.body))?["store"])
    }
    // A machine that is busy for longer than the limit of one answer says "unreachable".
    #expect(try await until { await answer(of: MemoryStore()) == (200, .string("ok")) })
    #expect(try await until { await answer(of: Careless()) == (503, .string("unsafe")) })
  }

  /// A store whose policy lets only one folder be written.
  private struct OneFolder: ForwardingStore {
    let base: any ObjectStore = MemoryStore()
    let folder: String

    func put(
      _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
    ) async throws(StoreError) -> PutOutcome {
      guard key.rawValue.hasPrefix(folder) else {
        throw StoreError(.unavailable, "not allowed", key: key.rawValue)
      }
      return try await base.put(key, body, if: precondition)
    }
  }

  @Test func `R54: a server is ready where the days may be written`() async throws {
    for (folder, state) in [("health/v0/data/", "ok"), ("health/v0/.probe/", "unwritable")] {
      let store = OneFolder(folder: folder)
      let streams = StreamStore(store: store, compression: ZlibCompression())
      let isSo = try await until {
        let answer = await Readiness(streams, nil, HubCounters()).answer()
        return (try? JSONValue(parsing: answer.body))?["store"] == .string(state)
      }
      #expect(isSo, "\(folder)")
      #expect(try await store.base.list(ListRequest(prefix: "")).entries.isEmpty)
    }
  }

  @Test func `R54: a path is found as it stands; where apps post, one slash more at its end`() {
    let table = RouteTable([
      Route(open: "/") { Answer(200, text: "page") },
      Route(open: "/healthz") { Answer(200, text: "ok") },
      Route(.post, "/owntracks", for: .owntracks) { _ in Answer(200, text: "[]") },
    ])
    func finds(_ path: String, _ method: String = "POST") -> String? {
      if case .found(let route, _) = table.find(method, path) { return route.path }
      return nil
    }
    #expect(finds("/", "GET") == "/" && finds("/healthz", "GET") == "/healthz")
    #expect(finds("/owntracks") == "/owntracks" && finds("/owntracks/") == "/owntracks")
    for path in [
      "", "//", "/healthz/", "/owntracks//", "//owntracks", "/OwnTracks", "/owntracks/.",
      "/%6fwntracks",
    ] {
      #expect(finds(path) == nil && finds(path, "GET") == nil, "\(path)")
    }
    // 405 is for paths that take another method, and names it. Nothing below these paths does.
    for path in ["/owntracks/.", "/owntracks/a", "/owntracks//", "/other"] {
      guard case .noSuchPath = table.find("POST", path) else {
        Issue.record("\(path)")
        continue
      }
    }
  }

  @Test func `R54: bytes in flight are bounded by device and in all, and come back`() {
    var bytes = BytesInFlight(perDevice: 10, total: 15)
    func reserve(_ count: Int, for device: String) -> BytesInFlight.Verdict {
      bytes.reserve(count, for: device)
    }
    #expect(reserve(12, for: "a") == .admitted, "one request is always admitted")
    #expect(reserve(1, for: "a") == .deviceIsFull)
    #expect(reserve(4, for: "b") == .isFull)
    bytes.release(12, of: "a")
    #expect(bytes.all == 0)
    #expect(reserve(8, for: "a") == .admitted)
    #expect(reserve(7, for: "b") == .admitted)
    #expect(reserve(1, for: "c") == .isFull)
  }

  @Test func `R54: tokens are read as they were written, and anything else refused`() throws {
    let secrets = (0..<3).map { _ in TokenSecret() }
    let table = TokenTable(
      secrets.enumerated().map { index, secret in
        AccessToken("t\(index)", index == 0 ? Set(Endpoint.allCases) : [.overland], secret: secret)
      })
    let read = try #require(TokenTable(parsing: table.document))
    #expect(read == table)
    for (index, secret) in secrets.enumerated() {
      #expect(read.token(sending: Array(secret.text.utf8))?.name == "t\(index)")
      #expect(!String(decoding: table.document, as: UTF8.self).contains(secret.text.dropFirst(4)))
      #expect("\(secret)" == "(a token)")
    }
    #expect(read.token(sending: []) == nil)
    #expect(read.token(sending: Array("s3h_".utf8)) == nil)
    var random = SplitMix64(seed: 1)
    for _ in 0..<300 {
      var bytes = table.document
      bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      if let other = TokenTable(parsing: bytes) {
        #expect(other.tokens.count == 3, "no token disappears")
      }
    }
  }

  @Test func `R54: a marker goes when every day of its batch is settled by a later recompute`() {
    let days = (1...3).compactMap { CalendarDate("2026-02-0\($0)") }
    var queue = DayQueue()
    func next(at now: Double) -> DayQueue.Step { queue.next(at: now) }
    func done(isSettled: Bool, at now: Double = 0) -> [String] {
      queue.done(isSettled ? .settled : .failed, at: now)
    }
    queue.add([days[0], days[1]], markers: ["a"], today: days[1], at: 100)
    // Today at once, the day before after a pause.
    #expect(next(at: 100) == .recompute(days[1]))
    // This batch arrives while the day is being made: it needs another recompute.
    queue.add([days[1]], markers: ["b"], today: days[1], at: 100.5)
    #expect(done(isSettled: true) == [])
    #expect(next(at: 100.5) == .recompute(days[1]))
    #expect(done(isSettled: true) == ["b"])
    #expect(next(at: 101) == .wait(until: 102))
    #expect(next(at: 102) == .recompute(days[0]))
    #expect(done(isSettled: true) == ["a"])
    #expect(next(at: 200) == .idle)
    // Not settled: tried again, with a longer pause each time.
    queue.add([days[0]], markers: ["c"], today: days[1], at: 200)
    #expect(next(at: 202) == .recompute(days[0]))
    #expect(done(isSettled: false, at: 203) == [])
    #expect(next(at: 203) == .wait(until: 233))
    #expect(next(at: 233) == .recompute(days[0]))
    #expect(done(isSettled: false, at: 234) == [])
    #expect(next(at: 234) == .wait(until: 294))
    // Broken off, because the server ends: not lost, and no failure.
    #expect(next(at: 294) == .recompute(days[0]))
    queue.interrupted(at: 295)
    #expect(next(at: 295) == .recompute(days[0]))
    // What the broken attempts sent may still arrive: the marker is left to a sweep.
    #expect(done(isSettled: true) == [])
    queue.add([days[0]], markers: ["f"], today: days[1], at: 300)
    #expect(next(at: 302) == .recompute(days[0]))
    queue.interrupted(at: 303)
    #expect(next(at: 303) == .recompute(days[0]))
    #expect(!queue.isCovered(at: 303), "so it makes a marker of its own")
    #expect(done(isSettled: true) == [])
    // In the end the day is left to a sweep, too.
    queue.add([days[0]], markers: ["e"], today: days[1], at: 400)
    for _ in 0...DayQueue.maximumRetries {
      #expect(next(at: 100_000) == .recompute(days[0]))
      #expect(done(isSettled: false, at: 100) == [])
    }
    #expect(next(at: 100_000) == .idle)
    queue.add([days[0]], markers: [], today: days[1], at: 500)
    #expect(next(at: 502) == .recompute(days[0]))
    #expect(done(isSettled: true) == [])
    // A day that has not begun keeps the marker, too.
    queue.add([days[1], days[2]], markers: ["d"], today: days[1], at: 310)
    #expect(next(at: 310) == .recompute(days[1]))
    #expect(done(isSettled: true) == [])
    #expect(next(at: 400) == .idle)
  }

  @Test func `R54: batches of one day within the pause are one recompute`() throws {
    let (day, today) = (
      try #require(CalendarDate("2026-02-01")), try #require(CalendarDate("2026-02-08"))
    )
    var queue = DayQueue()
    func next(at now: Double) -> DayQueue.Step { queue.next(at: now) }
    func done(isSettled: Bool, at now: Double = 0) -> [String] {
      queue.done(isSettled ? .settled : .failed, at: now)
    }
    for number in 0..<10 {
      queue.add([day], markers: ["m\(number)"], today: today, at: 50 + Double(number) / 10)
    }
    #expect(next(at: 51.9) == .wait(until: 52))
    #expect(next(at: 52) == .recompute(day))
    #expect(done(isSettled: true).count == 10)
    #expect(next(at: 60) == .idle)
  }

  @Test func `R54: a past day waits longer while batches arrive, today never`() throws {
    let (day, today) = (
      try #require(CalendarDate("2026-02-01")), try #require(CalendarDate("2026-02-08"))
    )
    // A batch each second for an hour.
    var queue = DayQueue()
    var made: [CalendarDate: [Double]] = [:]
    var waited = 0.0
    for second in 0..<3600 {
      let now = Double(second)
      queue.add([day, today], markers: ["m\(second)"], today: today, at: now)
      while case .recompute(let date) = queue.next(at: now) {
        waited = max(waited, now - (made[date]?.last ?? 0))
        made[date, default: []].append(now)
        _ = queue.done(.overtaken, at: now)
      }
    }
    #expect(made[today]?.count == 3600, "each at once")
    #expect((made[day]?.count ?? 0) <= 66, "\(made[day] ?? [])")
    #expect(made[day]?.prefix(5) == [2, 6, 14, 30, 62])
    #expect(waited <= DayQueue.maximumPause)
    // What was overtaken keeps its marker until it is settled.
    var released: [String] = []
    while case .recompute = queue.next(at: 4000) { released += queue.done(.settled, at: 4000) }
    #expect(released.count == 3600)
    // After a quiet while it is as before.
    queue.add([day], markers: [], today: today, at: 5000)
    #expect(queue.next(at: 5001) == .wait(until: 5002))
  }

  @Test(arguments: [false, true])
  func `R49: a server whose zones changed leaves markers to sweeps`(isChanged: Bool) async throws {
    let store = MemoryStore()
    let (ledger, streams) = (
      HealthLedger(store: store), StreamStore(store: store, compression: ZlibCompression())
    )
    func deriver(_ zone: String) -> DayDeriver {
      DayDeriver(ledger: ledger, streams: streams, zones: ReportingZones(zone))
    }
    let now = try #require(Timestamp("2026-02-08T04:00:00Z"))
    let zone = "Asia/Singapore"
    let terms = PersonTerms(
      zones: ReportingZones(zone), isZoneSet: true, goals: [:], units: .stored)
    let recompute = DayRecompute(
      deriver(zone), terms: TermsCache(terms), now: { now }, report: { _ in })
    let key = try #require(
      ObjectKey("streams/v0/.pending/\(String(repeating: "a", count: 64))-0000000000000001"))
    _ = try await store.put(key, [1], if: .absent)
    recompute.touched([now...now], markers: [key], receivedAt: now)
    if isChanged { try await deriver("UTC").setZones(ReportingZones("UTC")) }
    await recompute.finish(seconds: 60)
    #expect((try await store.get(key, limit: 9) != nil) == isChanged)
  }

  @Test func `R49: a zone changed back before its first date stays today's`() async throws {
    let store = MemoryStore()
    // The 29th in Kiritimati, the 28th in Berlin.
    let now = try #require(Timestamp("2026-01-28T11:00:00Z"))
    let environment = LedgerEnvironment(now: { now }, entropy: { 1 }, backOff: { _ in })
    let zone = Mutex("Europe/Berlin")
    let deriver = DayDeriver(
      ledger: HealthLedger(store: store, environment: environment),
      streams: StreamStore(store: store, compression: ZlibCompression()),
      zonesNow: { StoredZones(ReportingZones(zone.withLock(\.self)), isSet: true) })
    let terms = PersonTerms(
      zones: ReportingZones("Europe/Berlin"), isZoneSet: true, goals: [:], units: .stored)
    let recompute = DayRecompute(deriver, terms: TermsCache(terms), now: { now }, report: { _ in })
    try await deriver.setZones(ReportingZones("Europe/Berlin"))
    for (name, expected) in [
      ("Europe/Berlin", "Europe/Berlin"),
      ("Pacific/Kiritimati", "Europe/Berlin, Pacific/Kiritimati@2026-01-29"),
      ("Europe/Berlin", "Europe/Berlin"),
    ] {
      zone.withLock { $0 = name }
      recompute.touched([now...now], receivedAt: now)
      await recompute.finish(seconds: 60)
      #expect(try await deriver.storedZones().map { "\($0.zones)" } == expected)
    }
  }

  @Test func `R56: a day not in the tables keeps its marker, and is tried for ever`() throws {
    let day = try #require(CalendarDate("2026-02-01"))
    var queue = DayQueue()
    queue.add([day], markers: ["a"], today: day, at: 0)
    var moments: [Double] = []
    while moments.count < 12, case .wait(let moment) = queue.waiting() {
      #expect(queue.next(at: moment) == .recompute(day))
      moments.append(moment)
      #expect(queue.done(.behindTables, at: moment) == [])
    }
    let pauses = zip(moments, moments.dropFirst()).map { $1 - $0 }
    #expect(pauses == [5, 10, 20, 40, 80, 160, 300, 300, 300, 300, 300])
    #expect(queue.next(at: 1e6) == .recompute(day))
    #expect(queue.done(.settled, at: 1e6) == ["a"])
    #expect(queue.next(at: 1e7) == .idle)
  }

  @Test func `R49: markers are swept at once, each five minutes, and 30 seconds after a failure`() {
    var sweeps = SweepSchedule(at: 7)
    #expect(sweeps.next == 7)
    sweeps.swept(isDone: false, at: 10)
    #expect(sweeps.next == 40)
    sweeps.swept(isDone: false, at: 41)
    #expect(sweeps.next == 71)
    sweeps.swept(isDone: true, at: 80)
    #expect(sweeps.next == 380)
  }

  @Test func `R54: a wait that was broken off does not end those that follow`() async {
    let signal = WakeSignal()
    for _ in 0..<100 {
      let first = Task { await signal.wait() }
      first.cancel()
      await first.value
    }
    let isOver = Mutex(false)
    let second = Task {
      await signal.wait()
      isOver.withLock { $0 = true }
    }
    while !signal.isAwaited, !isOver.withLock(\.self) { await Task.yield() }
    #expect(signal.isAwaited)
    signal.raise()
    await second.value
    // Rung while nobody waited: the next wait returns at once.
    signal.raise()
    await signal.wait()
    #expect(!signal.isAwaited)
  }

  @Test(arguments: [
    ("", [] as [UInt8]?), ("aGVsbG8=", Array("hello".utf8)), ("aGVsbG8", Array("hello".utf8)),
    ("OnM6eA==", Array(":s:x".utf8)), ("a b", nil), ("aG=V", nil), ("s3h_", nil),
  ])
  func `base64 is read strictly`(text: String, bytes: [UInt8]?) {
    #expect(Base64.decode(text.utf8) == bytes)
  }

  @Test func `R49: a marker covers a recompute only while no sweeper may take it for old`() throws {
    let day = try #require(CalendarDate("2026-03-02"))
    var queue = DayQueue()
    queue.add([day], markers: ["m"], today: day, at: 100)
    #expect(queue.next(at: 100) == .recompute(day))
    #expect(queue.isCovered(at: 100) && queue.isCovered(at: 219) && !queue.isCovered(at: 221))
    #expect(queue.done(.failed, at: 160).isEmpty)
    #expect(!queue.isCovered(at: 161))
    // One that nobody has marked is covered by nothing.
    queue.add([day], markers: [], today: day, at: 400)
    #expect(queue.next(at: 400) == .recompute(day))
    #expect(!queue.isCovered(at: 400))
  }
}

extension DayQueue {
  /// When the next day is due, which is not begun.
  fileprivate func waiting() -> Step {
    var copy = self
    let step = copy.next(at: -1)
    return step
  }
}

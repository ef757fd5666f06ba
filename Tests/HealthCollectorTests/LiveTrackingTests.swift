import Foundation
import HealthCollector
import HealthModel
import HealthStreams
import Synchronization
import Testing

/// Samples that a test adds and deletes, told by an anchor as HealthKit does, and a clock that it
/// moves.
final class PhoneSource: SampleSource, HealthAuthorization {
  struct State {
    var changes: [(entry: StreamEntry, type: String)] = []
    var now = Timestamp(secondsSince1970: 0)
    var zone = "Europe/Berlin"
    var status = HealthAuthorizationStatus.authorized
    var answer = HealthAuthorizationStatus.authorized
    var asked = 0
    var fails = false
    /// By feed, how many changes were told in all.
    var told: [String: Int] = [:]
    var ids = 0
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String { "the health store is locked" }
  }

  let state: Mutex<State>

  init(_ now: String) throws {
    let now = try #require(ReportingDay.LocalMoment(now)).timestamp
    state = Mutex(State(now: now))
  }

  var clock: LiveClock {
    // Nothing is asked by itself: a test asks.
    LiveClock(
      now: { self.state.withLock(\.now) }, timeZoneName: { self.state.withLock(\.zone) },
      rest: { _ in try await Task.sleep(for: .seconds(3600)) })
  }

  func pass(_ seconds: Int) { state.withLock { $0.now = $0.now.adding(seconds: seconds) } }

  @discardableResult
  func add(
    _ kind: SampleKind, _ value: Double, _ unit: String, ago: Int = 60, lasting: Int = 60,
    from device: String = "Ann's iPhone"
  ) throws -> String {
    try state.withLock { state in
      state.ids += 1
      let digits = String(state.ids)
      let id =
        "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
      let start = state.now.adding(seconds: -ago)
      let entry = try StreamEntry(
        .object([
          "sample_type": .string(kind.identifier), "uuid": .string(id),
          "timestamp": .string("\(start)"),
          "end_timestamp": .string("\(start.adding(seconds: lasting))"), "value": .number(value),
          "unit": .string(unit), "source": .string(device),
        ]), of: .healthKit)
      state.changes.append((entry, kind.identifier))
      return id
    }
  }

  func delete(_ id: String, _ kind: SampleKind) throws {
    try state.withLock { state in
      let entry = try StreamEntry(
        .object([
          "sample_type": .string(kind.identifier), "uuid": .string(id),
          "timestamp": .string("\(state.now)"), "deleted": .bool(true),
        ]), of: .healthKit)
      state.changes.append((entry, kind.identifier))
    }
  }

  func changes(of feed: String, since anchor: [UInt8]?) async throws -> SampleChanges {
    try state.withLock { state in
      if state.fails { throw Failure() }
      let known = anchor.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
      // In parts of three, so that every reading takes several.
      let part = state.changes.dropFirst(known).prefix(3)
      let own = part.filter { $0.type == feed }.map(\.entry)
      state.told[feed, default: 0] += own.count
      return SampleChanges(
        added: own.filter { !$0.isDeletion }, deleted: own.filter(\.isDeletion),
        newAnchor: Array("\(known + part.count)".utf8),
        isComplete: known + part.count == state.changes.count)
    }
  }

  var status: HealthAuthorizationStatus { state.withLock(\.status) }

  func request() async throws -> HealthAuthorizationStatus {
    try state.withLock { state in
      state.asked += 1
      if state.fails { throw Failure() }
      state.status = state.answer
      return state.answer
    }
  }
}

/// `HealthKitLiveTrackingService` over a source (R58).
@MainActor @Suite(.unit) struct LiveTrackingTests {
  @Test
  func `R58: three queries report steps, kilometres and kilocalories, and each can be stopped`()
    async throws
  {
    let source = try PhoneSource("2026-07-10T15:42:00+02:00")
    var log: [String] = []
    let service = HealthKitLiveTrackingService(source: source, clock: source.clock) {
      log.append($0)
    }
    var (steps, distance, energy): ([Int], [Double], [Double]) = ([], [], [])
    let stepQuery = service.startStepTracking { steps.append($0) }
    _ = service.startDistanceTracking { distance.append($0) }
    _ = service.startActiveEnergyTracking { energy.append($0) }
    await service.refresh()
    #expect(steps == [0] && distance == [0] && energy == [0])
    try source.add(.stepCount, 812, "count", ago: 1200)
    try source.add(.distanceWalkingRunning, 640, "m", ago: 1200)
    try source.add(.activeEnergyBurned, 31.5, "kcal", ago: 1200)
    let wrong = try source.add(.stepCount, 100, "count", ago: 600)
    await service.refresh()
    #expect(steps == [0, 912] && distance == [0, 0.64] && energy == [0, 31.5])
    // Nothing new reports nothing; a deletion reports something.
    await service.refresh()
    try source.delete(wrong, .stepCount)
    await service.refresh()
    #expect(steps == [0, 912, 812])
    // Only what is new was asked for (R58).
    #expect(source.state.withLock { $0.told[SampleKind.stepCount.identifier] } == 3)
    service.stopTracking(queryID: stepQuery)
    try source.add(.stepCount, 5, "count")
    try source.add(.distanceWalkingRunning, 360, "m")
    await service.refresh()
    #expect(steps == [0, 912, 812] && distance == [0, 0.64, 1])
    service.stopAllTracking()
    #expect(log == ["⏹️ Stopped all live tracking"] && !service.isTracking)
  }

  @Test func `R58: an error is logged, the numbers stay, and the source is asked again`()
    async throws
  {
    let source = try PhoneSource("2026-07-10T15:42:00+02:00")
    var (log, steps): ([String], [Int]) = ([], [])
    let service = HealthKitLiveTrackingService(source: source, clock: source.clock) {
      log.append($0)
    }
    _ = service.startStepTracking { steps.append($0) }
    try source.add(.stepCount, 812, "count")
    await service.refresh()
    source.state.withLock { $0.fails = true }
    try source.add(.stepCount, 100, "count", ago: 600)
    await service.refresh()
    #expect(steps == [812] && log == ["❌ steps could not be read: the health store is locked"])
    source.state.withLock { $0.fails = false }
    await service.refresh()
    #expect(steps == [812, 912])
    service.stopAllTracking()
  }

  @Test(arguments: [
    ("2026-07-10T23:00:00+02:00", 3600), ("2026-03-28T23:00:00+01:00", 3600),
    ("2026-10-24T23:00:00+02:00", 3600), ("2026-10-25T00:00:00+02:00", 25 * 3600),
    ("2026-03-29T00:00:00+01:00", 23 * 3600),
  ])
  func `R58: at midnight the count begins anew, and a walk over midnight counts on both days`(
    start: String, untilMidnight: Int
  ) async throws {
    let source = try PhoneSource(start)
    var steps: [Int] = []
    let service = HealthKitLiveTrackingService(source: source, clock: source.clock)
    _ = service.startStepTracking { steps.append($0) }
    source.pass(untilMidnight - 60)
    try source.add(.stepCount, 500, "count", ago: 600)
    await service.refresh()
    #expect(steps.last == 500)
    // Ten minutes after midnight comes a walk of twenty minutes.
    source.pass(59)
    await service.refresh()
    #expect(steps.last == 500)
    source.pass(1)
    await service.refresh()
    #expect(steps.last == 0)
    source.pass(600)
    try source.add(.stepCount, 1000, "count", ago: 1200, lasting: 1200)
    await service.refresh()
    #expect(steps.last == 500)
    // The clock is set back to before midnight: yesterday again, with its half of the walk.
    source.pass(-900)
    await service.refresh()
    #expect(steps.last == 1000)
    service.stopAllTracking()
  }

  @Test func `R58: a traveller's day is that of the new zone`() async throws {
    let source = try PhoneSource("2026-07-10T08:00:00+02:00")
    var steps: [Int] = []
    let service = HealthKitLiveTrackingService(source: source, clock: source.clock)
    _ = service.startStepTracking { steps.append($0) }
    try source.add(.stepCount, 100, "count", ago: 7 * 3600)
    try source.add(.stepCount, 30, "count", ago: 3600)
    await service.refresh()
    #expect(steps.last == 130)
    // 02:00 in New York: the day began two hours ago.
    source.state.withLock { $0.zone = "America/New_York" }
    await service.refresh()
    #expect(steps.last == 30)
    // And back: what was let go of is asked for again.
    source.state.withLock { $0.zone = "Europe/Berlin" }
    await service.refresh()
    #expect(steps.last == 130)
    service.stopAllTracking()
  }

  @Test func `R58: a deletion is remembered for as long as its sample could count, and no longer`()
    throws
  {
    let source = try PhoneSource("2026-07-10T15:42:00+02:00")
    let now = source.clock.now()
    let date = try #require(CalendarDate("2026-07-10"))
    var totals = try LiveTotals(of: date, timeZoneName: "Europe/Berlin")
    // It may last until the evening of the next day.
    let id = try source.add(.stepCount, 100, "count", ago: -60, lasting: 26 * 3600)
    try source.delete(id, .stepCount)
    let entries = source.state.withLock { $0.changes.map(\.entry) }
    func apply(added: [StreamEntry], deleted: [StreamEntry]) {
      totals.apply(
        SampleChanges(added: added, deleted: deleted, newAnchor: [], isComplete: true), at: now)
    }
    apply(added: [], deleted: [entries[1]])
    for (days, known) in [(1, 1), (2, 1), (3, 0)] {
      let next = try #require(date.adding(days: days))
      #expect(try totals.move(to: next, timeZoneName: "Europe/Berlin"))
      // Sent again.
      apply(added: [entries[0]], deleted: [])
      #expect(totals.sampleCount == known && totals.number(of: .steps) == nil, "\(next)")
    }
  }

  struct Announcing: AnnouncingSampleSource {
    let inner: PhoneSource
    let stream: AsyncStream<Void>
    func announcements(of feed: String) -> AsyncStream<Void> { stream }
    func changes(of feed: String, since anchor: [UInt8]?) async throws -> SampleChanges {
      try await inner.changes(of: feed, since: anchor)
    }
  }

  @Test(arguments: [
    ("2026-07-10T15:42:00+02:00", 3600), ("2026-07-10T23:30:00+02:00", 1800),
    ("2026-07-10T23:59:59+02:00", 1), ("2026-10-25T00:00:00+02:00", 3600),
  ])
  func `R58: a source that announces news is not asked each second, but at midnight`(
    now: String, seconds: Int
  ) async throws {
    let source = try PhoneSource(now)
    for announces in [true, false] {
      let (pauses, sender) = AsyncStream.makeStream(of: Int.self)
      var clock = source.clock
      clock.rest = {
        sender.yield($0)
        try await Task.sleep(for: .seconds(3600))
      }
      let announcing = Announcing(inner: source, stream: AsyncStream { _ in })
      let service = HealthKitLiveTrackingService(
        source: announces ? announcing : source, clock: clock)
      _ = service.startStepTracking { _ in }
      var iterator = pauses.makeAsyncIterator()
      #expect(await iterator.next() == (announces ? seconds : 1))
      service.stopAllTracking()
    }
  }

  @Test func `R58: a source that announces news is asked at once`() async throws {
    let source = try PhoneSource("2026-07-10T15:42:00+02:00")
    let (stream, bell) = AsyncStream.makeStream(of: Void.self)
    let service = HealthKitLiveTrackingService(
      source: Announcing(inner: source, stream: stream), clock: source.clock)
    let (updates, sender) = AsyncStream.makeStream(of: Int.self)
    _ = service.startStepTracking { sender.yield($0) }
    var iterator = updates.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    try source.add(.stepCount, 77, "count")
    // The clock's pause is an hour: only the bell can wake it.
    bell.yield()
    #expect(await iterator.next() == 77)
    service.stopAllTracking()
  }
}

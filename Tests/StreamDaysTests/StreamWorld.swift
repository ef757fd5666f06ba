import Foundation
import Gzip
import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import Synchronization
import Testing

@testable import StreamDays

/// A store with streams and a ledger, and a clock that tests move.
final class StreamWorld: Sendable {
  let store: any ObjectStore
  let ledger: HealthLedger
  let streams: StreamStore
  let zone: String
  let isZoneSet: Bool

  static let device = "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11"

  init(
    _ store: (any ObjectStore)? = nil, zone: String = "UTC", isZoneSet: Bool = true, at now: String
  ) throws {
    let shared = SharedClock(try #require(Timestamp(now)))
    (self.zone, self.isZoneSet) = (zone, isZoneSet)
    self.shared = shared
    self.store = store ?? MemoryStore(now: { shared.now.secondsSince1970 })
    ledger = HealthLedger(
      store: self.store,
      environment: LedgerEnvironment(
        now: { shared.now }, entropy: { .random(in: .min ... .max) },
        backOff: { _ async throws(CancellationError) in }))
    streams = StreamStore(store: self.store, compression: ZlibCompression())
  }

  final class SharedClock: Sendable {
    private let moment: Mutex<Timestamp>
    init(_ start: Timestamp) { moment = Mutex(start) }
    var now: Timestamp { moment.withLock { $0 } }
    func advance(_ seconds: Int) { moment.withLock { $0 = $0.adding(seconds: seconds) } }
  }

  let shared: SharedClock

  func advance(_ seconds: Int) { shared.advance(seconds) }

  func deriver(isDryRun: Bool = false) -> DayDeriver {
    let zone = zone
    return DayDeriver(
      ledger: ledger, streams: streams, zones: ReportingZones(zone), areZonesSet: isZoneSet,
      isDryRun: isDryRun)
  }

  func send(
    _ entries: [StreamEntry], session: String = UUID().uuidString, feed: String = "phone",
    device: String = device, receivedAt: Timestamp? = nil, microseconds: Int = 0,
    run: RunID? = nil
  ) async throws {
    let batch = try SealedBatch(
      sealing: entries, of: .healthKit, deviceID: device, session: session, appVersion: "1")
    let moment = PreciseMoment(receivedAt ?? shared.now).adding(microseconds: microseconds)
    _ = try await streams.append(batch, feed: feed, receivedAt: moment, run: run, keeping: nil)
  }

  /// Sends steps of the first minute of an hour of 2026-03-02. Then a minute passes.
  func send(_ steps: Double, hour: Int, run: RunID? = nil) async throws {
    try await send(
      [
        try Entries.steps(
          steps, "2026-03-02T\(hour):00:00Z", "2026-03-02T\(hour):01:00Z",
          uuid: Entries.uuid(hour))
      ], run: run)
    advance(60)
  }

  /// Receives a payload of Health Auto Export.
  func post(
    _ text: String, session: String? = nil, aggregation: String = "days",
    at moment: String? = nil, microseconds: Int = 0, writtenAt: String? = nil,
    run: RunID? = nil
  ) async throws {
    let receivedAt = try moment.map { try #require(Timestamp($0)) } ?? shared.now
    var headers = ["automation-aggregation": aggregation]
    headers["session-id"] = session
    headers["automation-written-at"] = writtenAt
    let payload = try HealthAutoExportBody.read(
      Array(text.utf8), headers: headers, deviceID: Self.device, receivedAt: receivedAt,
      spans: PayloadMoments.spans)
    _ = try await streams.append(
      payload.batch, feed: "health-auto-export",
      receivedAt: PreciseMoment(receivedAt).adding(microseconds: microseconds), run: run,
      keeping: nil)
  }

  func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

  func latest(_ text: String) async throws -> StoredRevision? {
    try await ledger.resolve(date(text)).latest
  }

  func steps(_ text: String) async throws -> Double? {
    try await latest(text)?.revision.readings[.steps]?.number
  }

  func derive(_ text: String) async throws -> DayDeriver.Result {
    try await deriver().recompute(date(text))
  }

  func publish(
    _ text: String, _ readings: [DailyMetric: MetricReading], as collector: Collector,
    isExport: Bool = false, capturedAt: Timestamp? = nil
  ) async throws -> PublishOutcome {
    let day = try ReportingDay(date: date(text), timeZoneName: zone)
    let draft = DayDraft(
      day: day, collector: collector, source: isExport ? .appleHealthExport : .healthKit,
      readings: readings, capturedAt: capturedAt ?? shared.now)
    return try await ledger.publish(isExport ? draft.export : draft)
  }

  func sweep(_ today: String, _ dates: Set<CalendarDate> = []) async throws -> (
    MarkerSweep.Result, [CalendarDate]
  ) {
    let shared = shared
    let sweep = MarkerSweep(
      deriver(), today: try date(today),
      now: { shared.now })
    var done: [CalendarDate] = []
    let result = try await sweep.run(dates) { date, result throws(LedgerError) in
      _ = try result.get()
      done.append(date)
    }
    return (result, done)
  }
}

extension DayDraft {
  /// The draft as an Apple export says it, which has everything: what it does not name it has not, and of a day
  /// that was over it knows better than what was said before.
  var export: DayDraft {
    var draft = self
    draft.readings = DailyMetric.allCases.reduce(into: readings) { all, metric in
      all[metric] = all[metric] ?? .noData
    }
    for place in draft.words.indices {
      draft.words[place].isZoneSet = false
      draft.words[place].isAuthority = day.isOver(at: capturedAt)
    }
    return draft
  }
}

/// Payloads of Health Auto Export for tests.
enum Payload {
  /// A payload of one metric.
  static func metric(_ name: String, _ units: String, _ rows: String) -> String {
    #"{"data":{"metrics":[{"name":"\#(name)","units":"\#(units)","data":[\#(rows)]}]}}"#
  }

  /// Steps of a whole day.
  static func steps(_ number: Double, _ date: String = "2026-03-02") -> String {
    metric("step_count", "count", #"{"date":"\#(date) 00:00:00 +0000","qty":\#(number)}"#)
  }
}

/// Entries of streams for tests.
enum Entries {
  static func uuid(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  static func entry(_ text: String) throws -> StreamEntry {
    try StreamEntry(JSONValue(parsing: Array(text.utf8)), of: .healthKit)
  }

  static func steps(
    _ value: Double, _ start: String, _ end: String, uuid: String? = nil, source: String = "Watch"
  ) throws -> StreamEntry {
    let id = uuid.map { #","uuid":"\#($0)""# } ?? ""
    return try entry(
      #"{"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"\#(start)","end_timestamp":"\#(end)","value":\#(value),"unit":"count","source":"\#(source)"\#(id)}"#
    )
  }

  static func deletion(_ start: String, _ end: String, uuid: String) throws -> StreamEntry {
    try entry(
      #"{"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"\#(start)","end_timestamp":"\#(end)","uuid":"\#(uuid)","deleted":true}"#
    )
  }
}

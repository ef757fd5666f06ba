import HealthLedger
import HealthModel
import HealthStreams
import ObjectStore
import Synchronization

/// Whether what stands behind the server can be reached (R54).
final class Readiness: Sendable {
  private let streams: StreamStore
  private let tables: (any RecordTables)?
  private let counters: HubCounters
  private let last = Mutex<(answer: Answer, at: ContinuousClock.Instant)?>(nil)

  /// When the store took the last object of ours.
  private let wroteAt = Mutex<ContinuousClock.Instant?>(nil)
  /// Among the days, where a publish writes: another folder may allow more, or less.
  private let scratch: ObjectKey?

  /// How long that holds: each costs two requests.
  private static let writePause: Duration = .seconds(30)
  /// How long an answer holds, so that nobody can make the server ask the store all the time.
  private static let pause: Duration = .seconds(2)
  private static let seconds = 5

  init(_ streams: StreamStore, _ tables: (any RecordTables)?, _ counters: HubCounters) {
    (self.streams, self.tables, self.counters) = (streams, tables, counters)
    let layout = try? LedgerLayout(prefix: streams.layout.prefix)
    scratch = layout.flatMap { ObjectKey($0.checkPrefix + "-ready") }
  }

  /// 200, or 503; with what can't be reached.
  func answer() async -> Answer {
    if let last = last.withLock({ $0 }), ContinuousClock.now - last.at < Self.pause {
      return last.answer
    }
    let (streams, tables) = (streams, tables)
    let store = await TimeLimit.run(Self.seconds) { [self] in
      let request = ListRequest(prefix: streams.layout.rootPrefix, limit: 1)
      guard (try? await streams.store.list(request)) != nil else { return "unreachable" }
      // Nothing is acknowledged where a batch might be replaced.
      guard (try? await streams.store.conditionalWrites()) != .unsafe else { return "unsafe" }
      return await writes() ? "ok" : "unwritable"
    }
    var members: [String: JSONValue] = [
      "store": .string(store ?? "unreachable"),
      // They are stored, and wait for a time zone.
      "days_without_zone": .number(Double(counters.daysWithoutZone)),
    ]
    var isReady = store == "ok"
    if let tables {
      let state = await TimeLimit.run(Self.seconds) { await tables.state() } ?? .unreachable
      members["tables"] = .string(state.rawValue)
      if state == .missing { members["remedy"] = .string("run s3healthd db create") }
      isReady = isReady && state == .ok
      // They are published, and their rows follow.
      members["table_days_waiting"] = .number(Double(counters.rowsWaiting))
    }
    let answer = Answer(isReady ? 200 : 503, json: .object(members))
    last.withLock { $0 = (answer, .now) }
    return answer
  }

  /// Whether the store takes an object: one that is full, or that may only be read, does not.
  private func writes() async -> Bool {
    if let at = wroteAt.withLock({ $0 }), ContinuousClock.now - at < Self.writePause { return true }
    guard let scratch else { return false }
    let outcome = try? await streams.store.put(scratch, Array("ready\n".utf8), if: .absent)
    try? await streams.store.delete(scratch)
    // One that is there, of another server or left behind, was taken before.
    switch outcome {
    case .stored, .preconditionFailed: break
    case .unknown, nil: return false
    }
    wroteAt.withLock { $0 = .now }
    return true
  }
}

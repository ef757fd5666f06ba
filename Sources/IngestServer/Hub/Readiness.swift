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

  /// How long an answer holds, so that nobody can make the server ask the store all the time.
  private static let pause: Duration = .seconds(2)
  private static let seconds = 5

  init(_ streams: StreamStore, _ tables: (any RecordTables)?, _ counters: HubCounters) {
    (self.streams, self.tables, self.counters) = (streams, tables, counters)
  }

  /// 200, or 503; with what can't be reached.
  func answer() async -> Answer {
    if let last = last.withLock({ $0 }), ContinuousClock.now - last.at < Self.pause {
      return last.answer
    }
    let (streams, tables) = (streams, tables)
    let store = await TimeLimit.run(Self.seconds) {
      let request = ListRequest(prefix: streams.layout.rootPrefix, limit: 1)
      guard (try? await streams.store.list(request)) != nil else { return "unreachable" }
      // Nothing is acknowledged where a batch might be replaced.
      return (try? await streams.store.conditionalWrites()) == .unsafe ? "unsafe" : "ok"
    }
    var members: [String: JSONValue] = ["store": .string(store ?? "unreachable")]
    var isReady = store == "ok"
    if let tables {
      let reached = await TimeLimit.run(Self.seconds) { (try? await tables.check()) != nil }
      members["tables"] = .string(reached == true ? "ok" : "unreachable")
      isReady = isReady && reached == true
      // They are published, and their rows follow.
      members["table_days_waiting"] = .number(Double(counters.rowsWaiting))
    }
    let answer = Answer(isReady ? 200 : 503, json: .object(members))
    last.withLock { $0 = (answer, .now) }
    return answer
  }
}

import Foundation
import HealthLedger
import HealthModel
import ObjectStore

@testable import MCPServer

/// A ledger in memory with days of February 2026, and the tools above it.
struct SampleLedger {
  let store: MemoryStore
  let ledger: HealthLedger
  /// This machine's clock in the tools: a day after the last of what is published.
  static let now = Timestamp("2026-02-11T12:00:00Z")!

  init() {
    store = MemoryStore()
    ledger = HealthLedger(
      store: store,
      environment: LedgerEnvironment(
        now: { Timestamp("2026-02-10T12:00:00Z")! }, entropy: { 0xABCD_EF01 },
        backOff: { _ async throws(CancellationError) in }))
  }

  func publish(
    _ date: String, _ readings: [Metric: MetricReading], zone: String = "Europe/Berlin",
    capturedAt: String = "2026-02-10T12:00:00Z"
  ) async throws {
    _ = try await ledger.publish(
      DayDraft(
        day: try ReportingDay(date: CalendarDate(date)!, timeZoneName: zone),
        collector: Collector(collectorID: UUID(), deviceID: UUID()), readings: readings,
        capturedAt: Timestamp(capturedAt)!))
  }

  /// Puts bytes where a revision of the date would lie.
  func plant(_ date: String, id: String, _ text: String) async throws {
    let key = ledger.layout.revisionKey(CalendarDate(date)!, RevisionID(id)!)
    _ = try await store.put(key, Array(text.utf8), if: .absent)
  }

  /// What the tools answer above a store, which is this ledger's unless said otherwise.
  func answer(
    _ tool: Tool, _ arguments: [String: JSONValue], zone: String = "Europe/Berlin",
    over other: (any ObjectStore)? = nil
  ) async -> ToolAnswer {
    let ledger = other.map { HealthLedger(store: $0) } ?? ledger
    return await HealthTools(ledger, timeZoneName: zone) { Self.now }
      .answer(ToolCall(tool, arguments))
  }
}

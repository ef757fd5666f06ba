import Foundation
import HealthLedger
import HealthModel
import ObjectStore
import TestSupport
import Testing

@testable import MCPServer

/// A ledger in memory with days of February 2026, and the tools above it.
struct SampleLedger {
  let store: MemoryStore
  let ledger: HealthLedger
  /// This machine's clock in the tools: noon of 2026-02-11, a day after all was published.
  static let now = Timestamp(secondsSince1970: 1_770_811_200)

  init() {
    store = MemoryStore()
    ledger = HealthLedger(
      store: store,
      environment: LedgerEnvironment(
        now: { Timestamp(secondsSince1970: 1_770_724_800) }, entropy: { 0xABCD_EF01 },
        backOff: { _ async throws(CancellationError) in }))
  }

  func publish(
    _ date: String, _ readings: [DailyMetric: MetricReading], optional: [DailyMetric: Double] = [:],
    zone: String = "Europe/Berlin", source: DataSource = .healthKit,
    capturedAt: String = "2026-02-10T12:00:00Z"
  ) async throws {
    _ = try await ledger.publish(
      DayDraft(
        day: try ReportingDay(date: try #require(CalendarDate(date)), timeZoneName: zone),
        collector: Collector(collectorID: UUID(), deviceID: UUID()), source: source,
        readings: readings.with(optional),
        capturedAt: Timestamp(capturedAt)))
  }

  /// Puts bytes where a revision of the date would lie.
  func plant(_ date: String, id: String, _ text: String) async throws {
    let key = ledger.layout.revisionKey(
      try #require(CalendarDate(date)), try #require(RevisionID(id)))
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

import Foundation
import HealthLedger
import HealthModel
import ObjectStore
import TestSupport
import Testing

@testable import HealthReport

/// A ledger in memory with days of February 2026, and reports of it by way of a real verification.
struct SampleRange {
  let store = MemoryStore(now: { Self.published.secondsSince1970 })
  let ledger: HealthLedger
  /// When the reports are made: noon of 2026-02-11, twelve hours after all was published.
  static let madeAt = Timestamp(secondsSince1970: 1_770_811_200)
  static let published = Timestamp(secondsSince1970: 1_770_768_000)
  static let collector = Collector(
    collectorID: UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16)),
    deviceID: UUID(uuid: (16, 15, 14, 13, 12, 11, 0x4A, 9, 0x88, 7, 6, 5, 4, 3, 2, 1)))

  init() {
    ledger = HealthLedger(
      store: store,
      environment: LedgerEnvironment(
        now: { Self.published }, entropy: { 0xABCD_EF01 },
        backOff: { _ async throws(CancellationError) in }))
  }

  func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

  func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

  func publish(
    _ date: String, _ readings: [DailyMetric: MetricReading],
    optional: [DailyMetric: Double] = [:], source: DataSource = .healthKit,
    capturedAt: Timestamp = published
  ) async throws {
    _ = try await ledger.publish(
      DayDraft(
        day: try ReportingDay(date: try self.date(date), timeZoneName: "Europe/Berlin"),
        collector: Self.collector, source: source, readings: readings.with(optional),
        capturedAt: capturedAt))
  }

  /// All required metrics with one number, but for those named.
  static func all(
    _ number: Double = 7, except others: [DailyMetric: MetricReading] = [:]
  ) -> [DailyMetric: MetricReading] {
    Dictionary(
      uniqueKeysWithValues: DailyMetric.required.map { ($0, others[$0] ?? .value(number)) })
  }

  /// Puts bytes under any key of the layout.
  func plant(_ key: String, _ bytes: [UInt8]) async throws {
    _ = try await store.put(try #require(ObjectKey(key)), bytes, if: .absent)
  }

  func report(
    _ from: String, _ to: String, storeName: String = "/home/ann/store", maker: String = "s3health"
  ) async throws -> RangeReport {
    let range = try DateRange(from: date(from), to: date(to), maximumDays: 100_000)
    var report = RangeReport(
      storeName: storeName, range: range, madeAt: Self.madeAt, today: try date("2026-02-11"),
      maker: maker)
    let rest = try await ledger.verify(RangeReport.span(of: range)) { report.add($0) }
    report.add(rest)
    return report
  }
}

extension ReadPage {
  static func read(_ report: RangeReport, expect: [String] = []) async throws -> ReadPage {
    try await read([(try ReportPage(report).bytes, expect)])[0]
  }
}

extension StartCommands {
  static let sample = StartCommands(
    importing: "import-it", app: "add --app", url: "--url", collector: "add laptop",
    settingZone: "set-it --timezone")
}

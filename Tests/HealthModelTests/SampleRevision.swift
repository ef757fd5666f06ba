import Foundation
import HealthModel
import Testing

extension DailyRevision {
  /// The document that is stored, without its digest (R60), so that a test can change it.
  func document() throws -> JSONValue {
    try JSONValue(parsing: encoded).setting("/digest", to: nil)
  }
}

/// Revisions that tests start from.
enum Sample {
  static let collector = Collector(
    collectorID: UUID(
      uuid: (0x4E, 0x0A, 0x0B, 0x4E, 0x2E, 8, 0x4B, 0x63, 0x9B, 0x50, 1, 2, 3, 4, 5, 6)),
    deviceID: UUID(
      uuid: (0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6, 0x78, 0x90, 0xAB, 0xCD, 1, 2, 3, 4, 5, 6)))

  static let readings: [DailyMetric: MetricReading] = [
    .steps: .value(1250), .activeEnergy: .value(450.5), .exerciseMinutes: .value(30),
    .standHours: .value(4), .restingHeartRate: .noData, .heartRateVariability: .unauthorized,
    .sleepAsleep: .noData, .sleepInBed: .unsupported,
  ]

  /// 2026-02-08 in Los Angeles.
  static func revision() throws -> DailyRevision {
    let date = try #require(CalendarDate("2026-02-08"))
    let generatedAt = try #require(Timestamp("2026-02-08T10:00:00Z"))
    return DailyRevision(
      day: try ReportingDay(date: date, timeZoneName: "America/Los_Angeles"),
      generatedAt: generatedAt, collector: collector, readings: readings)
  }
}

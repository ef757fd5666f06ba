import Foundation
import HealthModel
import HealthSources

/// Reads inputs and fixtures for the tests.
enum Payloads {
  static func fixture(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path(ofFixture: name))))
  }

  static func path(ofFixture name: String) -> String {
    let folder = Bundle.module.resourceURL ?? URL(filePath: "/")
    return folder.appending(path: "Fixtures/health-auto-export/\(name).json").path
  }

  /// A payload of series given as (name, units, rows), each row as JSON text.
  static func export(_ series: [(name: String, units: String, rows: [String])]) -> String {
    let texts = series.map { one in
      let rows = one.rows.joined(separator: ",")
      return "{\"name\":\"\(one.name)\",\"units\":\"\(one.units)\",\"data\":[\(rows)]}"
    }
    return "{\"data\":{\"metrics\":[\(texts.joined(separator: ","))]}}"
  }

  static func row(_ date: String, _ quantity: String, _ source: String = "Watch") -> String {
    "{\"date\":\"\(date)\",\"qty\":\(quantity),\"source\":\"\(source)\"}"
  }

  static func span(
    _ start: String, _ end: String, _ quantity: String, _ source: String = "Watch"
  ) -> String {
    "{\"startDate\":\"\(start)\",\"endDate\":\"\(end)\",\"qty\":\(quantity),"
      + "\"source\":\"\(source)\"}"
  }

  static func sleep(
    _ start: String, _ end: String, _ stage: String, _ source: String = "Watch"
  ) -> String {
    "{\"startDate\":\"\(start)\",\"endDate\":\"\(end)\",\"qty\":1,\"value\":\"\(stage)\","
      + "\"source\":\"\(source)\"}"
  }

  static func days(
    _ text: String, zone: String = "Europe/Berlin", defaultDate: String? = nil
  ) throws -> SourceResult {
    try SourceDocument(parsing: Array(text.utf8)).days(
      in: ReportingZones(zone), defaultDate: defaultDate.flatMap { CalendarDate($0) })
  }

  /// The one error of a text; a description of the days where there is none.
  static func error(
    _ text: String, zone: String = "Europe/Berlin", defaultDate: String? = "2026-02-08"
  ) throws -> SourceError {
    do {
      throw Unexpected(result: try days(text, zone: zone, defaultDate: defaultDate))
    } catch let error as SourceError {
      return error
    }
  }

  struct Unexpected: Error { let result: SourceResult }
}

extension SourceResult {
  /// The numbers of a metric by date.
  func numbers(_ metric: DailyMetric) -> [String: Double?] {
    Dictionary(
      uniqueKeysWithValues: days.map { ($0.date.description, $0.readings[metric]?.number) })
  }

  /// The optional metrics by date, but the latest values.
  var optionalTable: [String: [String: Double]] { table(\.optional) }

  /// The latest values by date, and their times.
  var latestTable: [String: [String: Double]] { table(\.latest) }

  private func table(
    _ numbers: ([DailyMetric: MetricReading]) -> [DailyMetric: Double]
  ) -> [String: [String: Double]] {
    let found = days.map { ($0.date.description, numbers($0.readings)) }.filter { !$1.isEmpty }
    return Dictionary(
      uniqueKeysWithValues: found.map { date, numbers in
        (date, Dictionary(uniqueKeysWithValues: numbers.map { ($0.rawValue, $1) }))
      })
  }

  /// Readings of the required metrics by date, in words: numbers as they are, other states by
  /// their status.
  var table: [String: [String: String]] {
    Dictionary(
      uniqueKeysWithValues: days.map { day in
        let readings = day.readings.filter(\.key.isRequired).map { metric, reading in
          (metric.rawValue, reading.number.map { "\($0)" } ?? reading.status.rawValue)
        }
        return (day.date.description, Dictionary(uniqueKeysWithValues: readings))
      })
  }
}

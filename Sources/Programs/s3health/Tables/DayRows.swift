import CommandLineKit
import HealthExports
import HealthModel

/// Days gathered for a table, whose columns are known once all are there.
struct DayRows {
  private struct Day {
    let date: CalendarDate
    let timeZoneName: String
    let isOver: Bool
    let numbers: [DailyMetric: Double]
  }

  /// The columns asked for; nil for the eight and the further ones that any day has.
  let metrics: [DailyMetric]?
  /// Dates of the range that have no row.
  var missing = 0
  private var days: [Day] = []
  private let now: Timestamp

  /// - Parameter now: decides which days are over.
  init(metrics: [DailyMetric]?, at now: Timestamp) { (self.metrics, self.now) = (metrics, now) }

  var count: Int { days.count }

  mutating func add(_ revision: DailyRevision) {
    add(revision.day, readings: revision.readings, further: revision.further)
  }

  mutating func add(
    _ day: ReportingDay, readings: [Metric: MetricReading], further: [DailyMetric: Double]
  ) {
    var numbers = further
    for (metric, reading) in readings { numbers[metric.daily] = reading.number }
    days.append(
      Day(
        date: day.date, timeZoneName: day.timeZoneName, isOver: day.isOver(at: now),
        numbers: numbers))
  }

  /// What a person should know of dates without a row; nil where there is nothing.
  var note: String? {
    missing == 0
      ? nil
      : "\(missing.grouped) \(missing == 1 ? "date has" : "dates have") no data, and no row"
  }

  /// The whole table.
  func bytes(_ format: TableFormat) -> [UInt8] {
    let table = DaysTable(
      metrics ?? DailyMetric.ofV0 + DailyMetric.further(in: days.map(\.numbers)))
    let encoder = TableEncoder(format, table.columns)
    var bytes = encoder.header
    for day in days {
      encoder.append(
        table.row(day.date, timeZoneName: day.timeZoneName, isOver: day.isOver) {
          day.numbers[$0]
        }, to: &bytes)
    }
    return bytes
  }
}

extension DailyMetric {
  /// The further metrics that any of some days has a number for, in the catalogue's order.
  static func further(in days: some Sequence<[DailyMetric: Double]>) -> [DailyMetric] {
    var held: Set<DailyMetric> = []
    for day in days { held.formUnion(day.keys) }
    return further.filter { held.contains($0) }
  }
}

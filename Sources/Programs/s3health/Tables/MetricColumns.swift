import CommandLineKit
import HealthModel

/// Metrics as columns of a table of days, for people.
struct MetricColumns {
  private let columns: [(metric: DailyMetric, name: String, width: Int)]

  /// The required metrics, by short names that fit on a line of 80.
  init() {
    columns = [
      (.steps, "steps", 8), (.activeEnergy, "kcal", 9), (.exerciseMinutes, "exerc.", 8),
      (.standHours, "stand", 7), (.restingHeartRate, "rest", 6), (.heartRateVariability, "HRV", 7),
      (.sleepAsleep, "asleep", 12), (.sleepInBed, "in bed", 12),
    ]
  }

  /// Any metrics, by their keys with the unit.
  init(_ metrics: [DailyMetric]) {
    columns = metrics.map {
      ($0, $0.columnName, max($0.isOfNight ? 12 : 9, $0.columnName.count + 2))
    }
  }

  /// The heading above the dates and the metrics.
  var head: String {
    "date      " + columns.map { $0.name.leftPadded(to: $0.width) }.joined()
  }

  /// A day's numbers; `-` for no data, `?` for unsupported, `x` for unauthorised.
  func cells(_ readingOf: (DailyMetric) -> MetricReading, _ terminal: Terminal) -> String {
    columns.map { column in
      let reading = readingOf(column.metric)
      let text = Self.cell(reading, column.metric).leftPadded(to: column.width)
      return reading.number == nil ? terminal.styled(text, .faint) : text
    }.joined()
  }

  private static func cell(_ reading: MetricReading, _ metric: DailyMetric) -> String {
    switch reading {
    case .value(let number) where metric.isOfNight: number.asDuration
    case .value(let number): ((number * 10).rounded() / 10).grouped
    case .noData: "-"
    case .unsupported: "?"
    case .unauthorized: "x"
    }
  }
}

import HealthModel
import HealthSources

/// The eight metrics as columns of a table of days, for people.
enum MetricColumns {
  private static let columns: [(metric: Metric, name: String, width: Int)] = [
    (.steps, "steps", 8), (.activeEnergy, "kcal", 9), (.exerciseMinutes, "exerc.", 8),
    (.standHours, "stand", 7), (.restingHeartRate, "rest", 6), (.heartRateVariability, "HRV", 7),
    (.sleepAsleep, "asleep", 8), (.sleepInBed, "in bed", 8),
  ]

  /// The heading above the dates and the metrics.
  static let head =
    "date      " + columns.map { $0.name.leftPadded(to: $0.width) }.joined()

  /// A day's numbers; `-` for no data, `?` for unsupported, `x` for unauthorised.
  static func cells(_ readings: [Metric: MetricReading], _ terminal: Terminal) -> String {
    columns.map { column in
      let reading = readings[column.metric] ?? .noData
      let text = cell(reading).leftPadded(to: column.width)
      return reading.number == nil ? terminal.styled(text, .faint) : text
    }.joined()
  }

  private static func cell(_ reading: MetricReading) -> String {
    switch reading {
    case .value(let number): ((number * 10).rounded() / 10).grouped
    case .noData: "-"
    case .unsupported: "?"
    case .unauthorized: "x"
    }
  }
}

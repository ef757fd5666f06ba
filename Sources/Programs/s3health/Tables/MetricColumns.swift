import CommandLineKit
import HealthModel
import HealthReport

/// Metrics as columns of a table of days, for people.
struct MetricColumns {
  private let columns: [(metric: DailyMetric, name: String, width: Int)]
  private let units: PersonalUnits

  /// The required metrics, by short names that fit on a line of 80.
  init(in units: PersonalUnits) {
    self.units = units
    columns = [
      (.steps, "steps", 8), (.activeEnergy, units.name(of: .activeEnergy), 9),
      (.exerciseMinutes, "exerc.", 8),
      (.standHours, "stand", 7), (.restingHeartRate, "rest", 6), (.heartRateVariability, "HRV", 7),
      (.sleepAsleep, "asleep", 12), (.sleepInBed, "in bed", 12),
    ]
  }

  init(_ metrics: [DailyMetric], in units: PersonalUnits) {
    self.units = units
    columns = metrics.map { metric in
      let name =
        units.unit(of: metric).map { "\(metric.rawValue) (\($0.name))" } ?? metric.columnName
      return (metric, name, max(metric.isOfNight ? 12 : 9, name.count + 2))
    }
  }

  /// How wide a line is.
  var width: Int { columns.reduce(10) { $0 + $1.width } }

  /// The heading above the dates and the metrics.
  var head: String {
    "date      " + columns.map { $0.name.leftPadded(to: $0.width) }.joined()
  }

  /// A day's numbers; `-` for no data, `?` for unsupported, `x` for unauthorised.
  func cells(_ readingOf: (DailyMetric) -> MetricReading, _ terminal: Terminal) -> String {
    columns.map { column in
      let reading = readingOf(column.metric)
      // A space separates a number that is too long for its column from the one before.
      let text = " " + cell(reading, column.metric).leftPadded(to: column.width - 1)
      return reading.number == nil ? terminal.styled(text, .faint) : text
    }.joined()
  }

  func cell(_ reading: MetricReading, _ metric: DailyMetric) -> String {
    switch reading {
    case .value(let number) where metric.isOfNight: number.asDuration
    case .value(let number):
      units.rounded(number, of: metric)
    case .noData: "-"
    case .unsupported: "?"
    case .unauthorized: "x"
    }
  }
}

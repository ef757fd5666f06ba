import HealthModel
import HealthSources

/// Days as rows and metrics as columns, for people.
struct DayTable {
  private let days: [DayReadings]
  private let outcomes: DayOutcomes

  /// A row for each outcome; the days are those that were looked at, in the same order.
  init(_ days: [DayReadings], _ outcomes: DayOutcomes) {
    (self.days, self.outcomes) = (days, outcomes)
  }

  private static let columns: [(metric: Metric, name: String, width: Int)] = [
    (.steps, "steps", 8), (.activeEnergy, "kcal", 9), (.exerciseMinutes, "exerc.", 8),
    (.standHours, "stand", 7), (.restingHeartRate, "rest", 6), (.heartRateVariability, "HRV", 7),
    (.sleepAsleep, "asleep", 8), (.sleepInBed, "in bed", 8),
  ]

  func lines(_ terminal: Terminal) -> [String] {
    let head =
      "date      " + Self.columns.map { $0.name.leftPadded(to: $0.width) }.joined() + "  data"
    var lines = [terminal.styled(head, .strong)]
    var rest = zip(days, outcomes.rows).map { (day: $0, row: $1) }[...]
    while let (day, row) = rest.first {
      let empty = rest.prefix { $0.day.readings.isEmpty }
      if empty.count > Self.emptyRowsShown, let last = empty.last {
        let text = "\(day.date) to \(last.day.date): \(empty.count) days without any data"
        let changed = empty.count { $0.row.outcome == "would_publish" }
        let kept = empty.count { $0.row.outcome == "would_keep_newer" }
        let words = [
          (changed, "\(changed) new or changed"), (kept, "\(kept) older than the store's"),
        ]
        let parts = words.filter { $0.0 > 0 }.map(\.1)
        let word = parts.isEmpty ? "unchanged" : parts.joined(separator: ", ")
        lines.append(terminal.styled("\(text)  \(word)", .faint))
        rest = rest.dropFirst(empty.count)
      } else {
        lines.append(line(day, row, terminal))
        rest = rest.dropFirst()
      }
    }
    return lines
  }

  /// Longer runs of days without data are told in one line.
  private static let emptyRowsShown = 2

  private func line(
    _ day: DayReadings, _ row: DayOutcomes.Row, _ terminal: Terminal
  ) -> String {
    let cells = Self.columns.map { column in
      let reading = day.readings[column.metric] ?? .noData
      let text = Self.cell(reading).leftPadded(to: column.width)
      return reading.number == nil ? terminal.styled(text, .faint) : text
    }
    return "\(day.date)\(cells.joined())  \(terminal.styled(Self.word(row), row.style))"
  }

  /// `-` for no data, `?` for unsupported, `x` for unauthorised.
  private static func cell(_ reading: MetricReading) -> String {
    switch reading {
    case .value(let number): RevisionTable.text((number * 10).rounded() / 10)
    case .noData: "-"
    case .unsupported: "?"
    case .unauthorized: "x"
    }
  }

  private static func word(_ row: DayOutcomes.Row) -> String {
    switch row.outcome {
    case "would_publish": row.replaced == nil ? "new" : "changed"
    case "would_keep_newer": "older than the store's"
    default: "unchanged"
    }
  }
}

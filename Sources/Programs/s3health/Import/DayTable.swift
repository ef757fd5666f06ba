import CommandLineKit
import HealthModel
import HealthSources

/// Days as rows and metrics as columns, for people.
struct DayTable {
  private let days: [DayReadings]
  private let outcomes: DayOutcomes
  private let columns: MetricColumns

  /// A row for each outcome; the days are those that were looked at, in the same order.
  init(_ days: [DayReadings], _ outcomes: DayOutcomes, in units: PersonalUnits) {
    (self.days, self.outcomes) = (days, outcomes)
    columns = MetricColumns(in: units)
  }

  func lines(_ terminal: Terminal) -> [String] {
    var lines = [terminal.styled(columns.head + "  data", .strong)]
    var rest = zip(days, outcomes.rows).map { (day: $0, row: $1) }[...]
    while let (day, row) = rest.first {
      let empty = rest.prefix { $0.day.readings.isEmpty }
      if empty.count > Self.emptyRowsShown, let last = empty.last {
        let text = "\(day.date) to \(last.day.date): \(empty.count) days without data"
        let changed = empty.count { $0.row.outcome == .wouldPublish }
        let word = changed > 0 ? "\(changed) new or changed" : "unchanged"
        lines.append(terminal.styled("\(text)  \(word)", .faint))
        rest = rest.dropFirst(empty.count)
      } else {
        lines.append(line(day, row, terminal))
        rest = rest.dropFirst()
      }
    }
    let optional = DailyMetric.optional(in: days.map(\.readings)).filter { $0.latestOf == nil }
    if !optional.isEmpty {
      lines += ["", "optional metrics: \(optional.map(\.rawValue).joined(separator: ", "))"]
    }
    return lines
  }

  /// Longer runs of days without data are shown in one line.
  private static let emptyRowsShown = 2

  private func line(
    _ day: DayReadings, _ row: DayOutcomes.Row, _ terminal: Terminal
  ) -> String {
    let cells = columns.cells({ day.readings[$0] ?? .noData }, terminal)
    return "\(day.date)\(cells)  \(terminal.styled(Self.word(row), row.style))"
  }

  private static func word(_ row: DayOutcomes.Row) -> String {
    switch row.outcome {
    case .wouldPublish:
      row.replaced == nil ? "new" : row.earlier.areSame ? "the same figures" : "changed"
    default: "unchanged"
    }
  }
}

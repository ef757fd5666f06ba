import CommandLineKit
import HealthModel
import HealthSources

/// Days as rows and metrics as columns, for people.
struct DayTable {
  private let days: [DayReadings]
  private let outcomes: DayOutcomes
  private let columns: MetricColumns

  /// - Parameter outcomes: what would become of the days.
  init(_ days: [DayReadings], _ outcomes: DayOutcomes, in units: PersonalUnits) {
    (self.days, self.outcomes) = (days, outcomes)
    columns = MetricColumns(in: units)
  }

  func lines(_ terminal: Terminal) -> [String] {
    var lines = [terminal.styled(columns.head, .strong)]
    var rest = days[...]
    while let day = rest.first {
      let empty = rest.prefix { $0.readings.isEmpty }
      if empty.count > Self.emptyRowsShown, let last = empty.last {
        let text = "\(day.date) to \(last.date): \(empty.count) days without data"
        lines.append(terminal.styled(text, .faint))
        rest = rest.dropFirst(empty.count)
      } else {
        lines.append("\(day.date)\(columns.cells({ day.readings[$0] ?? .noData }, terminal))")
        rest = rest.dropFirst()
      }
    }
    lines += [""] + wouldBecome(terminal)
    let optional = DailyMetric.optional(in: days.map(\.readings)).filter { $0.latestOf == nil }
    if !optional.isEmpty {
      lines += ["", "optional metrics: \(optional.map(\.rawValue).joined(separator: ", "))"]
    }
    return lines
  }

  /// Longer runs of days without data are shown in one line.
  private static let emptyRowsShown = 2

  /// What would become of the days, a line for dates in a row of which the same is true.
  private func wouldBecome(_ terminal: Terminal) -> [String] {
    var (lines, rest) = ([String](), outcomes.rows[...])
    while let row = rest.first {
      let word = Self.word(row)
      let alike = rest.prefix { Self.word($0) == word }
      let extent = row.date.extent(to: alike.last?.date ?? row.date, days: alike.count)
      lines.append("\(terminal.styled(word.padded(to: 16), row.style))  \(extent)")
      rest = rest.dropFirst(alike.count)
    }
    return lines
  }

  private static func word(_ row: DayOutcomes.Row) -> String {
    switch row.outcome {
    case .wouldPublish:
      row.replaced == nil ? "new" : row.earlier.areSame ? "the same figures" : "changed"
    default: "unchanged"
    }
  }
}

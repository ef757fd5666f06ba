import CommandLineKit
import HealthLedger
import HealthModel

/// The days of a range as month calendars, as many side by side as fit on the terminal.
struct MonthCalendar {
  let days: [(date: CalendarDate, status: DayVerdict.Status)]
  let terminal: Terminal

  private static let cellWidth = 4
  private static let monthWidth = 7 * cellWidth
  private static let gap = 3
  private static let names = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The lines, without trailing blanks.
  var lines: [String] {
    let byDate = Dictionary(
      days.map { ($0.date, $0.status) }, uniquingKeysWith: { first, _ in first })
    let months = months.map { month(from: $0, byDate) }
    let perRow = max(1, (terminal.width + Self.gap) / (Self.monthWidth + Self.gap))
    var lines: [String] = []
    for start in stride(from: 0, to: months.count, by: perRow) {
      let row = months[start..<min(start + perRow, months.count)]
      if start > 0 { lines.append("") }
      for index in 0..<(row.map(\.count).max() ?? 0) {
        let cells = row.map { $0.indices.contains(index) ? $0[index] : Line() }
        lines.append(joined(cells))
      }
    }
    return lines
  }

  /// The meaning of the marks.
  var legend: String {
    [
      terminal.styled(" 8", .good) + " complete", terminal.styled("--", .bad) + " missing",
      terminal.styled("!8", .doubtful) + " faulty",
      terminal.styled("x8", .bad) + " no valid revision",
    ].joined(separator: "    ")
  }

  /// Text with its width on the screen, which does not include escape sequences.
  private struct Line {
    var text = ""
    var width = 0
  }

  private func joined(_ cells: [Line]) -> String {
    var text = ""
    var pending = 0
    for (index, cell) in cells.enumerated() {
      if cell.width > 0 {
        text += String(repeating: " ", count: pending) + cell.text
        pending = 0
      }
      pending += Self.monthWidth - cell.width + (index < cells.count - 1 ? Self.gap : 0)
    }
    return text
  }

  /// The first date of each month that overlaps the range.
  private var months: [CalendarDate] {
    var firsts: [CalendarDate] = []
    for (date, _) in days {
      if firsts.last?.year != date.year || firsts.last?.month != date.month,
        let first = CalendarDate(year: date.year, month: date.month, day: 1)
      {
        firsts.append(first)
      }
    }
    return firsts
  }

  private func month(
    from first: CalendarDate, _ statuses: [CalendarDate: DayVerdict.Status]
  ) -> [Line] {
    let title = "\(Self.names[first.month - 1]) \(first.year)"
    let indent = (Self.monthWidth - title.count) / 2
    var lines = [
      Line(
        text: String(repeating: " ", count: indent) + terminal.styled(title, .strong),
        width: indent + title.count),
      Line(
        text: terminal.styled("  Mo  Tu  We  Th  Fr  Sa  Su", .faint), width: Self.monthWidth),
    ]
    // 1970-01-01 was a Thursday: Monday is column 0.
    let column = ((first.daysSince1970 + 3) % 7 + 7) % 7
    var week = Line(
      text: String(repeating: " ", count: column * Self.cellWidth), width: column * Self.cellWidth)
    var date: CalendarDate? = first
    while let day = date, day.month == first.month {
      if week.width == Self.monthWidth {
        lines.append(week)
        week = Line()
      }
      week.text += cell(day, statuses[day])
      week.width += Self.cellWidth
      date = day.adding(days: 1)
    }
    lines.append(week)
    return lines
  }

  private func cell(_ date: CalendarDate, _ status: DayVerdict.Status?) -> String {
    let number = String(date.day)
    func padded(_ text: String) -> String {
      String(repeating: " ", count: Self.cellWidth - text.count) + text
    }
    return switch status {
    case nil: terminal.styled(padded("·"), .faint)
    case .ok: terminal.styled(padded(number), .good)
    case .missing: terminal.styled(padded("--"), .bad)
    case .faulty: terminal.styled(padded("!" + number), .doubtful)
    case .invalid: terminal.styled(padded("x" + number), .bad)
    }
  }
}

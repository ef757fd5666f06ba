import HealthModel

/// Every date of the range as a mark: a block for each month, a row for each weekday.
struct CalendarSection {
  let report: RangeReport

  /// Up to so many days each mark has a tooltip of its own; beyond, the marks of one kind in a
  /// month are one path with one tooltip, so that ten years stay a small page.
  static let maximumDetailedDays = 750

  private static let pitch = 13
  private static let left = 15

  func write(_ html: inout HTMLWriter) {
    html.section("coverage", "Coverage") { html in
      legend(&html)
      if isRolling {
        html.element("div", ["class": "year rolling"]) { html in
          for month in years.flatMap(\.months) { block(month, &html) }
        }
        html.newline()
      } else {
        for year in years {
          html.element("h3", ["class": "yearname"], text: "\(year.number)")
          html.element("div", ["class": "year"]) { html in
            for month in year.months { block(month, &html) }
          }
          html.newline()
        }
      }
    }
  }

  /// Up to thirteen months stand in one row, whatever their years: a year up to today is not two
  /// rows with a hole in each.
  private var isRolling: Bool { years.reduce(0) { $0 + $1.months.count } <= 13 }

  /// Each mark with its meaning and its number of days.
  private func legend(_ html: inout HTMLWriter) {
    html.element("ul", ["class": "legend"]) { html in
      for coverage in DayCoverage.allCases {
        html.element("li") { html in
          html.element(
            "svg", ["class": "mark", "viewBox": "0 0 11 11", "aria-hidden": "true"]
          ) { html in
            html.element(
              "path",
              ["class": coverage.rawValue, "d": CoverageMark.path(coverage, x: 0, y: 0)]
            ) { _ in }
          }
          html.element("b", text: PageWords.grouped(report.count(coverage)))
          html.element("span") { html in
            html.text(" \(coverage.label) ")
            html.element("small", text: coverage.meaning)
          }
        }
      }
    }
    html.newline()
  }

  private struct Month {
    let first: CalendarDate
    var days: [ReportDay]
  }

  private var years: [(number: Int, months: [Month])] {
    var years: [(number: Int, months: [Month])] = []
    for day in report.days {
      if years.last?.number != day.date.year { years.append((day.date.year, [])) }
      let year = years.count - 1
      if years[year].months.last?.first.month != day.date.month {
        let first = CalendarDate(year: day.date.year, month: day.date.month, day: 1) ?? day.date
        years[year].months.append(Month(first: first, days: []))
      }
      years[year].months[years[year].months.count - 1].days.append(day)
    }
    return years
  }

  private func block(_ month: Month, _ html: inout HTMLWriter) {
    let name = PageWords.months[month.first.month - 1]
    let counts = DayCoverage.allCases.compactMap { coverage in
      let count = month.days.count { $0.coverage == coverage }
      return count > 0 ? "\(count) \(coverage.label)" : nil
    }
    html.element("figure", ["class": "month m\(month.first.month)"]) { html in
      let hasYear =
        isRolling && (month.first.month == 1 || month.days.first?.date == report.range.from)
      html.element(
        "figcaption", text: String(name.prefix(3)) + (hasYear ? " \(month.first.year)" : ""))
      html.element(
        "svg",
        [
          "role": "img", "viewBox": "0 0 \(Self.left + 6 * Self.pitch) \(7 * Self.pitch)",
          "aria-label": "\(name) \(month.first.year): \(counts.joined(separator: ", "))",
        ]
      ) { html in
        for (row, letter) in [(0, "M"), (2, "W"), (4, "F")] {
          html.element(
            "text", ["class": "weekday", "x": "0", "y": "\(row * Self.pitch + 10)"], text: letter)
        }
        if report.days.count <= Self.maximumDetailedDays {
          for day in month.days { mark([day], day.coverage, month.first, tip(day), &html) }
        } else {
          for coverage in DayCoverage.allCases {
            let days = month.days.filter { $0.coverage == coverage }
            guard !days.isEmpty else { continue }
            let tip =
              "\(name) \(month.first.year), \(coverage.label): "
              + PageWords.runs(days.map(\.date.day))
            mark(days, coverage, month.first, tip, &html)
          }
        }
      }
    }
  }

  private func mark(
    _ days: [ReportDay], _ coverage: DayCoverage, _ first: CalendarDate, _ tip: String,
    _ html: inout HTMLWriter
  ) {
    let paths = days.map { day in
      let cell = PageWords.weekday(first) + day.date.day - 1
      return CoverageMark.path(
        coverage, x: Self.left + cell / 7 * Self.pitch, y: cell % 7 * Self.pitch + 1)
    }
    html.element("path", ["class": coverage.rawValue, "d": paths.joined()]) { html in
      html.element("title", text: tip)
    }
  }

  private func tip(_ day: ReportDay) -> String {
    var parts = [day.coverage.label] + [day.partial.words].compactMap(\.self)
    if !day.readings.isEmpty { parts.append(PageWords.count(day.numbers.count, "metric")) }
    if let revisions = day.revisions, revisions > 0 {
      parts.append(PageWords.count(revisions, "revision"))
    }
    if day.faults > 0, day.coverage != .missing {
      parts.append(PageWords.count(day.faults, "finding"))
    }
    return "\(PageWords.long(day.date)): \(parts.joined(separator: ", "))"
  }
}

/// The mark of a day in the calendar: each coverage has a shape of its own, so that the calendar
/// can be read without colours.
enum CoverageMark {
  /// Width and height of a mark.
  static let size = 11

  private static let frame = "h11v11h-11zm1.5 1.5v8h8v-8z"

  /// A path of the mark whose upper left corner is there; filled by the even-odd rule.
  static func path(_ coverage: DayCoverage, x: Int, y: Int) -> String {
    "M\(x) \(y)" + shape(coverage)
  }

  private static func shape(_ coverage: DayCoverage) -> String {
    switch coverage {
    // Full.
    case .complete: "h11v11h-11z"
    // A frame, half filled along the diagonal.
    case .partial: frame + "m0 0v8h8z"
    // A frame.
    case .noData: frame
    // Full, with an exclamation mark left out.
    case .faulty: "h11v11h-11zm4.7 2v4.6h1.6v-4.6zm0 5.6v1.6h1.6v-1.6z"
    // A cross.
    case .invalid:
      "m1 2.6l1.6-1.6 2.9 2.9 2.9-2.9 1.6 1.6-2.9 2.9"
        + " 2.9 2.9-1.6 1.6-2.9-2.9-2.9 2.9-1.6-1.6 2.9-2.9z"
    // A dash.
    case .missing: "m2.5 4.7h6v1.6h-6z"
    }
  }
}

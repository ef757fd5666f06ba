import HealthModel

/// What calendar and charts show, as tables: the coverage of every date, and of each group of
/// metrics the days that have a number, or the months of long ranges.
struct TableSection {
  let report: RangeReport
  let groups: [(group: MetricGroup, panels: [MetricPanel])]
  /// Whether the tables are open, and so printed.
  let isOpen: Bool

  /// Up to so many days the tables have a row for each day; beyond, one for each month.
  static let maximumDailyDays = 750

  private var isDaily: Bool { report.days.count <= Self.maximumDailyDays }

  func write(_ html: inout HTMLWriter) {
    html.section("table", "As a table") { html in
      details("Coverage", "coverage-table", &html) { html in
        html.element("table", ["class": "data dates"]) { html in coverage(&html) }
      }
      for (group, panels) in groups {
        details(group.label.capitalisedFirst, "\(group.rawValue)-table", &html) { html in
          let series = panels.flatMap(\.series)
          html.element("table", ["class": "data numbers"]) { html in
            if isDaily { days(series, &html) } else { months(series, &html) }
          }
        }
      }
    }
  }

  private func details(
    _ title: String, _ id: String, _ html: inout HTMLWriter, _ content: (inout HTMLWriter) -> Void
  ) {
    html.element("details", isOpen ? ["open": ""] : [:]) { html in
      html.element(
        "summary", ["id": id], text: "\(title): each \(isDaily ? "day" : "month")")
      html.element(
        "div", ["class": "scroll", "role": "region", "aria-labelledby": id, "tabindex": "0"],
        content)
    }
    html.newline()
  }

  /// Neighbouring dates with the same coverage and as many revisions are one row.
  private func coverage(_ html: inout HTMLWriter) {
    guard isDaily else { return coverageOfMonths(&html) }
    html.element("caption", text: "Every date, neighbours that are alike in one row.")
    html.columns(["From", "To", "Days", "Coverage", "Revisions of each"])
    html.element("tbody") { html in
      var rest = report.days[...]
      while let first = rest.first {
        let run = rest.prefix { $0.coverage == first.coverage && $0.revisions == first.revisions }
        rest = rest.dropFirst(run.count)
        html.element("tr") { html in
          html.element("th", ["scope": "row"], text: "\(first.date)")
          html.element("td", text: "\(run.last?.date ?? first.date)")
          html.element("td", text: PageWords.grouped(run.count))
          html.element("td", text: first.coverage.label)
          html.element("td", text: first.revisions.map(PageWords.grouped) ?? "not counted")
        }
        html.newline()
      }
    }
  }

  private func coverageOfMonths(_ html: inout HTMLWriter) {
    html.element("caption", text: "Days by coverage, and revisions.")
    html.columns(["Month"] + DayCoverage.allCases.map(\.label.capitalisedFirst) + ["Revisions"])
    html.element("tbody") { html in
      for month in months {
        let days = report.days[month]
        html.element("tr") { html in
          html.element("th", ["scope": "row"], text: name(month))
          for coverage in DayCoverage.allCases {
            html.element("td", text: PageWords.grouped(days.count { $0.coverage == coverage }))
          }
          html.element(
            "td", text: PageWords.grouped(days.reduce(0) { $0 + ($1.revisions ?? 0) }))
        }
        html.newline()
      }
    }
  }

  func header(_ series: [MetricSeries]) -> [String] {
    series.map { series in
      let (name, unit) = (series.metric.label, report.units.name(of: series.metric))
      return name.capitalisedFirst + (unit.isEmpty ? "" : " (\(unit))")
    }
  }

  /// By place, the numbers that are shown and not counted.
  static func others(
    _ series: [MetricSeries], _ text: (Double, DailyMetric) -> String
  ) -> [[Int: String]] {
    series.map { series in
      Dictionary(
        series.doubted.map { ($0.place, "\(text($0.value, series.metric))*") }
          + series.partial.map { ($0.place, "\(text($0.value, series.metric)) \($0.words)") }
      ) { first, _ in first }
    }
  }

  /// A row for each month of a panel, newest first, with the place of its middle.
  func rows(ofMonths panel: MetricPanel, _ html: inout HTMLWriter) {
    for month in months.reversed() {
      let means = panel.series.map { Mean($0.values[month]) }
      guard means.contains(where: { $0 != nil }) else { continue }
      html.element("tr", ["data-place": "\((month.lowerBound + month.upperBound - 1) / 2)"]) {
        html in
        html.element("th", ["scope": "row"], text: name(month))
        for mean in means {
          html.element("td", text: mean.map { panel.unit.bare($0.value) } ?? "–")
        }
      }
      html.newline()
    }
  }

  /// The days that have a number, as they are stored.
  private func days(_ series: [MetricSeries], _ html: inout HTMLWriter) {
    html.element(
      "caption",
      text: "The days that have a number\(report.units == .stored ? ", as it is stored" : ""); "
        + "* is doubtful and in no mean.")
    html.columns(["Date"] + header(series))
    let others = Self.others(series, report.units.cell)
    html.element("tbody") { html in
      for place in report.days.indices {
        let numbers = zip(series, others).map { series, others in
          series.values[place].map { report.units.cell($0, of: series.metric) } ?? others[place]
        }
        guard numbers.contains(where: { $0 != nil }) else { continue }
        html.element("tr") { html in
          html.element("th", text: "\(report.days[place].date)")
          for number in numbers { html.element("td", text: number ?? "–") }
        }
        html.newline()
      }
    }
  }

  /// The means of the months that have a number.
  private func months(_ series: [MetricSeries], _ html: inout HTMLWriter) {
    html.element("caption", text: "The means of the days that have a number, by month.")
    html.columns(["Month"] + header(series))
    html.element("tbody") { html in
      for month in months {
        let means = series.map { Mean($0.values[month]) }
        guard means.contains(where: { $0 != nil }) else { continue }
        html.element("tr") { html in
          html.element("th", text: name(month))
          for (mean, series) in zip(means, series) {
            html.element(
              "td", text: mean.map { report.units.cell($0.value, of: series.metric) } ?? "–")
          }
        }
        html.newline()
      }
    }
  }

  /// The places of each month's days.
  private var months: [Range<Int>] {
    var months: [Range<Int>] = []
    var start = 0
    while start < report.days.count {
      let end = min(report.days.count, start + report.days[start].date.daysLeftInMonth)
      months.append(start..<end)
      start = end
    }
    return months
  }

  private func name(_ month: Range<Int>) -> String {
    String(report.days[month.lowerBound].date.description.prefix(7))
  }
}

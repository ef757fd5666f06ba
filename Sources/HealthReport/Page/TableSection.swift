import HealthModel

/// What calendar and sparklines show, as a table: day by day, or month by month for long ranges.
struct TableSection {
  let report: RangeReport

  func write(_ html: inout HTMLWriter) {
    let isDaily = report.days.count <= CalendarSection.maximumDetailedDays
    html.element("section", ["aria-labelledby": "table"]) { html in
      html.element("h2", ["id": "table"], text: "As a table")
      html.element("details") { html in
        html.element("summary", text: isDaily ? "Each day" : "Each month")
        html.element(
          "div",
          ["class": "scroll", "role": "region", "aria-labelledby": "table", "tabindex": "0"]
        ) { html in
          html.element("table", ["class": "data"]) { html in
            if isDaily { days(&html) } else { months(&html) }
          }
        }
      }
    }
  }

  private func head(_ names: [String], _ html: inout HTMLWriter) {
    html.element("thead") { html in
      html.element("tr") { html in
        for name in names { html.element("th", ["scope": "col"], text: name) }
      }
    }
  }

  private var metricNames: [String] {
    Metric.allCases.map { "\($0.label.capitalisedFirst) (\($0.unit))" }
  }

  private func days(_ html: inout HTMLWriter) {
    html.element("caption", text: "Every date with its numbers, or why there is none.")
    head(["Date", "Coverage", "Revisions"] + metricNames, &html)
    html.element("tbody") { html in
      for day in report.days {
        html.element("tr") { html in
          html.element("th", ["scope": "row"], text: "\(day.date)")
          html.element("td", text: day.coverage.label)
          html.element("td", text: day.revisions.map(PageWords.grouped) ?? "not counted")
          for place in Metric.allCases.indices {
            if let number = day.number(of: place) {
              html.element("td", text: number.grouped)
            } else {
              let reason = day.readings.isEmpty ? "–" : day.readings[place].reason
              html.element("td", ["class": "none"], text: reason)
            }
          }
        }
        html.newline()
      }
    }
  }

  private func months(_ html: inout HTMLWriter) {
    html.element(
      "caption",
      text: "Days by coverage, revisions, and the means of the days that have a number.")
    head(
      ["Month"] + DayCoverage.allCases.map(\.label.capitalisedFirst) + ["Revisions"] + metricNames,
      &html)
    html.element("tbody") { html in
      var rest = report.days[...]
      while let first = rest.first?.date {
        let days = rest.prefix { $0.date.month == first.month && $0.date.year == first.year }
        rest = rest.dropFirst(days.count)
        html.element("tr") { html in
          html.element("th", ["scope": "row"], text: String(first.description.prefix(7)))
          for coverage in DayCoverage.allCases {
            html.element(
              "td", text: PageWords.grouped(days.count { $0.coverage == coverage }))
          }
          html.element(
            "td", text: PageWords.grouped(days.reduce(0) { $0 + ($1.revisions ?? 0) }))
          for place in Metric.allCases.indices {
            let numbers = days.compactMap { $0.number(of: place) }
            let mean = numbers.reduce(0) { $0 + $1 / Double(numbers.count) }
            html.element(
              "td", ["class": numbers.isEmpty ? "none" : "number"],
              text: numbers.isEmpty ? "–" : mean.grouped)
          }
        }
        html.newline()
      }
    }
  }
}

package import HealthLedger
package import HealthModel

/// The page of a metric: a week, a month, a year or all of it as a chart with a table beside (R59).
package struct MetricPage {
  let metric: DailyMetric
  let span: MetricSpan
  let report: RangeReport
  /// The last day that was asked for; nil for today.
  let to: CalendarDate?
  private let panel: MetricPanel?

  /// - Throws: `LedgerError` where dates of the range are not in the report (R33).
  package init(
    _ metric: DailyMetric, _ span: MetricSpan, to: CalendarDate?, report: RangeReport
  ) throws(LedgerError) {
    guard report.isWhole else {
      throw LedgerError(.internal, "the page has \(report.days.count) days", rule: "R33")
    }
    // A latest value is beside its metric.
    let metric = metric.latestOf ?? metric
    (self.metric, self.span, self.to, self.report) = (metric, span, to, report)
    panel = MetricPanel.all(of: report).lazy.flatMap(\.panels).first { panel in
      panel.series.contains { $0.metric == metric }
    }
  }

  private var title: String { panel?.title ?? metric.label.capitalisedFirst }
  private var isLong: Bool { report.days.count > MetricChart.maximumPlainDays }

  /// The document in UTF-8.
  package func bytes(in frame: PageFrame) -> [UInt8] {
    frame.bytes(
      .metric(metric, span, to: to), title, skip: "Skip to the chart"
    ) { html in
      spans(&html)
      turns(&html)
      html.element("div", ["class": "metric \(metric.group.domain)"]) { html in
        html.element("section", ["class": "card", "aria-labelledby": "chart"]) { html in
          html.element("h2", ["id": "chart"], text: extent)
          html.damage(of: report.days)
          if let panel { chart(panel, &html) } else { nothing(&html) }
        }
        if let panel { table(panel, &html) }
      }
    }
  }

  private var extent: String { "\(report.range.from) to \(report.range.to)" }

  private func nothing(_ html: inout HTMLWriter) {
    html.element("p", ["class": "none"], text: "No number of \(metric.label) in these days.")
  }

  private func spans(_ html: inout HTMLWriter) {
    html.element("nav", ["class": "spans", "aria-label": "Span"]) { html in
      for other in MetricSpan.allCases {
        html.link(
          .metric(metric, other, to: to), other.rawValue.capitalisedFirst, current: other == span)
        html.text(" ")
      }
    }
  }

  private func turns(_ html: inout HTMLWriter) {
    guard let days = span.days, let before = report.range.to.adding(days: -days),
      let after = report.range.to.adding(days: days)
    else { return }
    let isNow = report.range.to >= report.today
    html.turns(
      "Time", before: (.metric(metric, span, to: before), "Previous \(span.rawValue)"),
      after: isNow
        ? nil
        : (
          .metric(metric, span, to: after >= report.today ? nil : after), "Next \(span.rawValue)"
        ))
  }

  private func chart(_ panel: MetricPanel, _ html: inout HTMLWriter) {
    let card = MetricCard(panel: panel, report: report)
    card.headline(&html)
    html.element("div", ["class": "readable"]) { html in
      MetricChart(panel, report, height: 240)?.write(&html)
    }
    if panel.series.count > 1 { card.key(&html) }
    MetricsSection(report: report, groups: []).key(
      &html, hasMeans: !panel.isBand && !panel.isStacked)
    if panel.count > 1 {
      if panel.series.count == 1 { card.facts(panel.series[0], &html) } else { card.table(&html) }
    }
    html.element("p", ["class": "gaps"], text: card.coverage)
  }

  /// The numbers of the chart, newest first: what the script reads out, too.
  private func table(_ panel: MetricPanel, _ html: inout HTMLWriter) {
    let section = TableSection(report: report, groups: [], isOpen: true)
    html.element("section", ["class": "beside", "aria-labelledby": "numbers"]) { html in
      html.element("h2", ["id": "numbers"], text: isLong ? "Each month" : "Each day")
      html.element(
        "div",
        [
          "class": "scroll tall", "role": "region", "aria-label": "\(title) as a table",
          "tabindex": "0",
        ]
      ) { html in
        let all = panel.unit.isDuration ? "" : panel.unit.plural
        let unit = metric.unit == .count ? "" : all
        html.element(
          "table", ["class": "data", "data-places": "\(report.days.count)", "data-unit": all]
        ) { html in
          let names = panel.names.map { $0.capitalisedFirst + (unit.isEmpty ? "" : " (\(unit))") }
          html.columns([isLong ? "Month" : "Date"] + names)
          html.element("tbody") { html in
            if isLong { section.rows(ofMonths: panel, &html) } else { rows(panel, &html) }
          }
        }
      }
    }
  }

  private func rows(_ panel: MetricPanel, _ html: inout HTMLWriter) {
    let others = TableSection.others(panel.series) { value, _ in panel.unit.bare(value) }
    for place in report.days.indices.reversed() {
      let numbers = zip(panel.series, others).map { series, others in
        series.values[place].map(panel.unit.bare) ?? others[place]
      }
      guard numbers.contains(where: { $0 != nil }) else { continue }
      let date = report.days[place].date
      html.element("tr", ["data-place": "\(place)"]) { html in
        html.element("th", ["scope": "row"]) { $0.link(.day(date), "\(date)") }
        for number in numbers { html.element("td", text: number ?? "–") }
      }
      html.newline()
    }
  }
}

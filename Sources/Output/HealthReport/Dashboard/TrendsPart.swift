import HealthModel

/// The trends of a week, a month or a year: the cards of the report (R59).
package struct TrendsPart {
  let report: RangeReport

  /// - Parameter span: how far back.
  package init?(_ content: DashboardContent, _ span: DashboardSpan) {
    guard let report = content.reports[span] else { return nil }
    self.report = report
  }

  /// What most people look at; the rest stands behind one click.
  private static let usual: Set<DailyMetric> = [
    .steps, .distance, .activeEnergy, .exerciseMinutes, .standHours, .restingHeartRate,
    .heartRateVariability, .heartRateMean, .heartRateMinimum, .heartRateMaximum, .sleepAsleep,
    .sleepInBed, .sleepDeep, .weight,
  ]

  package var part: HTMLPart {
    let panels = MetricPanel.all(of: report).flatMap(\.panels)
    let first = panels.filter { panel in panel.series.contains { Self.usual.contains($0.metric) } }
    let rest = panels.filter { panel in !panel.series.contains { Self.usual.contains($0.metric) } }
    return HTMLWriter.part { html in
      html.element(
        "p", ["class": "hint"],
        text: "\(report.range.from) to \(report.range.to). Every mean is of the days that have a "
          + "number. Today counts once it is over.")
      html.damage(of: report.days)
      if panels.isEmpty {
        html.element("p", ["class": "none"], text: "No number in these days.")
      }
      if !panels.isEmpty { MetricsSection(report: report, groups: []).key(&html) }
      cards(first, &html)
      guard !rest.isEmpty else { return }
      html.element("details", ["id": "other-trends"]) { html in
        html.element("summary", text: "\(PageWords.count(rest.count, "other metric"))")
        cards(rest, &html)
      }
    }
  }

  private func cards(_ panels: [MetricPanel], _ html: inout HTMLWriter) {
    guard !panels.isEmpty else { return }
    html.element("div", ["class": "cards"]) { html in
      for panel in panels {
        MetricCard(
          panel: panel, report: report, isBrief: true,
          address: PagePlace.metric(panel.metric).address
        ).write(&html)
      }
    }
  }
}

/// The coverage of the last year, day by day (R59).
package struct CoveragePart {
  let report: RangeReport

  package init?(_ content: DashboardContent) {
    guard let report = content.reports[.year] else { return nil }
    self.report = report
  }

  package var part: HTMLPart {
    HTMLWriter.part { html in
      html.damage(of: report.days)
      CalendarSection(report: report).write(&html)
    }
  }
}

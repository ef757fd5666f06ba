import HealthModel

/// A section for each group of metrics with a card for each metric, and how to read them.
struct MetricsSection {
  let report: RangeReport
  let groups: [(group: MetricGroup, panels: [MetricPanel])]

  func write(_ html: inout HTMLWriter) {
    html.section("metrics", "Metrics") { html in
      html.damage(of: report.days)
      if groups.isEmpty {
        html.element("p", ["class": "none"], text: "No number in this range")
      } else {
        html.element("p", ["class": "hint"], text: compared)
        key(&html)
        if !isLong {
          html.element(
            "p", ["class": "hint"],
            text: "A mean of 7 or 30 days ends on its day, and is drawn where at least "
              + "\(MetricSeries.fewestOfMean) of them have a number; the cards give the last.")
        }
      }
      if let absent {
        html.element("p", ["class": "hint"], text: "Without a number in this range: \(absent).")
      }
    }
    for (group, panels) in groups {
      html.section(group.rawValue, group.label.capitalisedFirst) { html in
        html.element("div", ["class": "cards"]) { html in
          for panel in panels { MetricCard(panel: panel, report: report).write(&html) }
        }
      }
    }
  }

  private var isLong: Bool { report.days.count > MetricChart.maximumPlainDays }

  /// What every card compares, once for all.
  private var compared: String {
    let days = report.days.count
    let means = "Every mean is of the days that have a number. "
    let before = report.before.suffix(days)
    guard before.count == days, let first = before.first, let last = before.last else {
      return means + "The days before this range were not read: there is nothing to compare with."
    }
    guard before.contains(where: \.hasNumber) else {
      return means + "Nothing is stored for the \(PageWords.count(days, "day")) before, "
        + "\(first.date) to \(last.date), so no change is shown."
    }
    return means + "“\(PageWords.count(days, "day")) before” and the change are against "
      + "\(first.date) to \(last.date)."
  }

  /// What the lines and marks of the charts mean.
  ///
  /// - Parameter hasMeans: whether means of several days are drawn.
  func key(_ html: inout HTMLWriter, hasMeans: Bool = true) {
    var entries: [(String, String, String)] = []
    if hasMeans {
      entries.append(
        (
          "line s0", "M1 7l5-4 5 5 5-6 5 4",
          "each day, as a bar where it is a total; a gap is a day without a number"
        ))
      entries +=
        isLong
        ? [("week s0", "M1 5h20", "mean of each month; of totals as bars")]
        : [("week s0", "M1 5h20", "mean of 7 days"), ("month30 s0", "M1 5h20", "mean of 30 days")]
    }
    if report.days.contains(where: { $0.isSoFar || !$0.partial.isEmpty }) {
      entries.append(
        (
          "part", "M8 9V2H14V9",
          "a day that is not over, or a number of a part of it: not in the scale, nor in any mean"
        ))
    }
    if report.days.contains(where: { !$0.doubted.isEmpty }) {
      entries.append(
        (
          "doubted", "M11 5h.1",
          "a doubtful number, such as a 0 that stands for no data: marked, "
            + "in no mean, and the scale is not made for it"
        ))
    }
    guard !entries.isEmpty else { return }
    html.element("ul", ["class": "key"]) { html in
      for (kind, path, meaning) in entries {
        html.element("li") { html in
          html.element("svg", ["viewBox": "0 0 22 10", "aria-hidden": "true"]) { html in
            html.element("path", ["class": kind, "d": path]) { _ in }
          }
          html.text(meaning)
        }
      }
    }
  }

  /// The required metrics that have no number, with the reasons.
  private var absent: String? {
    let shown = Set(groups.flatMap { $0.panels.flatMap { $0.series.map(\.metric) } })
    guard report.days.contains(where: { !$0.readings.isEmpty }) else { return nil }
    let parts = DailyMetric.required.compactMap { metric in
      shown.contains(metric)
        ? nil : "\(metric.label) (\(report.gapReasons(metric) ?? "no data"))"
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}

extension HTMLWriter {
  /// Says of which days a number may not be the one that was written (R60), wherever their numbers are
  /// shown.
  mutating func damage(of days: [ReportDay]) {
    let runs = DateRuns(days.lazy.filter(\.isDamaged).map(\.date)).runs
    guard !runs.isEmpty else { return }
    let named = runs.prefix(FindingsSection.maximumRunsOfEntry).map(PageWords.run)
    let more = runs.count - named.count
    element(
      "p", ["class": "damage", "role": "note"],
      text: "Damaged: \(named.joined(separator: "; "))"
        + (more > 0 ? "; and \(PageWords.count(more, "more run")) of dates" : "")
        + ". What is stored is not what was written, so a number of these days may be wrong.")
  }
}

extension RangeReport {
  /// How many days lack a number of a required metric, by reason: `3 no data, 2 not
  /// authorised, 9 missing`, in the words of the coverage. Nil where none does, and for an
  /// optional metric, of which nothing says why a day has none.
  func gapReasons(_ metric: DailyMetric) -> String? {
    guard metric.isRequired else { return nil }
    var counts: [MetricReading: Int] = [:]
    for reading in days.compactMap({ $0.readings[metric] }) where reading.number == nil {
      counts[reading, default: 0] += 1
    }
    var parts = [MetricReading.noData, .unauthorized, .unsupported].compactMap { reading in
      counts[reading].map { "\(PageWords.grouped($0)) \(reading.reason)" }
    }
    for coverage in [DayCoverage.invalid, .missing] {
      let count = days.count { $0.readings.isEmpty && $0.coverage == coverage }
      if count > 0 { parts.append("\(PageWords.grouped(count)) \(coverage.label)") }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

import HealthModel

/// The first page of a report for a doctor: each metric's mean with its range and course, and the
/// readings of what is measured rather than recorded.
struct DoctorSection {
  let report: RangeReport
  let groups: [(group: MetricGroup, panels: [MetricPanel])]

  func write(_ html: inout HTMLWriter) {
    html.section("averages", "Averages") { html in
      html.damage(of: report.days)
      guard groups.contains(where: { !$0.panels.isEmpty }) else {
        html.element("p", ["class": "none"], text: "No number in this range")
        return
      }
      html.element("p", ["class": "hint"], text: explanation)
      html.element("div", ["class": "scroll"]) { html in
        html.element("table", ["class": "data averages"]) { html in averages(&html) }
      }
    }
    let measured = groups.flatMap(\.panels).filter { panel in
      panel.series.contains {
        Self.measured.contains($0.metric) && ($0.count > 0 || !$0.partial.isEmpty)
      }
    }
    guard !measured.isEmpty else { return }
    html.section("readings", "Readings") { html in
      html.element("div", ["class": "columns"]) { html in
        for panel in measured { readings(panel, &html) }
      }
    }
  }

  /// What a person or a device measures at a moment; a doctor wants to see each day's.
  private static let measured: Set<DailyMetric> = [
    .bloodPressureSystolic, .bloodPressureDiastolic, .bloodGlucose, .weight, .bodyTemperature,
  ]

  /// The most days of readings that are listed.
  static let mostReadings = 40

  private var explanation: String {
    let days = PageWords.count(report.days.count, "day")
    return "Each mean is over the days that have a number. “Change” compares it with the \(days) "
      + "before. Days that are not over, numbers of a part of their day, and doubtful numbers are not "
      + "counted."
  }

  private func averages(_ html: inout HTMLWriter) {
    html.columns(["Metric", "Mean", "Lowest to highest", "Course", "Change", "Days"])
    for (group, panels) in groups {
      html.element("tbody") { html in
        html.element("tr") { html in
          html.element(
            "th", ["scope": "rowgroup", "colspan": "6"], text: group.label.capitalisedFirst)
        }
        for panel in panels {
          for (series, name) in zip(panel.series, panel.names) {
            row(
              series, panel.unit,
              panel.series.count > 1 ? "\(panel.title), \(name)" : panel.title, &html)
          }
        }
      }
    }
  }

  private func row(
    _ series: MetricSeries, _ unit: PersonUnit, _ name: String, _ html: inout HTMLWriter
  ) {
    html.element("tr") { html in
      html.element("th", ["scope": "row"], text: name)
      html.element("td", text: series.mean.map { unit.text($0.value) } ?? "–")
      html.element(
        "td",
        text: series.bounds.map { "\(unit.bare($0.lowerBound)) to \(unit.bare($0.upperBound))" }
          ?? "–")
      html.element("td") { html in course(series, &html) }
      html.element("td", text: change(series, unit))
      html.element("td", text: PageWords.grouped(series.count))
    }
  }

  private func change(_ series: MetricSeries, _ unit: PersonUnit) -> String {
    guard let mean = series.mean?.value, let before = series.meanBefore?.value else { return "–" }
    return unit.change(mean - before)
  }

  /// The most means of a course.
  private static let courseParts = 26

  /// A small line of means over equal parts of the range.
  private func course(_ series: MetricSeries, _ html: inout HTMLWriter) {
    let parts = min(Self.courseParts, series.values.count)
    let means = (0..<parts).map { part in
      let (from, to) = (
        part * series.values.count / parts, (part + 1) * series.values.count / parts
      )
      return Mean(series.values[from..<to])?.value
    }
    let numbers = means.compactMap(\.self)
    guard numbers.count > 1, let least = numbers.min(), let greatest = numbers.max() else { return }
    let path = GapPath(means, bounds: least...greatest)
    html.element(
      "svg",
      [
        "class": "course", "viewBox": "0 -20 \(max(1, parts - 1)) \(GapPath.height + 40)",
        "preserveAspectRatio": "none", "aria-hidden": "true",
      ]
    ) { html in
      html.element("path", ["class": "week s0", "d": path.line + path.dots]) { _ in }
    }
  }

  /// Each day's number (the mean, where a day has several readings), newest first; of a part of a day with
  /// what is said of it.
  private func readings(_ panel: MetricPanel, _ html: inout HTMLWriter) {
    let partial = panel.series.map { series in
      Dictionary(uniqueKeysWithValues: series.partial.map { ($0.place, $0) })
    }
    let places = panel.series[0].values.indices.reversed().filter { place in
      zip(panel.series, partial).contains { $0.values[place] != nil || $1[place] != nil }
    }
    html.element("div") { html in
      html.element("h3", text: "\(panel.title), \(panel.unit.plural)")
      html.element("table", ["class": "few"]) { html in
        html.element("tbody") { html in
          for place in places.prefix(Self.mostReadings) {
            html.element("tr") { html in
              html.element("th", ["scope": "row"], text: "\(panel.series[0].date(place))")
              html.element(
                "td",
                text: zip(panel.series, partial).map { series, partial in
                  (series.values[place] ?? partial[place]?.value).map(panel.unit.bare) ?? "–"
                }.joined(separator: "/")
                  + (partial.lazy.compactMap { $0[place]?.words }.first.map { " \($0)" } ?? ""))
            }
          }
        }
      }
      if places.count > Self.mostReadings {
        html.element(
          "p", ["class": "hint"],
          text:
            "The newest \(Self.mostReadings) of \(PageWords.count(places.count, "day")); all of "
            + "them are in the tables at the end.")
      }
    }
  }
}

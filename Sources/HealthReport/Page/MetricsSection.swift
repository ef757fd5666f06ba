import HealthModel

/// A card for each metric: the newest number, a sparkline, and the extremes.
struct MetricsSection {
  let report: RangeReport

  /// Beyond so many days the line is drawn faint, and the means of the months over it.
  static let maximumPlainDays = 400

  func write(_ html: inout HTMLWriter) {
    html.element("section", ["aria-labelledby": "metrics"]) { html in
      html.element("h2", ["id": "metrics"], text: "Metrics")
      html.element(
        "p", ["class": "hint"],
        text: "Each line runs from its own lowest to its own highest number. Days without a "
          + "number are gaps; a day between two gaps is a dot."
          + (isLong ? " Thin: each day. Bold: the mean of each month." : ""))
      html.element("div", ["class": "cards"]) { html in
        for (place, metric) in Metric.allCases.enumerated() {
          card(MetricSeries(metric, place, report), &html)
        }
      }
    }
  }

  private var isLong: Bool { report.days.count > Self.maximumPlainDays }

  private func card(_ series: MetricSeries, _ html: inout HTMLWriter) {
    let unit = series.metric.unit
    html.element("article", ["class": "card"]) { html in
      html.element("h3", text: series.metric.label.capitalisedFirst)
      if let last = series.last, let bounds = series.bounds {
        html.element("p", ["class": "last"]) { html in
          html.element("b", text: last.value.grouped)
          html.text(" \(unit) ")
          html.element("small", text: "on \(last.date)")
        }
        sparkline(series, bounds, last.place, &html)
        html.element("dl", ["class": "extremes"]) { html in
          let facts = [
            ("lowest", "\(bounds.lowerBound.grouped) \(unit)"),
            ("highest", "\(bounds.upperBound.grouped) \(unit)"),
          ]
          for (name, value) in facts {
            html.element("div") { html in
              html.element("dt", text: name)
              html.element("dd", text: value)
            }
          }
        }
      } else {
        html.element("p", ["class": "last none"], text: "No number in this range")
      }
      let days =
        "\(PageWords.grouped(series.count)) of "
        + PageWords.count(series.values.count, "day")
      let gaps = series.gaps.isEmpty ? "" : ". Gaps: \(series.gaps)"
      html.element("p", ["class": "gaps"], text: days + gaps)
    }
    html.newline()
  }

  private func sparkline(
    _ series: MetricSeries, _ bounds: ClosedRange<Double>, _ last: Int, _ html: inout HTMLWriter
  ) {
    let path = GapPath(series.values, bounds: bounds)
    let name = series.metric.label.capitalisedFirst
    let unit = series.metric.unit
    html.element(
      "svg",
      [
        "class": isLong ? "spark long" : "spark", "role": "img",
        "viewBox": "-0.5 -20 \(series.values.count) \(GapPath.height + 40)",
        "preserveAspectRatio": "none",
        "aria-label": "\(name), \(report.range.from) to \(report.range.to): numbers on "
          + "\(series.count) of \(PageWords.count(series.values.count, "day")), lowest "
          + "\(bounds.lowerBound.grouped) \(unit), highest \(bounds.upperBound.grouped) \(unit)",
      ]
    ) { html in
      html.element("path", ["class": "line", "d": path.line]) { _ in }
      html.element("path", ["class": "dots", "d": path.dots]) { _ in }
      if isLong {
        html.element("path", ["class": "mean", "d": Self.means(series, bounds)]) { _ in }
      }
      let y = series.values[last].map { GapPath.y($0, bounds) } ?? 0
      html.element("path", ["class": "end", "d": "M\(last) \(y)h0"]) { _ in }
    }
    html.element("p", ["class": "axis", "aria-hidden": "true"]) { html in
      html.element("span", text: "\(report.range.from)")
      if report.range.from != report.range.to {
        html.element("span", text: "\(report.range.to)")
      }
    }
  }

  /// The means of neighbouring months as lines; a month between two without is a dot.
  private static func means(_ series: MetricSeries, _ bounds: ClosedRange<Double>) -> String {
    series.monthlyMeans.map { run in
      let points = run.map { "\($0.place) \(GapPath.y($0.value, bounds))" }
      return "M" + points.joined(separator: "L") + (points.count == 1 ? "h0" : "")
    }.joined()
  }
}

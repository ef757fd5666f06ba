import HealthModel

/// A panel's chart: an axis, months, and a line or a stack for each of its metrics.
///
/// The outer drawing has no scale of its own, so that its words stay as large as the page's; the
/// plot inside is stretched to the width that there is.
struct MetricChart {
  let panel: MetricPanel
  let report: RangeReport
  let scale: AxisScale

  /// Beyond so many days the line is drawn faint, and the means of the months over it.
  static let maximumPlainDays = 400

  /// Where the plot begins, in pixels.
  private static let top = 8
  /// How high the plot is, in pixels.
  private let height: Int

  private var days: Int { report.days.count }
  private var isLong: Bool { days > Self.maximumPlainDays }

  /// Nil where no number counts.
  init?(_ panel: MetricPanel, _ report: RangeReport, height: Int = 112) {
    let bounds = panel.series.compactMap(\.bounds)
    guard var least = bounds.map(\.lowerBound).min(), var most = bounds.map(\.upperBound).max()
    else { return nil }
    if panel.isStacked {
      (least, most) = (0, Self.heights(of: panel).max() ?? most)
    }
    (self.panel, self.report, self.height) = (panel, report, height)
    scale = AxisScale(least...most, panel.unit, isFromZero: panel.isSum)
  }

  /// Of each day the sum of the panel's numbers.
  private static func heights(of panel: MetricPanel) -> [Double] {
    panel.series[0].values.indices.map { place in
      panel.series.reduce(0) { $0 + ($1.values[place] ?? 0) }
    }
  }

  func write(_ html: inout HTMLWriter) {
    let ticks = DateTicks(from: report.range.from, count: days)
    html.element("svg", ["class": "chart", "role": "img", "aria-label": label]) { html in
      html.element(
        "svg",
        [
          "class": isLong ? "plot long" : days > 100 ? "plot dense" : "plot", "y": "\(Self.top)",
          "width": "100%",
          "height": "\(height)", "viewBox": "-0.5 0 \(days) \(GapPath.height)",
          "preserveAspectRatio": "none",
        ]
      ) { html in
        html.element("path", ["class": "grid", "d": grid(ticks)]) { _ in }
        if panel.isStacked || panel.isSum { bars(&html) }
        if panel.isBand { band(&html) } else if !panel.isStacked { lines(&html) }
        marks("doubted", panel.series.flatMap(\.doubted), &html)
        partial(&html)
      }
      words(ticks, &html)
    }
  }

  private var label: String {
    let parts = zip(panel.series, panel.names).compactMap { series, name in
      series.bounds.map { bounds in
        (panel.series.count > 1 ? "\(name): " : "")
          + "numbers on \(PageWords.grouped(series.count)) of \(PageWords.count(days, "day")), "
          + "lowest \(panel.unit.text(bounds.lowerBound)), "
          + "highest \(panel.unit.text(bounds.upperBound))"
      }
    }
    return "\(panel.title), \(report.range.from) to \(report.range.to): "
      + parts.joined(separator: "; ")
  }

  private func y(_ value: Double) -> Int { GapPath.y(value, scale.bounds) }

  private func grid(_ ticks: DateTicks) -> String {
    let levels = scale.ticks.map { "M-0.5 \(y($0.value))h\(days)" }
    let dates = ticks.ticks.map { tick in
      // A day's line is at its number, a month's before its first.
      let x = ticks.isDaily || tick.place == 0 ? "\(tick.place)" : "\(tick.place - 1).5"
      return "M\(x) 0v\(GapPath.height)"
    }
    return (levels + dates).joined()
  }

  private func lines(_ html: inout HTMLWriter) {
    for (place, series) in panel.series.enumerated() {
      if !panel.isSum {
        let path = GapPath(series.values, bounds: scale.bounds)
        html.element("path", ["class": "line s\(place)", "d": path.line]) { _ in }
        html.element("path", ["class": "dots s\(place)", "d": path.dots]) { _ in }
        if days <= Self.mostPoints {
          html.element(
            "path", ["class": "points s\(place)", "d": path.points(series.values)]
          ) { _ in }
        }
      }
      if isLong {
        if panel.isSum { continue }
        html.element("path", ["class": "week s\(place)", "d": months(series)]) { _ in }
      } else {
        for (name, length) in [("week", 7), ("month30", 30)] {
          let means = GapPath(series.rollingMeans(of: length), bounds: scale.bounds)
          html.element(
            "path", ["class": "\(name) s\(place)", "d": means.line + means.dots]
          ) { _ in }
        }
      }
    }
  }

  /// Up to so many days each number is a point.
  private static let mostPoints = 62

  /// From the lowest to the highest of each day, and the means in it.
  private func band(_ html: inout HTMLWriter) {
    var (area, place) = ("", 0)
    let (highest, lowest) = (panel.series[0].values, panel.series[2].values)
    while place < days {
      let run = (place..<days).prefix { highest[$0] != nil && lowest[$0] != nil }
      for (day, edge) in run.map({ ($0, highest) }) + run.reversed().map({ ($0, lowest) }) {
        area += "\(day == place && area.hasSuffix("z") || area.isEmpty ? "M" : "L")\(day) "
        area += "\(y(edge[day] ?? 0))"
      }
      if !run.isEmpty { area += "z" }
      place += max(1, run.count)
    }
    html.element("path", ["class": "band s0", "d": area]) { _ in }
    let means = GapPath(panel.series[1].values, bounds: scale.bounds)
    html.element("path", ["class": "week s0", "d": means.line + means.dots]) { _ in }
  }

  /// Numbers of a part of a day: hollow, and at the edge where the scale ends before them.
  private func partial(_ html: inout HTMLWriter) {
    guard panel.isSum else {
      let numbers = panel.series.flatMap(\.partial).map { (place: $0.place, value: $0.value) }
      marks("sofar", numbers, &html)
      return marks("hole", numbers, &html)
    }
    var heights: [Int: Double] = [:]
    for number in panel.series.flatMap(\.partial) {
      heights[number.place, default: 0] += number.value
    }
    let foot = y(scale.bounds.lowerBound)
    let path = heights.sorted { $0.key < $1.key }.map { place, value in
      let left = place == 0 ? "-0.4" : "\(place - 1).6"
      return "M\(left) \(foot)V\(y(value))H\(place).4V\(foot)"
    }
    if !path.isEmpty { html.element("path", ["class": "part", "d": path.joined()]) { _ in } }
  }

  /// The means of neighbouring months as lines; a month between two without is a dot.
  private func months(_ series: MetricSeries) -> String {
    series.monthlyMeans.map { run in
      let points = run.map { "\($0.place) \(y($0.value))" }
      return "M" + points.joined(separator: "L") + (points.count == 1 ? "h0" : "")
    }.joined()
  }

  /// A bar for each day, or for the mean of each month of a long range; the metrics one above the
  /// other.
  private func bars(_ html: inout HTMLWriter) {
    if isLong, !panel.isStacked {
      let path = panel.series[0].monthlyMeans.joined().map { mean in
        let (from, to) = (y(scale.bounds.lowerBound), y(mean.value))
        return from > to ? "M\(mean.place) \(from)v-\(from - to)" : ""
      }
      html.element("path", ["class": "bar s0", "d": path.joined()]) { _ in }
      return
    }
    var tops = Array(repeating: 0.0, count: days)
    for (place, series) in panel.series.enumerated() {
      var path = ""
      for (day, value) in series.values.enumerated() {
        guard let value else { continue }
        let from = y(max(tops[day], scale.bounds.lowerBound))
        tops[day] += value
        let to = y(tops[day])
        // What is below 0 hangs from there.
        if from > to || !panel.isStacked {
          path += "M\(day) \(from)v\(from < to ? "" : "-")\(abs(from - to))"
        }
      }
      html.element("path", ["class": "bar s\(place)", "d": path]) { _ in }
    }
  }

  /// Marks of numbers at their height, at the edge where that is outside.
  private func marks(
    _ kind: String, _ numbers: [(place: Int, value: Double)], _ html: inout HTMLWriter
  ) {
    let marks = numbers.map { "M\($0.place) \(y($0.value))h.1" }
    if !marks.isEmpty { html.element("path", ["class": kind, "d": marks.joined()]) { _ in } }
  }

  /// The numbers beside the plot and the dates under it.
  private func words(_ ticks: DateTicks, _ html: inout HTMLWriter) {
    for tick in scale.ticks {
      let y = Double(Self.top) + Double(height) * (1 - scale.part(tick.value)) + 4
      html.element(
        "text", ["class": "level", "x": "-6", "y": "\(Int(y.rounded()))"], text: tick.label)
    }
    let bottom = Self.top + height
    for tick in ticks.ticks {
      guard let label = tick.label else { continue }
      let tenths = (tick.place * 2 + (ticks.isDaily ? 1 : 0)) * 500 / days
      let x = "\(tenths / 10).\(tenths % 10)%"
      let kind = ticks.isDaily ? "day" : "from"
      html.element("text", ["class": kind, "x": x, "y": "\(bottom + 14)"], text: label)
      if let year = tick.year {
        html.element("text", ["class": kind, "x": x, "y": "\(bottom + 27)"], text: year)
      }
    }
  }
}

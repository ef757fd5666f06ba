import HealthModel

/// What one card shows: a metric, or several that are read together.
struct MetricPanel {
  let title: String
  /// In the order of the card's columns; at least one.
  let series: [MetricSeries]
  /// The metrics' names within the panel.
  let names: [String]
  let isStacked: Bool
  /// One for all of the panel's numbers.
  let unit: PersonUnit

  /// Metrics that are read together, with their names on the card; on one scale.
  private static let together:
    [(title: String, metrics: [(DailyMetric, String)], isStacked: Bool)] = [
      (
        "Heart rate",
        [(.heartRateMaximum, "highest"), (.heartRateMean, "mean"), (.heartRateMinimum, "lowest")],
        false
      ),
      (
        "Blood pressure",
        [(.bloodPressureSystolic, "systolic"), (.bloodPressureDiastolic, "diastolic")], false
      ),
      (
        "Sleep stages",
        [(.sleepDeep, "deep"), (.sleepCore, "core"), (.sleepREM, "REM"), (.sleepAwake, "awake")],
        true
      ),
    ]

  init(
    _ title: String, _ series: [MetricSeries], _ names: [String], isStacked: Bool = false,
    in units: PersonalUnits = .stored
  ) {
    (self.title, self.series, self.names, self.isStacked) = (title, series, names, isStacked)
    let numbers = series.flatMap {
      $0.values.compactMap(\.self) + $0.doubted.map(\.value) + $0.partial.map(\.value)
    }
    unit = PersonUnit(series[0].metric, greatest: numbers.max() ?? 0, in: units)
  }

  /// The panels of a report by group, in the order of the catalogue.
  static func all(of report: RangeReport) -> [(group: MetricGroup, panels: [MetricPanel])] {
    let series = MetricSeries.all(of: report)
    var panels: [MetricGroup: [MetricPanel]] = [:]
    var shown: Set<DailyMetric> = []
    for metric in DailyMetric.allCases where series[metric] != nil && !shown.contains(metric) {
      let partners = together.first { $0.metrics.contains { $0.0 == metric } }
      let present = partners?.metrics.filter { series[$0.0] != nil } ?? []
      if let partners, present.count > 1 {
        panels[metric.group, default: []].append(
          MetricPanel(
            partners.title, present.compactMap { series[$0.0] }, present.map(\.1),
            isStacked: partners.isStacked, in: report.units))
        shown.formUnion(present.map(\.0))
      } else if let alone = series[metric] {
        panels[metric.group, default: []].append(
          MetricPanel(
            metric.label.capitalisedFirst, [alone], [metric.label], in: report.units))
      }
    }
    return MetricGroup.allCases.compactMap { group in panels[group].map { (group, $0) } }
  }

  /// Days of the range with a number that counts, of any of the panel's metrics.
  var count: Int {
    series.count == 1
      ? series[0].count
      : series[0].values.indices.count { place in series.contains { $0.values[place] != nil } }
  }

  /// Too few numbers for a line: they are listed instead.
  var isSparse: Bool {
    let days = series[0].values.count
    return count < 3 || (count <= 7 && count * 2 < days)
  }

  /// The metric whose page shows the panel.
  var metric: DailyMetric { series.count == 3 ? series[1].metric : series[0].metric }

  /// Highest, mean and lowest of one thing: drawn as a band.
  var isBand: Bool { series.count == 3 && !isStacked }

  /// What one number is of, before a mean of several: empty where it is a mean itself.
  var period: String {
    if case .night = series[0].metric.aggregation { return "a night, " }
    return isSum ? "a day, " : ""
  }

  /// Whether a day's number is what adds up in the day.
  var isSum: Bool {
    switch series[0].metric.aggregation {
    case .sum, .entries, .hours, .duration, .night: true
    case .mean, .least, .greatest, .level, .latest, .latestTime: false
    }
  }
}

extension MetricGroup {
  /// The class that gives a group its hue: activity, heart, sleep, body, nutrition or other.
  var domain: String {
    switch self {
    case .activity, .walking: "activity"
    case .heart, .vitals: "heart"
    case .sleep: "sleep"
    case .body: "body"
    case .nutrition: "nutrition"
    case .surroundings: "other"
    }
  }
}

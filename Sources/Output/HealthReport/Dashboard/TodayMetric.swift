import HealthModel

/// A metric's numbers of today and of the days before it, as a card of today shows them (R59).
struct TodayMetric {
  let metric: DailyMetric
  let title: String
  /// Seven days and today last; nil where there is no number, or a doubted one.
  let values: [Double?]
  /// Of the days before today, those that count.
  private let counted: [Double?]
  /// What is said of a number of a part of one of the days before today; nil of a whole one.
  private let parts: [String?]
  let dates: [CalendarDate]
  let unit: PersonUnit
  /// Why today has no number; nil where it has one.
  let gap: String?

  /// How many days before today a card shows.
  static let days = 7

  /// The goal for a day; nil without one.
  let goal: Double?
  /// The newest sample, which says more than a mean of the day so far.
  var pulse: Pulse?

  /// - Parameter recent: the last days, today last.
  init(
    _ metric: DailyMetric, title: String? = nil, recent: [ReportDay],
    settings: DashboardSettings
  ) {
    goal = settings.goals[metric]
    self.metric = metric
    self.title = title ?? metric.label.capitalisedFirst
    let recent = recent.suffix(Self.days + 1)
    values = recent.map { day in
      day.doubted.contains(metric) ? nil : day.readings[metric]?.number
    }
    counted = recent.dropLast().map { $0.counted(metric) }
    parts = recent.dropLast().map { $0.partWords(metric) } + [nil]
    dates = recent.map(\.date)
    unit = PersonUnit(metric, greatest: values.compactMap(\.self).max() ?? 0, in: settings.units)
    gap = values.last.flatMap(\.self) == nil ? Self.gap(metric, recent.last) : nil
  }

  /// Today's number.
  var today: Double? { values.last.flatMap(\.self) }
  /// Yesterday's.
  var yesterday: Double? { values.dropLast().last.flatMap(\.self) }
  /// What is said of yesterday's where it is of a part of the day.
  var yesterdayPart: String? { parts.dropLast().last.flatMap(\.self) }
  /// The mean of the seven days before today, of those that have a number.
  var mean: Mean? { Mean(counted) }
  /// Whether any of the days has a number.
  var hasNumber: Bool { values.contains { $0 != nil } }

  /// Whether a day's number is what adds up in the day.
  var isSum: Bool {
    switch metric.aggregation {
    case .sum, .entries, .hours, .duration, .night: true
    case .mean, .least, .greatest, .level, .latest, .latestTime: false
    }
  }

  private static func gap(_ metric: DailyMetric, _ day: ReportDay?) -> String {
    guard let day, day.coverage != .missing else { return "nothing published yet" }
    if day.doubted.contains(metric) { return "a doubtful number" }
    return switch day.readings[metric] {
    case .unauthorized: "not allowed to be read"
    case .unsupported: "not measured here"
    case .noData, .value, nil: "no data yet"
    }
  }

  /// The bars or points of the days, in a drawing of 176 by 36.
  func write(_ html: inout HTMLWriter) {
    html.element(
      "svg",
      [
        "class": "days", "viewBox": "0 0 176 36", "preserveAspectRatio": "xMinYMax meet",
        "role": "img", "aria-label": label,
      ]
    ) { html in
      for (place, value) in values.enumerated() {
        let x = (Self.days + 1 - values.count + place) * 22 + 2
        // What is of a part of a day is hollow.
        let isPart = place == values.count - 1 || parts[place] != nil
        let kind = isPart ? "now" : "then"
        guard let value else {
          // A day without a number is not drawn as a bar of height 0.
          html.element("path", ["class": "gap", "d": "M\(x + 6) 35h6"]) { _ in }
          continue
        }
        let height = height(value)
        if isSum {
          let inset = isPart ? 1 : 0
          html.element(
            "rect",
            [
              "class": kind, "x": "\(x + inset)", "y": "\(36 - height + inset)",
              "width": "\(18 - 2 * inset)", "height": "\(max(1, height - 2 * inset))", "rx": "2",
            ]
          ) { _ in }
        } else {
          html.element(
            "circle", ["class": kind, "cx": "\(x + 9)", "cy": "\(34 - height)", "r": "3.5"]
          ) { _ in }
        }
      }
    }
  }

  /// Bars begin at 0; points are between the least and the greatest of the days that count.
  private func height(_ value: Double) -> Int {
    var numbers = counted.compactMap(\.self)
    if numbers.isEmpty { numbers = [value] }
    let (least, greatest) = (numbers.min() ?? 0, numbers.max() ?? 0)
    let bounded = min(max(value, isSum ? 0 : least), greatest)
    if isSum { return greatest > 0 ? max(1, Int((bounded / greatest * 36).rounded())) : 1 }
    return greatest > least ? Int(((bounded - least) / (greatest - least) * 28).rounded()) + 2 : 16
  }

  /// How much of the goal is done, in words: whole per cent, never 100 before it.
  var goalWords: String? {
    guard let goal, goal > 0 else { return nil }
    let of = "of \(unit.text(goal))"
    guard let percent else { return of }
    return hasReached ? "Goal reached! \(percent) % \(of)" : "\(percent) % \(of)"
  }

  var hasReached: Bool { (today ?? 0) >= (goal ?? .infinity) }

  var percent: Int? {
    guard let today, let goal, goal > 0 else { return nil }
    return Int((max(0, min(today / goal, 1e7)) * 100).rounded(.down))
  }

  private var label: String {
    dates.indices.map { place in
      let part = parts[place].map { " \($0)" } ?? ""
      return "\(dates[place]): \(values[place].map { unit.text($0) + part } ?? "no number")"
    }.joined(separator: "; ")
  }
}

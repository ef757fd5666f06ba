import CommandLineKit
import HealthCollector
import HealthModel

/// Everything that the live view shows, at one moment.
struct WatchView: Equatable {
  var comparison: DayComparison
  var zone: String
  var source: String
  var goal: Int
  /// What people read is in these; the document is as it is stored.
  var units = PersonalUnits.stored
  /// When the numbers of today last changed, or were first read; nil before that.
  var lastUpdated: Timestamp?
  /// Whether the numbers are as the source has them now.
  var isLive = false
  /// What a person should know: why the view is not live, why nothing is published.
  var notes: [String] = []
  /// What became of publishing; nil if nothing is to be published.
  var publishing: String?

  /// Today's steps; nil if there is no number.
  var steps: Double? { comparison.today[.steps] }
  /// The part of the goal that is reached; more than 1 beyond it.
  var progress: Double? { steps.map { $0 / Double(goal) } }
  var hasReachedGoal: Bool { steps.map { $0 >= Double(goal) } ?? false }

  /// A number as the view shows it, and its unit: one that the person chose, kilometres for other
  /// distances, everything else as it is counted.
  func parts(_ metric: DailyMetric, _ stored: Double) -> (number: String, unit: String) {
    let format = DashboardFormat.enUS
    let chosen = units.unit(of: metric)
    let (number, unit) = (units.shown(stored, of: metric), units.name(of: metric))
    switch metric {
    case .steps: return (format.decimal(number, places: 0), "")
    case .activeEnergy: return (format.decimal(number, places: 0), unit)
    default: break
    }
    if metric.isOfNight { return (number.asDuration, "") }
    if metric.isDistance {
      return chosen == nil
        ? (format.decimal(number / 1000, places: 1), "km")
        : (format.decimal(number, places: 1), unit)
    }
    let places = number.magnitude >= 100 ? 0 : number.magnitude >= 10 ? 1 : 2
    var text = format.decimal(number, places: places)
    if text.unicodeScalars.contains(".") {
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    return (text, unit)
  }

  /// A number with its unit, such as `5.2 km`.
  func text(_ metric: DailyMetric, _ number: Double) -> String {
    let (text, unit) = parts(metric, number)
    return unit.isEmpty ? text : "\(text) \(unit)"
  }

  func clock(_ moment: Timestamp) -> String {
    let offset = (try? ReportingDay.offsetSeconds(at: moment, timeZoneName: zone)) ?? 0
    let local = ReportingDay.LocalMoment(timestamp: moment, offsetSeconds: offset)
    return String(local.description.dropFirst(11).prefix(8))
  }
}

extension DailyMetric {
  /// Whether it is a distance of a day, which people read in kilometres.
  fileprivate var isDistance: Bool { unit == .metre && group == .activity }
}

extension WatchView {
  /// The document of docs/OUTPUT.md.
  var document: Document {
    func numbers(_ numbers: [DailyMetric: Double]) -> [String: Double] {
      Dictionary(uniqueKeysWithValues: numbers.map { ($0.key.rawValue, $0.value) })
    }
    return [
      "date": comparison.date, "timezone": zone, "source": source, "is_live": isLive,
      "last_updated": lastUpdated, "step_goal": goal, "step_progress": progress,
      "goal_reached": hasReachedGoal, "today": numbers(comparison.today),
      "yesterday": numbers(comparison.yesterday),
      "week_average": numbers(comparison.weekAverage), "notes": notes,
    ]
  }

  /// One line for a log or a pipe.
  var line: String {
    var parts = ["\(comparison.date) \(lastUpdated.map(clock) ?? "--:--:--")"]
    if let steps, let progress {
      parts.append(
        "\(text(.steps, steps)) steps, \(Int((progress * 100).rounded(.down))) % of the goal")
    }
    for metric in [DailyMetric.distance, .activeEnergy] {
      if let number = comparison.today[metric] { parts.append(text(metric, number)) }
    }
    if comparison.today.isEmpty { parts.append("no data yet") }
    if hasReachedGoal { parts.append("Goal reached!") }
    if !isLive, let note = notes.first { parts.append(note) }
    return parts.joined(separator: "  ")
  }
}

import HealthCollector
public import HealthModel

/// What a person has reached, as the sign on the screen of today.
public enum StepBadge: String, CaseIterable, Hashable, Sendable {
  /// The goal of today.
  case goal
  /// Twice the goal of today.
  case double
  /// More than on any other of the last days.
  case best
  /// The goal on three days one after another, until today.
  case threeDays = "three_days"
  /// The goal on seven days one after another, until today.
  case sevenDays = "seven_days"

  /// What it is called.
  public var title: String {
    switch self {
    case .goal: "Goal reached!"
    case .double: "Twice the goal"
    case .best: "Best day of the week"
    case .threeDays: "3 days in a row"
    case .sevenDays: "7 days in a row"
    }
  }
}

/// What was reached today, beside the days before. Pure.
public struct TodaySummary: Hashable, Sendable {
  /// What was reached, in the order of the signs.
  public let badges: [StepBadge]

  /// A summary.
  ///
  /// - Parameters:
  ///   - today: the date.
  ///   - steps: those of today, as they are shown.
  ///   - goal: the steps to reach.
  ///   - days: the numbers of the days before today, as far as they are known.
  public init(
    _ today: CalendarDate, steps: Int, goal: Int, days: [CalendarDate: [DailyMetric: Double]]
  ) {
    self.init(today, steps: steps, goal: goal, days: days, partial: [:])
  }

  /// A summary of days of which some numbers are of a part: none of these is the best.
  package init(
    _ today: CalendarDate, steps: Int, goal: Int, days: [CalendarDate: [DailyMetric: Double]],
    partial: [CalendarDate: PartialNumbers]
  ) {
    func reached(_ back: Int) -> Bool {
      guard back > 0 else { return steps >= goal }
      return (today.adding(days: -back).flatMap { days[$0]?[.steps] } ?? 0) >= Double(goal)
    }
    let before = (1...DayComparison.weekDays).compactMap { back in
      today.adding(days: -back).flatMap { partial[$0]?[.steps] == nil ? days[$0]?[.steps] : nil }
    }
    var badges: Set<StepBadge> = []
    if steps >= goal { badges.insert(.goal) }
    if steps >= 2 * goal { badges.insert(.double) }
    if let most = before.max(), Double(steps) > most { badges.insert(.best) }
    if (0..<3).allSatisfy(reached) { badges.insert(.threeDays) }
    if (0..<7).allSatisfy(reached) { badges.insert(.sevenDays) }
    self.badges = StepBadge.allCases.filter(badges.contains)
  }
}

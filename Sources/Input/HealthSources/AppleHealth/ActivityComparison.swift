internal import AppleExport
package import HealthModel

/// Apple's own figure of a metric and day beside ours.
package struct ActivityComparison: Hashable, Sendable {
  package let metric: DailyMetric
  /// In the metric's unit.
  package let apple: Double
  /// Nil where we have none.
  package let ours: Double?

  /// Greatest difference that still counts as agreement, as a part of the greater figure.
  package static let tolerance = 0.02

  /// Ours less Apple's, as a part of Apple's; nil where either is missing or Apple's is 0.
  package var difference: Double? { ours.flatMap { apple == 0 ? nil : ($0 - apple) / apple } }

  /// False where the figures differ by more than `tolerance`, or ours is missing and Apple's is
  /// more than 0.
  package var agrees: Bool {
    guard let ours else { return apple == 0 }
    return abs(ours - apple) <= Self.tolerance * max(abs(ours), abs(apple))
  }

  /// One line for a person.
  package var note: String {
    let own = "\(metric.rawValue): Apple's own figure is \(Self.words(apple)) \(metric.unitLabel)"
    return own + (ours.map { ", ours \(Self.words($0))" } ?? "; no samples")
  }

  /// With one decimal at most: `575.7`, `12`.
  private static func words(_ number: Double) -> String {
    let tenths = (number * 10).rounded() / 10
    return tenths.magnitude < 1e15 && tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}

/// How our figures agree with Apple's own over many days.
package struct ActivityCrossCheck: Hashable, Sendable {
  /// Counts of days.
  package struct Count: Hashable, Sendable {
    /// Both have a figure.
    package var compared = 0
    package var within = 0
    package var beyond = 0
    /// Apple has a figure above 0 and we have none.
    package var missing = 0

    package init() {}
  }

  /// By metric: energy, exercise and stand hours.
  package private(set) var metrics: [DailyMetric: Count] = [:]
  /// Days of which any metric was compared: within where all of them agree.
  package private(set) var days = Count()

  /// The days that were compared, the oldest first, and whether all figures of each agree.
  private var dates: [CalendarDate] = []
  private var agreements: [Bool] = []

  package init() {}

  /// Where agreement with Apple's figures ends or begins: somebody may have moved.
  package struct Turn: Hashable, Sendable {
    package let lastBefore: CalendarDate
    package let firstAfter: CalendarDate
    /// True where most figures agree before, and few after.
    package let agreesBefore: Bool
  }

  /// Fewest days on either side of a turn.
  private static let fewestDays = 14

  /// The date on one side of which four of five days agree and on the other at most one of five;
  /// nil where there is none.
  package var turn: Turn? {
    let all = agreements.count { $0 }
    var before = 0
    var best: (index: Int, difference: Double, agreesBefore: Bool)?
    for (index, agrees) in agreements.enumerated() {
      before += agrees ? 1 : 0
      let (count, rest) = (index + 1, agreements.count - index - 1)
      guard count >= Self.fewestDays, rest >= Self.fewestDays else { continue }
      let first = Double(before) / Double(count)
      let last = Double(all - before) / Double(rest)
      guard max(first, last) >= 0.8, min(first, last) <= 0.2,
        abs(first - last) > best?.difference ?? 0
      else { continue }
      best = (index, abs(first - last), first > last)
    }
    return best.map {
      Turn(
        lastBefore: dates[$0.index], firstAfter: dates[$0.index + 1],
        agreesBefore: $0.agreesBefore)
    }
  }

  mutating func add(_ comparisons: [ActivityComparison], on date: CalendarDate) {
    for comparison in comparisons {
      if comparison.ours != nil {
        metrics[comparison.metric, default: Count()].compared += 1
        metrics[comparison.metric, default: Count()].within += comparison.agrees ? 1 : 0
        metrics[comparison.metric, default: Count()].beyond += comparison.agrees ? 0 : 1
      } else if !comparison.agrees {
        metrics[comparison.metric, default: Count()].missing += 1
      }
    }
    let both = comparisons.filter { $0.ours != nil }
    guard !both.isEmpty else { return }
    days.compared += 1
    dates.append(date)
    agreements.append(both.allSatisfy(\.agrees))
    if both.allSatisfy(\.agrees) { days.within += 1 } else { days.beyond += 1 }
    if both.count < comparisons.filter({ $0.ours != nil || !$0.agrees }).count { days.missing += 1 }
  }
}

/// Apple's own figures by day.
struct ActivityRecords {
  private var summaries: [CalendarDate: ActivitySummary] = [:]

  /// Takes a summary. The sentinel days at the end of 1969, dates that do not exist, and days on
  /// which nothing was worn, all zero with a goal of zero, say nothing.
  mutating func add(_ summary: ActivitySummary) {
    guard let date = CalendarDate(summary.date), date.year > 1969, date.year < 2200,
      !summary.isNotWorn
    else { return }
    // Of several of one day the greatest, so that their order makes no difference.
    if let known = summaries[date], !(known.sortKey < summary.sortKey) { return }
    summaries[date] = summary
  }

  /// Apple's figures of a day beside ours, for the metrics that have them.
  func comparisons(
    of date: CalendarDate, with readings: [DailyMetric: MetricReading]
  ) -> [ActivityComparison] {
    guard let summary = summaries[date] else { return [] }
    return [
      (DailyMetric.activeEnergy, summary.activeEnergy), (.exerciseMinutes, summary.exerciseMinutes),
      (.standHours, summary.standHours),
    ].compactMap { metric, apple in
      apple.map { ActivityComparison(metric: metric, apple: $0, ours: readings[metric]?.number) }
    }
  }
}

extension ActivitySummary {
  fileprivate var isNotWorn: Bool {
    activeEnergyGoal == 0
      && [activeEnergy, exerciseMinutes, moveMinutes, standHours].allSatisfy { ($0 ?? 0) == 0 }
  }

  fileprivate var sortKey: (Double, Double, Double) {
    (activeEnergy ?? -1, exerciseMinutes ?? -1, standHours ?? -1)
  }
}

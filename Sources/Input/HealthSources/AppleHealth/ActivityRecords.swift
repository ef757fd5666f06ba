internal import AppleExport
internal import HealthModel

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

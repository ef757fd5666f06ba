package import HealthModel

/// Today beside yesterday and the week before (R58).
package struct DayComparison: Hashable, Sendable {
  /// The dates that the week's average is made of, before today.
  package static let weekDays = 7

  package var date: CalendarDate
  /// The numbers of today. A metric that is not here has no data, which is not 0.
  package var today: [DailyMetric: Double] = [:]
  package var yesterday: [DailyMetric: Double] = [:]
  /// The mean of those of the seven dates before today that have a number of the whole day.
  package var weekAverage: [DailyMetric: Double] = [:]

  /// - Parameters:
  ///   - days: the numbers of today and of the dates before it, as far as they are known.
  ///   - partial: those that are of a part of their day.
  package init(
    _ date: CalendarDate, days: [CalendarDate: [DailyMetric: Double]],
    partial: [CalendarDate: PartialNumbers] = [:]
  ) {
    self.date = date
    today = days[date] ?? [:]
    yesterday = date.adding(days: -1).flatMap { days[$0] } ?? [:]
    let week = (1...Self.weekDays).compactMap { date.adding(days: -$0) }
    for metric in DailyMetric.allCases {
      let numbers = week.compactMap { date in
        partial[date]?[metric] == nil ? days[date]?[metric] : nil
      }
      guard !numbers.isEmpty else { continue }
      weekAverage[metric] = numbers.reduce(0, +) / Double(numbers.count)
    }
  }

  /// The metrics that any of the three has, in the catalogue's order; a latest value only without its mean.
  package var metrics: [DailyMetric] {
    DailyMetric.allCases.filter {
      today[$0] != nil || yesterday[$0] != nil || weekAverage[$0] != nil
    }.told
  }
}

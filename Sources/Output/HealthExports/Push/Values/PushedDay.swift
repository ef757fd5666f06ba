package import HealthModel

/// What a push needs of one day of the ledger.
package struct PushedDay: Hashable, Sendable {
  package let date: CalendarDate
  /// Midnight in the day's zone; seconds since 1970.
  package let start: Int
  /// The midnight after it.
  package let end: Int
  /// When its newest revision was generated.
  package let generatedAt: Int
  /// The metrics that have a number.
  package let numbers: [DailyMetric: Double]

  package init(
    date: CalendarDate, start: Int, end: Int, generatedAt: Int, numbers: [DailyMetric: Double]
  ) {
    (self.date, self.start, self.end) = (date, start, end)
    (self.generatedAt, self.numbers) = (generatedAt, numbers)
  }

  /// A day as its revision has it. What has no number is left out.
  package init(_ revision: DailyRevision) {
    self.init(
      date: revision.date, start: revision.day.start.timestamp.secondsSince1970,
      end: revision.day.end.timestamp.secondsSince1970,
      generatedAt: revision.generatedAt.secondsSince1970, numbers: revision.readings.numbers)
  }

  /// The last moment that its numbers can be of.
  var moment: Int { min(generatedAt, end) }
}

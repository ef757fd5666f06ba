public import HealthModel

/// Calendar dates from one to another, both inclusive (R33).
public struct DateRange: Hashable, Sendable {
  /// The oldest date.
  public let from: CalendarDate
  /// The newest date.
  public let to: CalendarDate

  /// The most days of a range unless its caller allows more (R33).
  public static let defaultMaximumDays = 366

  /// The greatest limit that a caller of the program may set: 273 years.
  package static let mostDays = 100_000

  /// The dates `from` to `to`.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS if `from` is after `to`, or if the range is longer
  ///   than `maximumDays`.
  public init(
    from: CalendarDate, to: CalendarDate, maximumDays: Int = defaultMaximumDays
  ) throws(LedgerError) {
    guard from <= to else {
      throw LedgerError(
        .invalidArguments, "the range begins on \(from), after its end on \(to)", rule: "R33",
        remedy: "give the older date first")
    }
    let days = from.days(until: to) + 1
    guard days <= maximumDays else {
      throw LedgerError(
        .invalidArguments, "the range has \(days) days; at most \(maximumDays) are allowed",
        rule: "R33",
        remedy: days > Self.mostDays ? "ask for a shorter range" : .raiseDayLimit(to: days))
    }
    (self.from, self.to) = (from, to)
  }

  /// How many dates; at least 1.
  public var count: Int { from.days(until: to) + 1 }

  /// The dates, oldest first.
  public var dates: [CalendarDate] {
    (from.daysSince1970...to.daysSince1970).compactMap { CalendarDate(daysSince1970: $0) }
  }

  /// The range in pieces of at most `days` dates, oldest first.
  func pieces(of days: Int) -> [[CalendarDate]] {
    let dates = dates
    return stride(from: 0, to: dates.count, by: days).map {
      Array(dates[$0..<min($0 + days, dates.count)])
    }
  }
}

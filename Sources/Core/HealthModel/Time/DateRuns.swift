/// Dates in runs of neighbours: how a person reads thousands of them.
package struct DateRuns: Hashable, Sendable {
  /// Dates that follow one another.
  package struct Run: Hashable, Sendable {
    package let first: CalendarDate
    package fileprivate(set) var last: CalendarDate

    /// How many dates.
    package var count: Int { first.days(until: last) + 1 }
  }

  /// Oldest first.
  package private(set) var runs: [Run] = []

  package init() {}

  /// The runs of dates in ascending order.
  package init(_ dates: some Sequence<CalendarDate>) {
    for date in dates { add(date) }
  }

  /// Adds a date that is not older than the last one.
  package mutating func add(_ date: CalendarDate) {
    if let run = runs.last, (0...1).contains(run.last.days(until: date)) {
      runs[runs.count - 1].last = date
    } else {
      runs.append(Run(first: date, last: date))
    }
  }
}

package import HealthModel

/// Which days a store holds according to its listing. No revision is read.
///
/// A day is held if a revision of it is listed (R5), or its pointer names one that is gone.
/// Verification checks whether it can be read.
package struct Holdings: Hashable, Sendable {
  /// Days that follow one another without a gap.
  package struct Run: Hashable, Sendable {
    package let first: CalendarDate
    package fileprivate(set) var last: CalendarDate
    package fileprivate(set) var revisions: Int

    package var days: Int { first.days(until: last) + 1 }
  }

  /// A revision, identified by its day and id.
  package struct Place: Hashable, Sendable {
    package let date: CalendarDate
    package let id: RevisionID
  }

  /// Oldest first.
  package private(set) var runs: [Run] = []
  /// The greatest revision of the newest day.
  package private(set) var newest: Place?
  /// The greatest revision id of all days: the one that was made last.
  package private(set) var lastMade: Place?
  /// The newest day with more than one revision; nil if there is none.
  package private(set) var newestRevised: CalendarDate?
  /// The number of objects that are not part of the layout.
  package private(set) var foreignObjects = 0

  /// Adds the next listed object. Keys, and so days, come in order.
  mutating func add(_ member: LedgerLayout.Member) {
    switch member {
    case .pointer: return
    case .foreign: foreignObjects += 1
    case .revision(let date, let id):
      if runs.last?.last == date { newestRevised = date }
      add(date, revisions: 1)
      let place = Place(date: date, id: id)
      if newest.map({ ($0.date, $0.id) < (date, id) }) ?? true { newest = place }
      if lastMade.map({ $0.id < id }) ?? true { lastMade = place }
    }
  }

  /// Adds the next day, or revisions of the last one.
  mutating func add(_ date: CalendarDate, revisions: Int) {
    guard let run = runs.last, date == run.last || date == run.last.adding(days: 1) else {
      runs.append(Run(first: date, last: date, revisions: revisions))
      return
    }
    runs[runs.count - 1].last = date
    runs[runs.count - 1].revisions += revisions
  }

  /// From the first to the last day held; nil if no day is held.
  package var extent: ClosedRange<CalendarDate>? {
    guard let first = runs.first?.first, let last = runs.last?.last else { return nil }
    return first...last
  }

  /// The number of days held.
  package var days: Int { runs.reduce(0) { $0 + $1.days } }

  /// The number of revisions of all days.
  package var revisions: Int { runs.reduce(0) { $0 + $1.revisions } }

  /// The longest gap within one piece, in days: about ten years. A longer one is more likely due to a
  /// wrong date than to years without data.
  package static let widestGap = 3652

  /// All days held, and all dates up to an end, as few pieces as have at most so many dates together:
  /// without the widest gaps, which one wrong date can make, and without gaps after the end, because
  /// those dates are not missing yet.
  package func pieces(
    upTo end: CalendarDate? = nil, atMost days: Int
  ) -> [ClosedRange<CalendarDate>] {
    guard let extent else { return [] }
    let last = end.map { max($0, extent.upperBound) } ?? extent.upperBound
    var total = extent.lowerBound.days(until: last) + 1
    var left: Set<CalendarDate> = []
    let inner = gaps(to: last).flatMap { gap in
      guard let end, gap.upperBound > end, let next = end.adding(days: 1) else { return [gap] }
      let later = max(gap.lowerBound, next)...gap.upperBound
      left.insert(later.lowerBound)
      total -= later.days
      return gap.lowerBound < later.lowerBound ? [gap.lowerBound...end, later] : [later]
    }
    for gap in inner.sorted(by: { $0.days > $1.days })
    where !left.contains(gap.lowerBound)
      && (total > days || gap.days > Self.widestGap && gap.upperBound < extent.upperBound)
    {
      total -= gap.days
      left.insert(gap.lowerBound)
    }
    var pieces: [ClosedRange<CalendarDate>] = []
    var first: CalendarDate? = extent.lowerBound
    for gap in inner where left.contains(gap.lowerBound) {
      if let start = first, let stop = gap.lowerBound.adding(days: -1) {
        pieces.append(start...stop)
      }
      first = gap.upperBound.adding(days: 1)
    }
    if let first, first <= last { pieces.append(first...last) }
    return pieces
  }

  /// The dates without a revision: between the days held, and from and to the given ends.
  package func gaps(
    from: CalendarDate? = nil, to: CalendarDate? = nil
  ) -> [ClosedRange<CalendarDate>] {
    var gaps: [ClosedRange<CalendarDate>] = []
    var next = from
    for run in runs {
      if let next, next < run.first, let end = run.first.adding(days: -1) {
        gaps.append(next...end)
      }
      next = run.last.adding(days: 1)
    }
    if let next, let to, next <= to { gaps.append(next...to) }
    return gaps
  }
}

extension ClosedRange<CalendarDate> {
  /// How many dates.
  fileprivate var days: Int { lowerBound.days(until: upperBound) + 1 }
}

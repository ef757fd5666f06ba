/// The numbers of a day that were read before it was over, and not again since (R33): each is of a part of
/// the day, so it is shown with its moment and counts in no mean. Levels are not: a weight is one whenever it is
/// taken. Where the day has no number at all, the reasons for that are judged alike.
package struct PartialNumbers: Hashable, Sendable {
  /// When a number was captured, by the last of the words that it is made of.
  package struct Capture: Hashable, Comparable, Sendable {
    /// By the clocks of the day's zone.
    package let moment: ReportingDay.LocalMoment
    fileprivate let date: CalendarDate

    /// Read again from its text; nil if that is not a moment.
    package init?(_ text: String, on date: CalendarDate) {
      guard let moment = ReportingDay.LocalMoment(text) else { return nil }
      self.init(moment, on: date)
    }

    fileprivate init(_ moment: ReportingDay.LocalMoment, on date: CalendarDate) {
      (self.moment, self.date) = (moment, date)
    }

    /// `captured at 08:00`.
    package var words: String { "captured at \(clock)" }

    /// With the date if it is not that of the day.
    fileprivate var clock: String {
      let own = moment.localDate
      return own == date ? moment.clock : "\(own) \(moment.clock)"
    }

    package static func < (a: Capture, b: Capture) -> Bool {
      a.moment.timestamp < b.moment.timestamp
    }
  }

  package private(set) var captures: [DailyMetric: Capture] = [:]
  /// The metrics of which the day has a number, in order, without levels that were captured as early.
  private var numbered: [DailyMetric] = []

  /// None.
  package init() {}

  package init(_ revision: DailyRevision) {
    let (day, words) = (revision.day, revision.allWords)
    guard words.all.contains(where: { $0.isOfPart(of: day) }) else { return }
    for (group, figure) in Fold(words).figures
    where figure.words.allSatisfy({ $0.isOfPart(of: day) }) {
      let read = figure.words.lazy.map(\.readAt).max() ?? figure.capturedAt
      let capture = Capture(day.local(read), on: day.date)
      for metric in group.metrics where revision.readings[metric] != nil {
        captures[metric] = capture
      }
    }
    let hasNumber = revision.readings.hasNumber
    numbered = DailyMetric.inOrder.filter { metric in
      guard captures[metric] == nil || !metric.isLevel else { return false }
      return hasNumber ? revision.reading(of: metric).number != nil : captures[metric] != nil
    }
    captures = captures.filter { numbered.contains($0.key) }
  }

  package var isEmpty: Bool { captures.isEmpty }

  /// Whether the day has no number of the whole day beside them.
  package var areAll: Bool { !isEmpty && captures.count == numbered.count }

  package subscript(metric: DailyMetric) -> Capture? { captures[metric] }

  /// `captured at 08:00`, with the names of the metrics if only some numbers are of a part; nil if none is.
  package var words: String? { words(of: numbered) }

  /// The same of the numbers of some metrics.
  package func words(of metrics: [DailyMetric]) -> String? {
    let shown = metrics.filter(numbered.contains)
    let partial = shown.filter { captures[$0] != nil }
    let moments = partial.compactMap { captures[$0] }
    guard let first = moments.min(), let last = moments.max() else { return nil }
    let words =
      first.clock == last.clock ? last.words : "captured from \(first.clock) to \(last.clock)"
    return partial.count == shown.count
      ? words : partial.told.map(\.label).joined(separator: ", ") + " " + words
  }
}

extension Word {
  /// Whether it was read before the end of the day's date in its zone.
  fileprivate func isOfPart(of day: ReportingDay) -> Bool {
    guard zone != day.timeZoneName,
      let own = try? ReportingDay(date: day.date, timeZoneName: zone)
    else { return !day.isOver(at: readAt) }
    return !own.isOver(at: readAt)
  }
}

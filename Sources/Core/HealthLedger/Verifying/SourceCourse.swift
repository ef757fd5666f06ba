package import HealthModel

/// What each source has said of the days of a range, told day by day: so it is seen which has fallen silent
/// (R35). Days with the numbers of others hide that.
package struct SourceCourse: Sendable {
  /// A source that used to speak each day and speaks no more.
  package struct Silence: Hashable, Sendable {
    package let source: DataSource
    /// The last date of which it has a number.
    package let last: CalendarDate
    /// The metrics that it used to have, and of which nobody has had a number since.
    package let metrics: [DailyMetric]

    /// For people.
    package var words: String {
      "\(source.rawValue) had numbers of each day until \(last), and has none since; nor has anybody of "
        + metrics.map(\.rawValue).joined(separator: ", ")
    }
  }

  private struct Heard: Sendable {
    var first: CalendarDate
    var last: CalendarDate
    var end: Timestamp
    /// Those of the last day of the last run that was long enough.
    var usual: Set<DailyMetric> = []
  }

  /// So many days in a row are each day, and so many without a word are silence.
  package static let days = 7
  /// A source whose last word is longer ago has been given up.
  package static let reach = 60

  private var heard: [DataSource: Heard] = [:]
  /// The last date with a number of it.
  private var dates: [DailyMetric: CalendarDate] = [:]

  package init() {}

  /// Adds the next day; the days come in their order.
  package mutating func add(_ revision: DailyRevision) {
    for metric in revision.readings.numbers.keys { dates[metric] = revision.date }
    var said: [DataSource: Set<DailyMetric>] = [:]
    for word in revision.allWords.all where word.hasNumber {
      let numbers = zip(word.group.metrics, word.readings).filter { $1.number != nil }.map(\.0)
      said[word.source, default: []].formUnion(numbers)
    }
    for (source, metrics) in said {
      let end = revision.day.end.timestamp
      var course = heard[source] ?? Heard(first: revision.date, last: revision.date, end: end)
      let pause = course.last.days(until: revision.date)
      if pause > 1 { course.first = revision.date }
      // What has once come back from silence has no days any more that it must keep to.
      if pause > Self.days { course.usual = [] }
      (course.last, course.end) = (revision.date, end)
      if course.first.days(until: course.last) >= Self.days - 1 { course.usual = metrics }
      heard[source] = course
    }
  }

  /// The sources that are silent at a moment, in the order of their names.
  package func silences(at now: Timestamp) -> [Silence] {
    heard.sorted { $0.key < $1.key }.compactMap { source, course in
      let seconds = now.secondsSince1970 - course.end.secondsSince1970
      guard (Self.days * 86_400..<Self.reach * 86_400).contains(seconds) else { return nil }
      let gone = DailyMetric.inOrder.filter { metric in
        course.usual.contains(metric) && dates[metric].map { $0 <= course.last } ?? true
      }
      return gone.isEmpty ? nil : Silence(source: source, last: course.last, metrics: gone.told)
    }
  }
}

/// The numbers of a day that are of a part of it (R33): each is shown with the moments that it has, and counts in
/// no mean. Levels are not: a weight is one whenever it is taken. Where the day has no number at all, the reasons
/// for that are judged alike.
package struct PartialNumbers: Hashable, Sendable {
  /// The part of its span that a number is of, by the clocks of the day's zone.
  package struct Part: Hashable, Sendable, CustomStringConvertible {
    /// The first moment; nil where it begins with the span.
    package let from: ReportingDay.LocalMoment?
    /// The first moment that it does not have; nil where it reaches the end.
    package let to: ReportingDay.LocalMoment?
    fileprivate let date: CalendarDate

    fileprivate init(
      from: ReportingDay.LocalMoment?, to: ReportingDay.LocalMoment?, on date: CalendarDate
    ) {
      (self.from, self.to, self.date) = (from, to, date)
    }

    /// The part that a figure has; nil where it has all of the span. Of parts with a gap between them it is
    /// the first.
    fileprivate init?(_ figure: Fold.Figure, of day: ReportingDay) {
      guard let first = figure.words.first else { return nil }
      var last = first
      for word in figure.words.dropFirst() where word.extent.from == last.extent.to { last = word }
      // Sleep does not begin at 18:00: a night is whole although its source has nothing of its beginning.
      let from = figure.group.isOfNight ? nil : first.extent.from
      // What was captured before the day began has nothing of it.
      let to = last.extent.to.map { min($0, last.capturedAt) }
      guard from != nil || to != nil else { return nil }
      self.init(from: from.map(day.local), to: to.map(day.local), on: day.date)
    }

    /// Reads it from its text; nil if the text has another form.
    package init?(_ text: String, on date: CalendarDate) {
      let ends = text.split(separator: "/", omittingEmptySubsequences: false)
      let (from, to) = (ends.count == 2 ? ends[0] : nil, ends[ends.count - 1])
      let (first, last) = (
        from.flatMap { ReportingDay.LocalMoment($0) }, ReportingDay.LocalMoment(to)
      )
      let isOpen = from != nil && to == ".."
      guard ends.count <= 2, (from == nil) == (first == nil), last != nil || isOpen else {
        return nil
      }
      self.init(from: first, to: last, on: date)
    }

    /// The moment to which it reaches; for one that begins late an interval, open if it reaches the end.
    package var description: String {
      let end = to.map { "\($0)" } ?? ".."
      return from.map { "\($0)/\(end)" } ?? end
    }

    /// `captured at 08:00`, `from 23:50`.
    package var words: String {
      let end = to.map(clock)
      guard let from = from.map(clock) else { return "captured at \(end ?? "")" }
      return "from \(from)" + (end.map { " to \($0)" } ?? "")
    }

    /// With the date if it is not that of the day.
    private func clock(_ moment: ReportingDay.LocalMoment) -> String {
      let own = moment.localDate
      return own == date ? moment.clock : "\(own) \(moment.clock)"
    }

    /// Of several numbers that begin with the day: `captured from 08:00 to 12:30`.
    fileprivate static func words(ofHeads parts: [Part]) -> String? {
      let ends = parts.compactMap { part in part.to.map { (part, $0) } }
        .sorted { $0.1.timestamp < $1.1.timestamp }
      guard let (first, start) = ends.first, let (last, end) = ends.last else { return nil }
      let (from, to) = (first.clock(start), last.clock(end))
      return from == to ? last.words : "captured from \(from) to \(to)"
    }
  }

  package private(set) var parts: [DailyMetric: Part] = [:]
  /// The metrics of which the day has a number, in order, without levels of a part.
  private var numbered: [DailyMetric] = []

  /// None.
  package init() {}

  package init(_ revision: DailyRevision) {
    let (day, words) = (revision.day, revision.allWords)
    guard words.all.contains(where: { $0.extent != .whole }) else { return }
    for (group, figure) in Fold(words).figures {
      guard let part = Part(figure, of: day) else { continue }
      for metric in group.metrics where revision.readings[metric] != nil { parts[metric] = part }
    }
    let hasNumber = revision.readings.hasNumber
    numbered = DailyMetric.inOrder.filter { metric in
      guard parts[metric] == nil || !metric.isLevel else { return false }
      return hasNumber ? revision.reading(of: metric).number != nil : parts[metric] != nil
    }
    parts = parts.filter { numbered.contains($0.key) }
  }

  package var isEmpty: Bool { parts.isEmpty }

  /// Whether the day has no number of the whole day beside them.
  package var areAll: Bool { !isEmpty && parts.count == numbered.count }

  package subscript(metric: DailyMetric) -> Part? { parts[metric] }

  /// Of some metrics' numbers the part that reaches furthest; one that reaches the end where all do.
  package func furthest(of metrics: [DailyMetric] = DailyMetric.inOrder) -> Part? {
    let own = metrics.compactMap { parts[$0] }
    let ends = own.compactMap { part in part.to.map { (part, $0.timestamp) } }
    if let furthest = ends.max(by: { $0.1 < $1.1 }) { return furthest.0 }
    let starts = own.compactMap { part in part.from.map { (part, $0.timestamp) } }
    return starts.min { $0.1 < $1.1 }?.0
  }

  /// `captured at 08:00`, with the names of the metrics if only some numbers are of a part; nil if none is.
  package var words: String? { words(of: numbered) }

  /// The same of the numbers of some metrics.
  package func words(of metrics: [DailyMetric]) -> String? {
    let shown = metrics.filter(numbered.contains)
    let partial = shown.filter { parts[$0] != nil }
    let all = partial.compactMap { parts[$0] }
    func named(_ metrics: [DailyMetric], _ words: String) -> String {
      metrics.count == shown.count
        ? words : metrics.told.map(\.label).joined(separator: ", ") + " " + words
    }
    if all.allSatisfy({ $0.from == nil }) {
      return Part.words(ofHeads: all).map { named(partial, $0) }
    }
    let said = Dictionary(grouping: partial) { parts[$0]?.words ?? "" }
    return said.map { named($1, $0) }.sorted().joined(separator: "; ")
  }
}

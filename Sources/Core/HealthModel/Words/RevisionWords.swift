extension DailyRevision {
  /// What the sources have said; of a document that does not name them, its numbers.
  package var allWords: DayWords {
    guard words.isEmpty else { return words }
    let moment = min(capturedAt ?? generatedAt, generatedAt)
    return DayWords(unnamedWords(covering: speaksOf, at: moment))
  }

  /// Whether it has all that was said of the day before it, although it names no parent: a document of an older
  /// version that does not name one. A derived day took the numbers of the revisions below it in, so these have
  /// to be read again.
  package var standsAlone: Bool { words.isEmpty && parent == nil && !isDerived }

  /// Takes the words of a document.
  mutating func takeWords(
    of members: [String: JSONValue], into reader: inout DocumentReader
  ) {
    guard let value = members["sources"] else {
      speaksOf = Self.coverage(of: members)
      return
    }
    // Of what its sources have not said, the document says nothing.
    speaksOf = []
    let version = value["fold"]?.numberValue.flatMap(Int.init(exactly:))
    // What a later version writes may have a form that this one does not know, and is not replaced all the same.
    foldVersion = version ?? Fold.version
    guard version != nil, let words = DayWords(value, beside: self) else {
      reader.note(
        "R20", .badSources, at: "/sources",
        "the words of the sources do not have the form of the format's", hides: false)
      return
    }
    self.words = words
    seen = value["seen"]?.numberValue.flatMap(Int.init(exactly:))
    guard foldVersion == Fold.version else { return }
    var differing = figuresBesidesWords
    if let first = differing.first {
      reader.note(
        "R20", .figuresDiffer, at: "/metrics/\(first.rawValue)",
        "the sources give \(Fold(words).reading(of: first).text), not \(reading(of: first).text)")
    }
    // A number that stands for a word as well may have been changed with it.
    if members[DocumentDigest.name] == nil { differing = DailyMetric.allCases }
    guard !differing.isEmpty else { return }
    // Whoever changed them did so after the sources had spoken.
    for word in unnamedWords(covering: [], at: min(generatedAt.adding(seconds: 1), .last))
    where word.group.metrics.contains(where: differing.contains) {
      self.words.join(word)
    }
  }

  /// The metrics of which the document shows something else than its sources say.
  private var figuresBesidesWords: [DailyMetric] {
    let figures = Fold(words).readings
    return DailyMetric.allCases.filter {
      let (shown, said) = (reading(of: $0), figures[$0] ?? .noData)
      return shown != said && (shown.number != nil || said.number != nil)
    }
  }

  /// The numbers as words of the deriver, or of nobody known. A missing number says nothing unless the
  /// document speaks of the metric.
  private func unnamedWords(
    covering metrics: Set<DailyMetric>?, at moment: Timestamp
  ) -> [Word] {
    let metrics = metrics ?? Set(DailyMetric.allCases)
    let spans = DaySpans(day)
    return WordGroup.all.compactMap { group in
      let readings = group.metrics.map { reading(of: $0) }
      let isSaid = readings.contains { $0.number != nil } || metrics.contains(group.first)
      guard isSaid else { return nil }
      let span = spans.span(of: group)
      return Word(
        isDerived ? .streams : .unknown, group, readings, zone: day.timeZoneName,
        extent: WordExtent(of: span, in: span, capturedAt: moment), capturedAt: moment)
    }
  }

  /// Of what a document without sources speaks: `covers`, of older versions; nil for everything.
  private static func coverage(of members: [String: JSONValue]) -> Set<DailyMetric>? {
    guard let keys = members["covers"]?.arrayValue else { return nil }
    return Set(keys.lazy.compactMap { $0.stringValue.flatMap(DailyMetric.named) })
  }
}

extension MetricReading {
  fileprivate var text: String { number.map { "\($0.grouped)" } ?? status.rawValue }
}

/// What the sources of a day say of one of its metrics (R20), for people and for agents (R51).
package struct MetricSources: Hashable, Sendable {
  package let metric: DailyMetric
  /// The words that the day shows: several where parts of the day add up.
  package let shown: [Word]
  /// The others that have a number, or a reason for none, the latest first.
  package let others: [Word]
}

extension DailyRevision {
  /// Of each metric of which a source has a number, in the order of `DailyMetric.inOrder`.
  package var metricSources: [MetricSources] {
    let words = allWords
    let (sorted, figures) = (words.sorted, Fold(words).figures)
    return DailyMetric.inOrder.compactMap { metric in
      let group = WordGroup(of: metric)
      guard readings[metric] != nil, let figure = figures[group] else { return nil }
      let others = sorted.filter { $0.group == group && !figure.words.contains($0) }
        .sorted { $0.capturedAt > $1.capturedAt }
      // Of a metric of which nobody has a number there is nothing to explain.
      guard (figure.words + others).contains(where: { $0.reading(of: metric).number != nil }) else {
        return nil
      }
      return MetricSources(metric: metric, shown: figure.words, others: others)
    }
  }
}

extension Word {
  /// What of a day, or of the night before it, the source could see, by the clock of the day's zone, and when
  /// it was read.
  package func seen(on day: ReportingDay) -> String {
    let span = group.isOfNight ? "the night" : "the day"
    let part =
      switch (extent.from, extent.to) {
      case (nil, nil): "all of \(span)"
      case (nil, let to?): "\(span) until \(day.clock(to))"
      case (let from?, nil): "\(span) from \(day.clock(from))"
      case (let from?, let to?): "\(day.clock(from)) to \(day.clock(to))"
      }
    return "\(part)\(zone == day.timeZoneName ? "" : " in \(zone)"), read \(capturedAt)"
  }
}

/// The moments of a day, and of the night that ends on it; seconds since 1970.
package struct DaySpans: Hashable, Sendable {
  package let day: Range<Int>
  package let night: Range<Int>

  package init(_ day: ReportingDay) {
    let (start, end) = (day.start.timestamp.secondsSince1970, day.end.timestamp.secondsSince1970)
    self.day = start..<max(start, end)
    // A zone that this machine does not know has an evening as well.
    night =
      (try? DayWindow(day.date, in: day.timeZoneName))?.night
      ?? (start - 6 * 3600)..<max(start, end - 6 * 3600)
  }

  /// Those of a date in another zone; nil where this machine does not know it.
  package init?(_ date: CalendarDate, in zone: String) {
    guard let day = try? ReportingDay(date: date, timeZoneName: zone) else { return nil }
    self.init(day)
  }

  package func span(of group: WordGroup) -> Range<Int> { group.isOfNight ? night : day }
}

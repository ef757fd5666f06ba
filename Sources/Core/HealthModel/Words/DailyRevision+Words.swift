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
    // Whoever changed them did so after the sources had spoken.
    for word in unnamedWords(covering: [], at: min(generatedAt.adding(seconds: 1), .last))
    where word.group.metrics.contains(where: differing.contains) {
      self.words.join(word)
    }
  }

  /// The metrics of which the document shows something else than its sources say.
  private var figuresBesidesWords: [DailyMetric] {
    let fold = Fold(words)
    return DailyMetric.allCases.filter {
      let (shown, said) = (reading(of: $0), fold.reading(of: $0))
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

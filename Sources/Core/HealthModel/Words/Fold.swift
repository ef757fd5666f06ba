/// The figures of a day: a function of what its sources say and of nothing else (R20). Pure.
package struct Fold: Sendable {
  /// Raised whenever equal words would give other figures.
  package static let version = 1

  /// The number, or the reason for none, of one group.
  package struct Figure: Hashable, Sendable {
    package let group: WordGroup
    /// One for each of the group's metrics.
    package let readings: [MetricReading]
    /// The words that it is made of: several where parts of a day add up.
    package let words: [Word]

    package var source: DataSource { words[0].source }
    package var capturedAt: Timestamp { words.lazy.map(\.capturedAt).max() ?? words[0].capturedAt }
    /// Whether it is of the whole day, captured after its end, by a source that reads everything.
    package var isComplete: Bool { seconds == .max && words.allSatisfy(\.readsAll) }

    var hasNumber: Bool { readings.contains { $0.number != nil } }
    var number: Double { readings[0].number ?? -1 }
  }

  /// The word that gives the day its zone; nil if nobody says anything.
  package let zoneWord: Word?
  /// The zone whose day it is.
  package var zone: String? { zoneWord?.zone }
  /// By the groups of which anybody says something.
  package let figures: [WordGroup: Figure]

  package init(_ words: DayWords) {
    zoneWord = Self.zoneWord(of: words.all)
    let zone = zoneWord?.zone
    var figures: [WordGroup: Figure] = [:]
    for (group, said) in Dictionary(grouping: words.all, by: \.group) {
      figures[group] = zone.flatMap { Self.figure(of: group, said, in: $0) }
    }
    self.figures = figures
  }

  /// The reading of a metric; no data where nobody says anything.
  package func reading(of metric: DailyMetric) -> MetricReading {
    let group = WordGroup(of: metric)
    guard let figure = figures[group], let place = group.metrics.firstIndex(of: metric) else {
      return .noData
    }
    return figure.readings[place]
  }

  /// Of every metric of which anybody says something.
  package var readings: [DailyMetric: MetricReading] {
    var readings: [DailyMetric: MetricReading] = [:]
    for (group, figure) in figures {
      for (metric, reading) in zip(group.metrics, figure.readings) { readings[metric] = reading }
    }
    return readings
  }

  /// A zone that was set comes before one that was not, an authority's before others', a later one
  /// before an earlier.
  private static func zoneWord(of words: some Sequence<Word>) -> Word? {
    func rank(_ word: Word) -> (Int, Int, Timestamp, Int) {
      let isSet = word.isZoneSet ? 1 : 0
      return (isSet, word.isAuthority ? isSet : 0, word.capturedAt, word.again)
    }
    return words.max { a, b in
      rank(a) == rank(b)
        ? a.zone.utf8.lexicographicallyPrecedes(b.zone.utf8) : rank(a) < rank(b)
    }
  }

  private static func figure(of group: WordGroup, _ said: [Word], in zone: String) -> Figure? {
    let standing = said.filter { word in !said.contains { $0.ends(word) } }
    let zones = Dictionary(grouping: standing, by: \.zone).mapValues { words in
      Dictionary(grouping: words, by: \.source)
        .compactMap { figure(of: group, ofOneSource: $0.value) }
    }
    // Another zone's day is another day: its numbers count only where this one has none, or none of all of the
    // day and the other one has.
    var figures = zones[zone] ?? zoneWord(of: standing).flatMap { zones[$0.zone] } ?? []
    if zones[zone] != nil, !figures.contains(where: \.isComplete) {
      figures += zones.filter { $0.key != zone }.values.joined().filter(\.isComplete)
    }
    let numbers = figures.filter(\.hasNumber)
    let candidates = (numbers.isEmpty ? figures : numbers).sorted { a, b in
      a.source == b.source
        ? a.words[0].zone.utf8.lexicographicallyPrecedes(b.words[0].zone.utf8)
        : a.source < b.source
    }
    return group.growsWithTheDay && !numbers.isEmpty
      ? greatest(candidates) : best(candidates)
  }

  /// Of parts that do not overlap, the sum; else the greatest. Of what does not add up, the widest, then
  /// the latest.
  private static func figure(of group: WordGroup, ofOneSource words: [Word]) -> Figure? {
    let numbers = words.filter(\.hasNumber)
    guard group.addsUp, !numbers.isEmpty else {
      return (numbers.isEmpty ? words : numbers).map { Figure($0) }
        .max { a, b in b.isBetter(than: a) }
    }
    var best: Figure?
    for chosen in 1..<(1 << numbers.count) {
      let parts = numbers.indices.filter { chosen >> $0 & 1 == 1 }.map { numbers[$0] }
        .sorted { a, b in a.extent.precedes(b.extent) }
      guard zip(parts, parts.dropFirst()).allSatisfy({ $0.extent.precedes($1.extent) }) else {
        continue
      }
      let figure = Figure(parts)
      if best.map({ figure.isBetter(than: $0) }) ?? true { best = figure }
    }
    return best
  }

  /// The latest that is complete, or one that has more and was captured later: data that reached the
  /// phone late. Without a complete one, the greatest has the most of the day.
  private static func greatest(_ figures: [Figure]) -> Figure? {
    var best = latest(figures.filter(\.isComplete))
    let base = best
    for figure in figures {
      guard let base else {
        if best.map({ figure.number > $0.number }) ?? true { best = figure }
        continue
      }
      if !figure.isComplete, figure.capturedAt > base.capturedAt,
        figure.number > (best?.number ?? base.number)
      {
        best = figure
      }
    }
    return best
  }

  /// The size of a mean does not show how much of the day it has, so who has all of it comes first.
  private static func best(_ figures: [Figure]) -> Figure? {
    if let figure = latest(figures.filter(\.isComplete)) { return figure }
    var best: Figure?
    for figure in figures where best.map({ figure.isWider(than: $0) }) ?? true { best = figure }
    return best
  }

  /// The first of those that were captured last.
  private static func latest(_ figures: [Figure]) -> Figure? {
    var latest: Figure?
    for figure in figures where latest.map({ figure.capturedAt > $0.capturedAt }) ?? true {
      latest = figure
    }
    return latest
  }
}

extension Fold.Figure {
  fileprivate init(_ word: Word) {
    self.init(group: word.group, readings: word.readings, words: [word])
  }

  /// The sum of parts that follow one another.
  fileprivate init(_ parts: [Word]) {
    guard parts.count > 1 else {
      self.init(parts[0])
      return
    }
    let readings = parts[0].group.metrics.indices.map { place in
      let numbers = parts.compactMap { $0.readings[place].number }
      return numbers.isEmpty
        ? parts[0].readings[place]
        : .value(parts[0].group.metrics[place].rounded(numbers.reduce(0, +)))
    }
    self.init(group: parts[0].group, readings: readings, words: parts)
  }

  /// How much of the day it has.
  fileprivate var seconds: Int {
    isGapless && words[0].extent.from == nil && words[words.count - 1].extent.to == nil
      ? .max : words.reduce(0) { $0 + min($1.extent.seconds, 1 << 40) }
  }

  private var isGapless: Bool {
    zip(words, words.dropFirst()).allSatisfy { $0.extent.to == $1.extent.from }
  }

  /// Whether it has more of the day, or as much and was captured later.
  fileprivate func isWider(than other: Self) -> Bool {
    seconds == other.seconds ? capturedAt > other.capturedAt : seconds > other.seconds
  }

  /// The order of one source's figures; total, so that the order in which they are found is nothing.
  fileprivate func isBetter(than other: Self) -> Bool {
    if group.addsUp, number != other.number { return number > other.number }
    if group.addsUp, words.count != other.words.count { return words.count < other.words.count }
    if isWider(than: other) != other.isWider(than: self) { return isWider(than: other) }
    for (mine, theirs) in zip(words, other.words) where mine.weight(theirs) != 0 {
      return mine.weight(theirs) > 0
    }
    return words[0].extent.place < other.words[0].extent.place
  }
}

/// All that the sources say of one day (R20). Pure.
///
/// Joining is commutative, associative and idempotent: whoever joins the same words, in whatever order,
/// has the same.
package struct DayWords: Hashable, Sendable {
  private var registers: [Word.Register: Word] = [:]
  private var undoneRuns = UndoneRuns()

  package init() {}

  package init(_ words: some Sequence<Word>, undone: [RunID: Int] = [:]) {
    undoneRuns = UndoneRuns(undone)
    for word in words { join(word) }
  }

  package var isEmpty: Bool { registers.isEmpty && undoneRuns.isEmpty }
  package var count: Int { registers.count + withdrawn.count }

  /// Those of which figures are made, in no order.
  package var all: some Collection<Word> { registers.values }

  /// Those of undone runs, in no order.
  package var withdrawn: some Collection<Word> { undoneRuns.words }

  /// How often each run was undone or, after that, taken back.
  package var undone: [RunID: Int] { undoneRuns.times }

  package func isUndone(_ run: RunID?) -> Bool { undoneRuns.contains(run) }

  /// In canonical order.
  package var sorted: [Word] {
    registers.values.sorted { a, b in
      if a.source != b.source { return a.source < b.source }
      if a.group != b.group { return a.group < b.group }
      if a.zone != b.zone { return a.zone.utf8.lexicographicallyPrecedes(b.zone.utf8) }
      return a.extent.place < b.extent.place
    }
  }

  package mutating func join(_ word: Word) {
    if undoneRuns.take(word) { return }
    let register = word.register
    if let standing = registers[register], !word.outranks(standing) { return }
    registers[register] = word
  }

  package mutating func join(_ other: DayWords) {
    if undone != other.undone {
      self = DayWords(
        Array(registers.values) + withdrawn,
        undone: undone.merging(other.undone, uniquingKeysWith: max))
    }
    for word in other.registers.values { join(word) }
    for word in other.withdrawn { join(word) }
  }

  package func joined(_ other: DayWords) -> DayWords {
    var joined = self
    joined.join(other)
    return joined
  }

  /// Whether some of these words hid others that count where `later` says which runs are undone: what they hid
  /// is in older revisions.
  package func hide(under later: DayWords) -> Bool {
    !later.undone.isEmpty && registers.values.contains { later.isUndone($0.run) }
  }

  /// The word that stands where this one would.
  package func standing(_ word: Word) -> Word? { registers[word.register] }

  /// The run that has said what a word repeats.
  package func run(repeatedBy word: Word) -> RunID? {
    standing(word).flatMap { word.repeats($0) ? $0.run : nil }
  }

  /// Those of some words that say something new (R20). What a source says again for the same part of the
  /// day is left out, so a file that is written every five minutes with equal numbers makes no revision.
  /// An authority's word counts all the same if it would change a figure.
  package func news(_ words: [Word]) -> [Word] {
    let mayHaveMoved =
      Set(registers.keys.lazy.map(\.zone)).count > 1
      || registers.values.contains(where: \.isOfPartByAuthority)
    var before: Fold?
    var after: Fold?
    return words.filter { word in
      if isUndone(word.run) || undoneRun(saying: word) != nil { return false }
      guard let standing = standing(word), word.repeats(standing) else { return true }
      if mayHaveMoved, movedOn(standing, before: word) { return true }
      guard word.isAuthority, word.outranks(standing) else { return false }
      let (old, new) = (before ?? Fold(self), after ?? Fold(joined(DayWords(words))))
      (before, after) = (old, new)
      return word.group.metrics.contains { old.reading(of: $0) != new.reading(of: $0) }
    }
  }

  /// Whether the word's source has since said another zone's day of the group, or insisted on a part of it.
  private func movedOn(_ standing: Word, before word: Word) -> Bool {
    registers.contains { register, other in
      register.source == standing.source && register.group == standing.group
        && (register.zone != standing.zone || other.isOfPartByAuthority)
        && other.said > standing.said && other.said < word.said
    }
  }

  /// A number that is equal for equal words, and for few others.
  package var sketch: Int {
    registers.values.reduce(into: registers.count) { sum, word in
      let number = Int(truncatingIfNeeded: word.number?.bitPattern ?? 0)
      sum &+= (number ^ word.capturedAt.secondsSince1970) &* 0x9E37_79B9
    }
  }

  /// The undone run that has said the same of the same moment.
  package func undoneRun(saying word: Word) -> RunID? { undoneRuns.run(saying: word) }

  /// Those that fulfil a condition. Those of undone runs stay.
  package func filter(_ isKept: (Word) -> Bool) -> DayWords {
    var kept = self
    kept.registers = registers.filter { isKept($0.value) }
    return kept
  }

  /// Without those of undone runs.
  package var withoutWithdrawn: DayWords {
    var kept = self
    kept.undoneRuns = UndoneRuns(undone)
    return kept
  }

  /// Whether both say the same, whichever of two equal runs said it.
  package func says(sameAs other: DayWords) -> Bool {
    self == other
      || undoneRuns == other.undoneRuns && count == other.count
        && registers.allSatisfy { other.registers[$0].map($1.isSame(as:)) ?? false }
  }

  /// Each word that figures are made of without its moments and its run (R21).
  var withoutMoments: DayWords {
    var bare = DayWords(registers.values.map(\.withoutMoments))
    bare.undoneRuns = undoneRuns
    return bare
  }
}

extension DayWords: CustomStringConvertible {
  package var description: String {
    sorted.prefix(8).map(\.description).joined(separator: "; ")
      + (count > 8 ? "; \(count - 8) more" : "")
  }
}

extension Word: CustomStringConvertible {
  package var description: String {
    let said = readings.map { $0.number.map { "\($0)" } ?? $0.status.rawValue }.joined(
      separator: "/")
    return
      "\(source.rawValue) \(group.first.rawValue) \(said) [\(extent.from.map { "\($0)" } ?? "") "
      + "\(extent.to.map { "\($0)" } ?? "")) at \(capturedAt) in \(zone)\(isAuthority ? " !" : "")"
  }
}

/// The member `sources` of a document (SPEC.md, "sources"): the words grouped by what they have in common, and
/// no number twice.
extension DayWords {
  /// What the words of one entry have in common.
  private struct Entry: Hashable {
    let source: DataSource
    let zone: String
    let isZoneSet: Bool
    let from: Timestamp?
    let to: Timestamp?
    let capturedAt: Timestamp
    let again: Int
    let isAuthority: Bool
    let readsAll: Bool
    let run: RunID?

    init(_ word: Word) {
      (source, zone, isZoneSet) = (word.source, word.zone, word.isZoneSet)
      (from, to, capturedAt) = (word.extent.from, word.extent.to, word.capturedAt)
      again = word.again
      (isAuthority, readsAll, run) = (word.isAuthority, word.readsAll, word.run)
    }

    /// The members that tell it apart, those left out that are as the document's own.
    func members(of revision: DailyRevision) -> [String: JSONValue] {
      var members: [String: JSONValue] = ["source": .string(source.rawValue)]
      if zone != revision.day.timeZoneName { members["timezone"] = .string(zone) }
      if capturedAt != revision.wordsCapturedAt {
        members["captured_at"] = .string(capturedAt.description)
      }
      members["from"] = from.map { .string($0.description) }
      members["to"] = to.map { .string($0.description) }
      if again > 0 { members["again"] = .number(Double(again)) }
      if isZoneSet { members["timezone_set"] = .bool(true) }
      if isAuthority { members["authority"] = .bool(true) }
      if !readsAll { members["loose"] = .bool(true) }
      members["run"] = run.map { .string($0.rawValue) }
      return members
    }

    /// The order of entries: by source, then by what else there is.
    func precedes(_ other: Entry) -> Bool {
      func key(_ entry: Entry) -> [String] {
        [
          entry.source.rawValue, entry.zone, entry.capturedAt.description,
          entry.from?.description ?? "", entry.to?.description ?? "",
          "\(entry.isAuthority)\(entry.isZoneSet)\(entry.readsAll)", "\(entry.again)",
          entry.run?.rawValue ?? "",
        ]
      }
      return key(self).lexicographicallyPrecedes(key(other))
    }
  }

  /// The member; nil if nobody has said anything.
  func encoded(beside revision: DailyRevision) -> JSONValue? {
    guard !isEmpty else { return nil }
    let entries = Dictionary(grouping: Array(all) + withdrawn, by: Entry.init)
      .sorted { $0.key.precedes($1.key) }
    let isAlone = entries.count == 1
    var members: [String: JSONValue] = [
      "fold": .number(Double(Fold.version)),
      "words": .array(
        entries.map { entry, words in
          var members = entry.members(of: revision)
          Self.encode(words, isAlone: isAlone, beside: revision, into: &members)
          return .object(members)
        }),
    ]
    members["seen"] = revision.seen.map { .number(Double($0)) }
    members["undone"] = undoneRuns.encoded
    return .object(members)
  }

  private static func encode(
    _ words: [Word], isAlone: Bool, beside revision: DailyRevision,
    into members: inout [String: JSONValue]
  ) {
    var (shown, values): (Set<DailyMetric>, [String: JSONValue]) = ([], [:])
    var none: [MetricStatus: [DailyMetric]] = [:]
    for word in words {
      let metrics = word.group.metrics
      guard word.hasNumber else {
        for (metric, reading) in zip(metrics, word.readings) {
          if metric == word.group.first || reading != .noData {
            none[reading.status, default: []].append(metric)
          }
        }
        continue
      }
      if zip(metrics, word.readings).allSatisfy({ revision.reading(of: $0) == $1 }) {
        shown.insert(word.group.first)
        continue
      }
      for (metric, reading) in zip(metrics, word.readings) {
        if let number = reading.number {
          values[metric.rawValue] = .number(number)
        } else if reading != .noData {
          none[reading.status, default: []].append(metric)
        }
      }
    }
    if !isAlone || !values.isEmpty || shown != Set(revision.numberedGroups) {
      let keys = shown.map(\.rawValue).sorted()
      if !keys.isEmpty || isAlone { members["shown"] = .array(keys.map(JSONValue.string)) }
    }
    if !values.isEmpty { members["values"] = .object(values) }
    // A source that speaks of everything has no data of most of it.
    if words.count == WordGroup.all.count,
      none[.noData, default: []].count > WordGroup.all.count / 2
    {
      none[.noData] = nil
      members["rest"] = .string(MetricStatus.noData.rawValue)
    }
    if !none.isEmpty {
      members["none"] = .object(
        Dictionary(
          uniqueKeysWithValues: none.map { status, metrics in
            (status.rawValue, .array(metrics.map(\.rawValue).sorted().map(JSONValue.string)))
          }))
    }
  }
}

extension DailyRevision {
  /// The moment of the words that do not name their own.
  var wordsCapturedAt: Timestamp { capturedAt ?? generatedAt }

  /// The groups of which the document has a number.
  fileprivate var numberedGroups: some Sequence<DailyMetric> {
    readings.lazy.filter { $0.value.number != nil }.map { WordGroup(of: $0.key).first }
  }
}

extension DayWords {
  /// Reads the member. Nil if it does not have the form; what the catalogue does not have is passed over.
  init?(_ value: JSONValue, beside revision: DailyRevision) {
    guard let entries = value["words"]?.arrayValue, let undone = UndoneRuns(value["undone"])
    else { return nil }
    undoneRuns = undone
    var spans = [revision.day.timeZoneName: DaySpans(revision.day)]
    for entry in entries {
      guard
        let words = Self.words(
          of: entry, isAlone: entries.count == 1, beside: revision, spans: &spans)
      else { return nil }
      let before = count
      for word in words { join(word) }
      // A source has one word of each place, so nothing of what a document says is lost here.
      guard count == before + words.count else { return nil }
    }
  }

  private static func words(
    of entry: JSONValue, isAlone: Bool, beside revision: DailyRevision,
    spans: inout [String: DaySpans]
  ) -> [Word]? {
    guard let source = entry["source"]?.stringValue.flatMap(DataSource.init(rawValue:)) else {
      return nil
    }
    let zone = entry["timezone"].map(\.stringValue) ?? revision.day.timeZoneName
    let flags = ["timezone_set", "authority", "loose"].compactMap { entry[$0] }
    guard let zone, TimeZoneDatabase.hasFormOfName(zone), flags.allSatisfy({ $0 == .bool(true) }),
      entry["rest"].map({ $0 == .string(MetricStatus.noData.rawValue) }) ?? true
    else { return nil }
    func moment(_ key: String) -> Timestamp?? {
      guard let value = entry[key] else { return .some(nil) }
      return value.stringValue.flatMap { Timestamp($0) }.map { .some($0) }
    }
    guard let captured = moment("captured_at"), let from = moment("from"), let to = moment("to"),
      let groups = readings(of: entry, isAlone: isAlone, beside: revision)
    else { return nil }
    // Data is never captured after the revision that holds it (R20).
    let capturedAt = min(captured ?? revision.wordsCapturedAt, revision.generatedAt)
    let days = spans[zone] ?? DaySpans(revision.date, in: zone) ?? DaySpans(revision.day)
    spans[zone] = days
    let again = entry["again"].map { $0.numberValue.flatMap(Int.init(exactly:)) } ?? 0
    guard let again, again >= 0 else { return nil }
    let run = entry["run"].map { $0.stringValue.flatMap(RunID.init(rawValue:)) }
    guard run != .some(nil) else { return nil }
    return groups.map { group, readings in
      var word = Word(
        source, group, readings, zone: zone, isZoneSet: entry["timezone_set"] == .bool(true),
        extent: WordExtent(from: from, to: to, in: days.span(of: group)), capturedAt: capturedAt,
        isAuthority: entry["authority"] == .bool(true), readsAll: entry["loose"] != .bool(true))
      (word.again, word.run) = (again, run ?? nil)
      return word
    }
  }

  /// What an entry says of each group.
  private static func readings(
    of entry: JSONValue, isAlone: Bool, beside revision: DailyRevision
  ) -> [WordGroup: [MetricReading]]? {
    var said: [DailyMetric: MetricReading] = [:]
    func metrics(_ value: JSONValue) -> [DailyMetric]? {
      guard let keys = value.arrayValue?.map(\.stringValue), !keys.contains(nil) else { return nil }
      return keys.lazy.compactMap(\.self).compactMap(DailyMetric.named)
    }
    switch (entry["shown"], entry["values"]) {
    case (let shown?, _):
      guard let shown = metrics(shown) else { return nil }
      for group in Set(shown.map(WordGroup.init(of:))) {
        for metric in group.metrics { said[metric] = revision.reading(of: metric) }
      }
    case (nil, nil) where isAlone:
      for group in Set(
        revision.readings.filter { $0.value.number != nil }.keys.map(WordGroup.init(of:)))
      {
        for metric in group.metrics { said[metric] = revision.reading(of: metric) }
      }
    case (nil, _): break
    }
    if let values = entry["values"] {
      guard let values = values.objectValue else { return nil }
      for (key, value) in values {
        guard let number = value.numberValue, number >= 0 else { return nil }
        if let metric = DailyMetric.named(key) { said[metric] = .value(number) }
      }
    }
    if let none = entry["none"] {
      guard let none = none.objectValue else { return nil }
      for (word, keys) in none {
        guard let reason = MetricStatus(rawValue: word).flatMap(MetricReading.init(reason:)),
          let keys = metrics(keys)
        else { return nil }
        for metric in keys { said[metric] = reason }
      }
    }
    var groups = Set(said.keys.map(WordGroup.init(of:)))
    if entry["rest"] == .string(MetricStatus.noData.rawValue) { groups.formUnion(WordGroup.all) }
    return Dictionary(
      uniqueKeysWithValues: groups.map { group in (group, group.metrics.map { said[$0] ?? .noData })
      })
  }
}

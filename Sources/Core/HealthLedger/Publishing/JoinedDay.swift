package import HealthModel

/// A readable revision of a day, as a writer read it.
struct ReadRevision: Hashable, Sendable {
  let id: RevisionID
  let revision: DailyRevision
  /// Whether it breaks no rule (R41). One that breaks a rule is never up to date.
  let conforms: Bool
}

/// What a writer knows of a day before it publishes.
struct SurveyedDay: Hashable, Sendable {
  /// The newest readable revision that is not damaged.
  var newest: ReadRevision?
  /// The words of all that was read.
  var words = DayWords()
  /// Whether something stands above the newest that has to be replaced: damage, or a pointer that names nothing
  /// readable.
  var isObstructed = false
  /// What damaged revisions above the newest show. None of these numbers is kept.
  var damaged: [RevisionID: [DailyMetric: MetricReading]] = [:]
  /// How many ids the day has, up to the newest.
  var seen = 0
  /// Revisions that can't be read, above those that were.
  var unreadable: [RevisionID] = []

  /// What readers were shown (R30).
  var shown: [DailyMetric: MetricReading]? {
    damaged.max { $0.key < $1.key }?.value ?? newest?.revision.readings
  }

  /// The numbers of a metric that only damaged revisions have.
  func doubtful(_ metric: DailyMetric) -> [Double] {
    damaged.values.compactMap { $0[metric]?.number }
  }
}

/// A draft joined with what the day's sources have said: the decision of R20. Pure.
struct JoinedDay: Hashable, Sendable {
  let draft: DayDraft
  let surveyed: SurveyedDay
  /// What the day says with the draft in it.
  private(set) var words: DayWords
  /// The figures of the words, in the zone that they give.
  let day: ReportingDay
  let readings: [DailyMetric: MetricReading]
  let unknownMembers: [String: JSONValue]
  /// Whether the draft has no word for this day, as where it might take something back and finds nothing.
  let saysNothing: Bool
  /// The groups of which the day shows what the draft says, or a sum with it.
  private let shown: Set<WordGroup>

  init(_ draft: DayDraft, over surveyed: SurveyedDay) {
    (self.draft, self.surveyed) = (draft, surveyed)
    let before = draft.leaves.isEmpty ? nil : Fold(surveyed.words)
    let said = draft.words.compactMap { word in
      before.map { word.completed(draft.leaves, $0) } ?? word
    }
    let mine = (said + draft.retractions(of: surveyed.words)).map { word in
      var word = word
      word.run = draft.run
      return word
    }
    saysNothing = mine.isEmpty
    let words = surveyed.words.joined(DayWords(surveyed.words.news(mine)))
    let fold = Fold(words)
    readings = fold.readings.documented
    shown = Set(
      said.lazy.filter { word in
        fold.figures[word.group]?.words.contains {
          $0.register == word.register && $0.readings == word.readings
        } ?? false
      }.map(\.group))
    let newest = surveyed.newest?.revision
    let zone = fold.zone ?? newest?.day.timeZoneName ?? draft.day.timeZoneName
    day =
      if zone == draft.day.timeZoneName {
        draft.day
      } else if let newest, newest.day.timeZoneName == zone {
        newest.day
      } else {
        (try? ReportingDay(date: draft.day.date, timeZoneName: zone)) ?? draft.day
      }
    unknownMembers = (newest?.unknownMembers ?? [:]).laid(under: draft.unknownMembers)
    self.words = words
    if words.count > Self.mostWordsUncounted { leaveOutWords(fold) }
  }

  /// So many words always fit.
  private static let mostWordsUncounted = 80

  /// Where the document would be too large, leaves out words that no figure needs: those that were ended, then
  /// those of other zones, then all that are not shown. None of them changes a figure or the zone.
  private mutating func leaveOutWords(_ fold: Fold) {
    let used = Set(fold.figures.values.flatMap(\.words) + [fold.zoneWord].compactMap(\.self))
    let zone = day.timeZoneName
    let rivals = Dictionary(grouping: words.all, by: \.group)
    if revision(at: draft.capturedAt).encoded.count > DailyRevision.maximumBytes {
      words = words.withoutWithdrawn
    }
    let kept: [(Word) -> Bool] = [
      { word in !(rivals[word.group] ?? []).contains { $0.ends(word) } },
      { used.contains($0) || $0.zone == zone },
      { used.contains($0) },
    ]
    for isKept in kept
    where revision(at: draft.capturedAt).encoded.count > DailyRevision.maximumBytes {
      let fewer = words.filter(isKept)
      let same = Fold(fewer)
      if same.zone == fold.zone, same.readings.documented == readings { words = fewer }
    }
  }

  /// Whether the newest revision has all of it, so there is nothing to store.
  var isStored: Bool {
    guard let newest = surveyed.newest, !surveyed.isObstructed else { return false }
    let revision = newest.revision
    if saysNothing { return revision.allWords.says(sameAs: words) }
    return newest.conforms && revision.allWords.says(sameAs: words) && revision.readings == readings
      && revision.day == day
      && revision.unknownMembers == unknownMembers && revision.foldVersion == Fold.version
  }

  /// The day with a draft that was captured by a moment: a later one comes from a clock that is ahead.
  func captured(by moment: Timestamp) -> JoinedDay {
    guard draft.capturedAt > moment || draft.words.contains(where: { $0.capturedAt > moment })
    else {
      return self
    }
    var draft = draft
    draft.capturedAt = min(draft.capturedAt, moment)
    draft.words = draft.words.map { $0.captured(by: moment, on: day.date) }
    return JoinedDay(draft, over: surveyed)
  }

  /// The revision under an id minted at a moment (R7, R8).
  func revision(at moment: Timestamp) -> DailyRevision {
    let captured = words.all.lazy.map(\.capturedAt).max() ?? min(draft.capturedAt, moment)
    var revision = DailyRevision(
      day: day, generatedAt: moment, capturedAt: captured == moment ? nil : captured,
      collector: draft.collector, readings: readings, words: words, parent: surveyed.newest?.id,
      unknownMembers: unknownMembers)
    if revision.parent != nil { revision.seen = surveyed.seen }
    return revision
  }

  /// The metrics of which the day had a number and has none now.
  var taken: [DailyMetric] {
    guard let before = surveyed.newest?.revision else { return [] }
    return DailyMetric.allCases.filter {
      before.reading(of: $0).number != nil && readings[$0]?.number == nil
        && surveyed.doubtful($0).isEmpty
    }.told
  }

  /// What becomes of the day's numbers that the draft does not replace.
  var earlier: EarlierNumbers {
    func number(_ metric: DailyMetric) -> Double? { readings[metric]?.number }
    var earlier = EarlierNumbers(unreadable: surveyed.unreadable)
    earlier.damaged = surveyed.damaged.keys.sorted(by: >)
    earlier.areSame = surveyed.shown == readings
    let (isStored, said) = (isStored, draft.readings)
    for metric in DailyMetric.allCases {
      let mine = said[metric]?.number
      // A number that a person gave is lost as well where that of another source takes its place.
      if surveyed.doubtful(metric).contains(where: { $0 != number(metric) }) {
        earlier.lost.append(metric)
      }
      if number(metric) == nil {
        continue
      } else if mine == nil {
        if !isStored, draft.change == nil { earlier.kept.append(metric) }
      } else if mine != number(metric), !shown.contains(WordGroup(of: metric)) {
        earlier.notShown.append(metric)
      }
    }
    let before = Dictionary(
      grouping: surveyed.words.all.lazy.filter {
        $0.source == draft.source && $0.hasNumber && $0.extent == .whole
      }, by: \.group)
    earlier.undone = Set(draft.words.compactMap(surveyed.words.undoneRun))
    earlier.repeated = Set(draft.words.compactMap(surveyed.words.run(repeatedBy:)))
    for word in draft.words where word.hasNumber && word.extent == .whole {
      // A day of another zone has other sums, whoever's they are.
      let staysAbroad = word.group.isOfNight || word.group.first.isLevel
      let old = (before[word.group] ?? []).filter { $0.zone == word.zone || staysAbroad }
      guard !old.isEmpty else {
        if let distance = distanceFromOthers(word) {
          if distance <= 0.05 { earlier.near += 1 } else if distance > 0.1 { earlier.far += 1 }
        }
        continue
      }
      if old.contains(where: { $0.readings.first == word.readings.first }) {
        earlier.confirmed += 1
      } else {
        earlier.corrected += 1
        earlier.contradicted.formUnion(old.compactMap(\.run))
      }
    }
    (earlier.kept, earlier.lost) = (earlier.kept.told, earlier.lost.told)
    earlier.notShown = earlier.notShown.told
    return earlier
  }

  /// How far a night or a mean is from what the day shows of another source, as a part of it. Two sources of one
  /// person may sum up differently, but they have seen the same nights and the same heart.
  private func distanceFromOthers(_ word: Word) -> Double? {
    let metric = word.group.first
    guard !metric.growsWithTheDay, let mine = word.readings.first?.number,
      let shown = surveyed.shown?[metric]?.number, shown > 0,
      surveyed.words.all.contains(where: {
        $0.group == word.group && $0.source != word.source && $0.extent == .whole
          && $0.readings.first?.number == shown
      })
    else { return nil }
    return abs(mine - shown) / shown
  }
}

extension Word {
  /// The word of a source that says all that it knows each time: what it has said before is no longer true,
  /// although it was made of entries that were captured then.
  fileprivate func replacing(_ known: DayWords) -> Word {
    let own = known.all.filter { $0.source == source && $0.group == group }
    var word = self
    for old in own where old.zone == zone && old.readings != readings && !ends(old) {
      word.capturedAt = max(word.capturedAt, old.capturedAt.adding(seconds: 1))
      word.extent = word.extent.reaching(over: old.extent)
    }
    for old in own where old.zone != zone && old.capturedAt >= word.capturedAt {
      word.capturedAt = old.capturedAt.adding(seconds: 1)
    }
    return word.withinCalendar(after: known)
  }

  /// The word that is said now instead of that of its source in its place, which may reach further.
  fileprivate func inPlace(among known: DayWords) -> Word {
    var word = self
    if let standing = known.standing(self) { word.extent = extent.reaching(over: standing.extent) }
    return word
  }

  /// The word, which follows all that is known. No second follows the calendar's last one, so there it is said
  /// once more than what its source has said then.
  fileprivate func withinCalendar(after known: DayWords) -> Word {
    guard capturedAt >= .last else { return self }
    var word = self
    word.capturedAt = .last
    let own = known.all.lazy.filter {
      $0.source == source && $0.group == group && $0.capturedAt == .last
    }
    word.again = own.map(\.again).max().map { $0 + 1 } ?? 0
    return word
  }

  /// Whether it says otherwise what its source has said of the same moment.
  fileprivate func corrects(_ old: Word, leaving left: Set<DailyMetric>) -> Bool {
    guard capturedAt == old.capturedAt else { return false }
    guard zone == old.zone else { return isZoneSet }
    let isOther = group.metrics.contains {
      !left.contains($0) && reading(of: $0) != old.reading(of: $0)
    }
    return readsAll && extent == old.extent && isOther
  }

  /// The word with the metrics that its source leaves as they are as the day shows them; nil if it leaves
  /// all, and somebody has spoken of them. The stages of another night than the one that it gives are not
  /// taken, nor the latest value beside another mean.
  fileprivate func completed(_ left: Set<DailyMetric>, _ day: Fold) -> Word? {
    guard group.metrics.contains(where: left.contains) else { return self }
    guard !group.metrics.allSatisfy(left.contains) else {
      return day.figures[group] == nil ? self : nil
    }
    var word = self
    let isOther = group.metrics.contains {
      !left.contains($0) && reading(of: $0) != day.reading(of: $0)
    }
    for (place, metric) in group.metrics.enumerated()
    where left.contains(metric) && !(isOther && metric.latestOf != nil) {
      word.readings[place] = day.reading(of: metric)
    }
    let stages = zip(group.metrics, word.readings).reduce(0.0) { sum, part in
      [.sleepCore, .sleepDeep, .sleepREM].contains(part.0) ? sum + (part.1.number ?? 0) : sum
    }
    guard group.isOfNight, let asleep = word.readings[0].number, stages > asleep else {
      return word
    }
    return self
  }
}

extension DayDraft {
  /// Whether a day's newest revision has all that the draft says.
  package func adds(nothingTo revision: DailyRevision) -> Bool {
    var day = SurveyedDay()
    day.words = revision.allWords
    day.newest = ReadRevision(
      id: RevisionID(at: revision.generatedAt, entropy: 0), revision: revision, conforms: true)
    return JoinedDay(following(day.words), over: day).isStored
  }

  /// The draft as it follows what is known. Nothing that is known was captured after what was read just now,
  /// whatever the clocks say. And what a source says anew of the same moment follows what it has said of it: a
  /// correction downwards, or of the zone, would be lost otherwise. Not so a loose number: what remains of files
  /// that are cleaned away has the moment of all of them.
  func following(_ known: DayWords) -> DayDraft {
    var draft = self
    draft.change = change?.following(known)
    guard isReadNow else {
      let own = Dictionary(
        grouping: known.all.lazy.filter { $0.source == source && $0.capturedAt == capturedAt },
        by: \.group)
      for place in words.indices {
        guard
          let last = own[words[place].group]?.filter({ words[place].corrects($0, leaving: leaves) })
            .map(\.again).max()
        else { continue }
        draft.words[place].again = last + 1
      }
      return draft
    }
    draft.isReadNow = false
    guard source != .streams else {
      for place in words.indices { draft.words[place] = words[place].replacing(known) }
      return draft
    }
    if let last = known.all.lazy.map(\.capturedAt).max(), last >= capturedAt {
      draft.capturedAt = last.adding(seconds: 1)
      for place in draft.words.indices { draft.words[place].capturedAt = draft.capturedAt }
    }
    draft.capturedAt = min(draft.capturedAt, .last)
    draft.words = draft.words.map { $0.withinCalendar(after: known).inPlace(among: known) }
    return draft
  }

  /// That the source has no data of what it spoke of before.
  fileprivate func retractions(of said: DayWords) -> [Word] {
    guard retracts != .nothing else { return [] }
    let mine = Set(words.map(\.group))
    let before = Dictionary(
      grouping: said.all.lazy.filter { $0.source == source && !mine.contains($0.group) },
      by: \.group)
    return before.flatMap { group, said -> [Word] in
      // Of who says all, a reason that is not said any more is not so either.
      let spoken = said.filter { word in
        retracts == .everything ? word.readings.contains { $0 != .noData } : word.hasNumber
      }
      guard !spoken.isEmpty, spoken.allSatisfy(isRetracted) else { return [] }
      var zones = retracts == .withdrawn ? [] : Set([day.timeZoneName])
      if retracts != .everything { zones.formUnion(said.map(\.zone)) }
      return zones.map { zone in
        let word = nothing(of: group, in: zone, after: said)
        return retracts.isOfNow ? word.replacing(DayWords(said)) : word
      }
    }
  }

  /// That the source has no data of a group in a zone.
  private func nothing(of group: WordGroup, in zone: String, after said: [Word]) -> Word {
    let span = (DaySpans(day.date, in: zone) ?? DaySpans(day)).span(of: group)
    let last = said.filter { $0.capturedAt == capturedAt }.map(\.again).max()
    var word = Word(
      source, group, group.metrics.map { _ in .noData }, zone: zone,
      isZoneSet: zone == day.timeZoneName && said.contains(where: \.isZoneSet),
      extent: WordExtent(of: span, in: span, capturedAt: capturedAt), capturedAt: capturedAt,
      isAuthority: retracts != .withdrawn && said.contains(where: \.isAuthority),
      readsAll: said.contains(where: \.readsAll))
    word.again = last.map { $0 + 1 } ?? 0
    return word
  }

  private func isRetracted(_ word: Word) -> Bool {
    switch retracts {
    case .nothing: false
    case .everything, .withdrawn: true
    case .otherZones(let moments):
      word.zone != day.timeZoneName
        && moments[word.group].map { moments in
          word.capturedAt == capturedAt
            || word.moments(on: day.date).map {
              moments.lowerBound <= $0.lowerBound && $0.upperBound <= moments.upperBound
            } ?? false
        } ?? false
    }
  }
}

extension [String: JSONValue] {
  /// These unknown members with others laid over them, one level deep (R14).
  fileprivate func laid(under others: [String: JSONValue]) -> [String: JSONValue] {
    merging(others) { mine, other in
      guard case (.object(let mine), .object(let other)) = (mine, other) else { return other }
      return .object(mine.merging(other) { $1 })
    }
  }
}

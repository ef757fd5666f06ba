import HealthModel

/// A readable revision of a day, as a writer read it.
struct ReadRevision: Hashable, Sendable {
  let id: RevisionID
  let revision: DailyRevision
  /// Whether it breaks no rule (R41). A revision that breaks one is never the same as a draft.
  let conforms: Bool
  /// Whether its digest shows that it was changed (R60).
  let isDamaged: Bool

  /// When its data was captured: `captured_at`, or `generated_at` if it is absent (R8).
  /// It is limited to the moment of the id, which comes from the clock that orders revisions. Data
  /// is never captured after the revision that holds it, so a later moment comes from a wrong
  /// clock.
  var capturedAt: Timestamp { min(revision.capturedAt ?? revision.generatedAt, id.timestamp) }

  var isWhole: Bool { revision.covers == .everything }

  /// Whether it is a derived revision without a number of a metric. That says nothing, because a derived
  /// revision covers every metric, also those of which its inputs have no data (R49).
  func isSilent(on metric: DailyMetric) -> Bool {
    revision.isDerived && revision.reading(of: metric).number == nil
  }
}

/// Lays a draft over what a day says: the decision of R20. Pure.
///
/// Every revision is the word of its source on the metrics that it covers. For each metric the word
/// of the greatest id counts. The newest revision has all these words, but for those of revisions
/// that its writer had not seen. Such a revision is above the one that the newest was kept from, so
/// it is read, and its words are taken in.
struct DayMerge: Hashable, Sendable {
  enum Decision: Hashable, Sendable {
    /// The newest revision says the same and conforms, so there is nothing to store.
    case same
    /// The day's data was captured later, at this moment, so it stays.
    case keepsNewer(capturedAt: Timestamp)
    /// This becomes a new revision.
    case publish(DayDraft)
  }

  /// What makes a new revision necessary although the newest readable one has the same data.
  enum PassedOver: Hashable, Sendable {
    /// The pointer names nothing readable.
    case pointer
    /// The newest revision that readers get is damaged.
    case damage
  }

  let draft: DayDraft
  /// The revision that the writer has stored with this draft before, if it looks again.
  let mine: RevisionID?
  /// The readable revisions, greatest first. Only the last can be whole.
  private(set) var chain: [ReadRevision] = []
  /// What stands above the chain and has to be replaced; nil if nothing does.
  private(set) var passedOver: PassedOver?
  /// The metrics that have a number in damaged revisions. None of these numbers is kept.
  private var doubtful: Set<DailyMetric> = []
  /// Unreadable revisions above the chain; recorded only if the draft does not cover every metric.
  private var unreadable: [RevisionID] = []
  /// The metrics for which the draft counts, although a derived revision was captured later (R49).
  var yielding: Set<DailyMetric> = []
  /// The greatest revision of `chain` that is not whole and covers each metric, by its place.
  private var words: [DailyMetric: Int] = [:]

  init(_ draft: DayDraft, mine: RevisionID?) { (self.draft, self.mine) = (draft, mine) }

  private var isWhole: Bool { draft.covers == .everything }

  /// Whether the newest revision may not be all that the decision depends on.
  var dependsOnMore: Bool {
    guard let last = chain.last, !last.isWhole else { return false }
    return !isWhole || draft.keepsNewer || mine != nil || repeatsNewest
  }

  /// Whether the draft covers every metric and says what the newest revision says.
  private var repeatsNewest: Bool {
    guard isWhole, let newest = chain.first else { return false }
    return draft.revision(at: draft.capturedAt).hasSameData(as: newest.revision)
  }

  /// Whether the decision depends on the next lower revision.
  func needs(_ next: RevisionID) -> Bool {
    guard dependsOnMore, let newest = chain.first else { return false }
    // Whoever was disturbed has not seen all that is below either, such as the revision of a writer
    // who was not disturbed himself.
    if mine != nil { return true }
    if draft.keepsNewer, !draft.covers.metrics.isSubset(of: words.keys) { return true }
    return (!isWhole || repeatsNewest) && (newest.revision.keptFrom.map { next > $0 } ?? true)
  }

  /// Notes that the pointer is above the revisions that follow, and must be replaced.
  mutating func passOverPointer() { passedOver = passedOver ?? .pointer }

  /// Notes that a damaged revision is above those that follow, and must be replaced.
  mutating func passOver(damaged revision: DailyRevision) {
    passedOver = .damage
    doubtful.formUnion(DailyMetric.allCases.filter { revision.reading(of: $0).number != nil })
  }

  /// Records that a revision can't be read. Those that are added later are below it.
  mutating func passOver(unreadable id: RevisionID) {
    if !isWhole { unreadable.append(id) }
  }

  /// Adds the next lower readable revision.
  mutating func add(_ read: ReadRevision) {
    chain.append(read)
    guard case .metrics(let metrics) = read.revision.covers else { return }
    for metric in metrics where words[metric] == nil { words[metric] = chain.count - 1 }
  }

  var decision: Decision {
    guard let newest = chain.first else { return .publish(draft) }
    let (newer, later) = excepted
    let laid = laid(without: newer.union(later))
    let saysSame =
      laid.revision(at: laid.capturedAt).hasSameData(as: newest.revision)
      && laid.covers.metrics.allSatisfy { !isUnseenByNewest($0) }
    let isSame = saysSame && passedOver == nil
    if saysSame, passedOver != .damage,
      newer.contains(where: { draft.reading(of: $0) != laid.reading(of: $0) })
    {
      let moments = newer.compactMap { word(on: $0)?.capturedAt }
      return .keepsNewer(capturedAt: moments.max() ?? newest.capturedAt)
    }
    if isSame, !newest.conforms { return .publish(self.laid(without: later)) }
    return isSame ? .same : .publish(laid)
  }

  /// Covered metrics on which the day's word stays: it was captured later, or it came after the
  /// writer's own.
  private var excepted: (newer: Set<DailyMetric>, later: Set<DailyMetric>) {
    var newer: Set<DailyMetric> = []
    var later: Set<DailyMetric> = []
    let mayBeOlder = draft.keepsNewer && chain.contains { $0.capturedAt > draft.capturedAt }
    guard mayBeOlder || mine != nil else { return (newer, later) }
    for metric in draft.covers.metrics {
      guard let word = word(on: metric) else { continue }
      if let mine, word.id > mine {
        later.insert(metric)
      } else if mayBeOlder, !word.isSilent(on: metric), word.capturedAt > draft.capturedAt,
        !(word.revision.isDerived && yielding.contains(metric))
      {
        newer.insert(metric)
      }
    }
    return (newer, later)
  }

  /// The metrics of which the draft may lack a part, and the day has more.
  private var longer: Set<DailyMetric> {
    // In another zone it is another day.
    guard let newest = chain.first?.revision, newest.day == draft.day else { return [] }
    return draft.mayLack.filter { metric in
      let known = (word(on: metric)?.revision ?? newest).reading(of: metric).number
      guard let known, let number = draft.reading(of: metric).number else { return false }
      return known > number
    }
  }

  /// The revision whose word on a metric counts.
  private func word(on metric: DailyMetric) -> ReadRevision? {
    if let place = words[metric] { return chain[place] }
    return chain.last.flatMap { $0.isWhole ? $0 : nil }
  }

  /// Whether the newest revision shows an outdated reading of a metric, because its writer had not seen
  /// a word that counts. A draft that repeats that reading must be stored all the same: whoever
  /// publishes next would take the other word in.
  private func isUnseenByNewest(_ metric: DailyMetric) -> Bool {
    guard let newest = chain.first?.revision, let word = word(on: metric) else { return false }
    return (newest.keptFrom.map { word.id > $0 } ?? true)
      && word.revision.reading(of: metric) != newest.reading(of: metric)
  }

  /// What becomes of the day's numbers that the draft does not replace, where `laid` is published.
  func earlierNumbers(in laid: DayDraft) -> EarlierNumbers {
    let longer = longer
    let others = DailyMetric.allCases.filter { !draft.covers.contains($0) || longer.contains($0) }
    let (held, absent) = (
      others.filter { laid.reading(of: $0).number != nil },
      others.filter { laid.reading(of: $0).number == nil }
    )
    let newer = DailyMetric.allCases.filter {
      draft.covers.contains($0) && !laid.covers.contains($0) && !longer.contains($0)
        && draft.reading(of: $0) != laid.reading(of: $0)
    }
    return EarlierNumbers(
      kept: laid.keptFrom == nil ? [] : held, newer: newer, lost: absent.filter(doubtful.contains),
      unreadable: unreadable)
  }

  /// The draft, with what it does not cover, and `excepted` metrics, as the day has them.
  func laid(without others: Set<DailyMetric>) -> DayDraft {
    let excepted = others.union(longer)
    guard let newest = chain.first, !isWhole || !excepted.isEmpty else { return draft }
    let base = newest.revision
    var laid = draft
    laid.covers = .metrics(draft.covers.metrics.subtracting(excepted))
    laid.keptFrom = newest.id
    laid.readings = base.readings
    laid.unknownMembers = base.unknownMembers.laid(under: draft.unknownMembers)
    if chain.count > 1 {
      for metric in DailyMetric.allCases {
        guard let word = word(on: metric) else { continue }
        let (said, shown) = (word.revision.reading(of: metric), base.reading(of: metric))
        let isUnseen = base.keptFrom.map { word.id > $0 } ?? true
        // The newest revision already has what is at or below `keptFrom`, unless that was stored late.
        // A reason for a missing number, of a source that does not cover the metric, stays as it is.
        let mayBeLate = mine != nil && (said != .noData || shown.number != nil)
        if isUnseen || mayBeLate { laid.set(metric, said) }
      }
    }
    for metric in laid.covers.metrics { laid.set(metric, draft.reading(of: metric)) }
    // Why the source has no number is worth more than that nobody has said anything.
    for (metric, reading) in draft.readings where laid.readings[metric] == .noData {
      if !draft.covers.contains(metric) { laid.readings[metric] = reading }
    }
    // Equal numbers do not replace the zone that another machine has given the day. When the writer looks
    // again, that zone also stays in the writer's own revision.
    let isOthers = mine != nil || base.collector?.collectorID != draft.collector.collectorID
    if isOthers, laid.readings == base.readings { laid.day = base.day }
    return laid
  }
}

extension DayDraft {
  /// The draft's reading of a metric.
  func reading(of metric: DailyMetric) -> MetricReading { readings[metric] ?? .noData }

  fileprivate mutating func set(_ metric: DailyMetric, _ reading: MetricReading) {
    readings[metric] = metric.isRequired || reading.number != nil ? reading : nil
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

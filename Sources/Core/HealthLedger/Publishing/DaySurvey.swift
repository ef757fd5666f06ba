import HealthModel

/// Finds out what a draft adds to a day (R20), as a pure state machine: events in, the next request
/// out. It writes nothing.
struct DaySurvey: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    case readPointer
    case listRevisions(after: RevisionID?)
    case readRevision(RevisionID)
    case end(Finding)
  }

  enum Finding: Hashable, Sendable {
    /// The first revision says what the draft says; the second is the newest, which the pointer must
    /// name.
    case same(RevisionID, newest: RevisionID)
    /// The first revision says something else, and its data was captured later, at this moment; the
    /// second is the newest.
    case keepsNewer(RevisionID, capturedAt: Timestamp, newest: RevisionID)
    /// This becomes a new revision.
    case publish(DayDraft)
  }

  /// The pointer as it was read.
  private(set) var pointer: PointerReading = .absent
  /// The greatest id that the day holds, readable or not.
  private(set) var greatestSeen: RevisionID?
  /// What was read, and what it means for the draft.
  private(set) var merge: DayMerge

  private var state: State = .idle
  /// All ids of the day, if they were listed.
  private var listed: [RevisionID]?
  private var spoken: SpokenWords
  /// Whether the ids below the pointer's were candidates too.
  private var hasLookedLower = false

  private enum State: Hashable, Sendable {
    case idle
    /// Reads the pointer. This comes before the listing: if somebody publishes a revision between
    /// the two requests, it is above the pointer that was read, so the listing shows it.
    case readingPointer
    /// Lists the ids above the pointer's, or all of them.
    case listing
    /// Reads the candidates, greatest first, until one is readable, as readers do (R30). `rest` gets
    /// shorter each time, so this ends.
    case reading(RevisionID, rest: [RevisionID])
    /// The pointer names nothing readable, so the revisions below it decide. Lists all ids.
    case listingLower
    /// What the newest revision says is not all that counts. Lists all ids.
    case listingBelow
    /// Reads what is below the newest one, greatest first: what its writer had not seen, or what is
    /// to be compared with the moment of the draft.
    case readingBelow(RevisionID, rest: [RevisionID])
    /// The newest revision was derived. Reads what collectors have said below it (R49).
    case listingSpoken
    case readingSpoken(RevisionID, rest: [RevisionID])
    case ended
  }

  /// - Parameter mine: the revision that the writer has stored with this draft before, if it looks
  ///   again.
  init(_ draft: DayDraft, mine: RevisionID? = nil) {
    merge = DayMerge(draft, mine: mine)
    spoken = SpokenWords(against: draft)
  }

  private var draft: DayDraft { merge.draft }

  /// The first action. With `known`, requests that a listing has already answered are skipped.
  mutating func start(known: DayKnowledge? = nil) -> Action {
    listed = known?.revisions
    guard let known, let reading = known.pointer else {
      state = .readingPointer
      return .readPointer
    }
    pointer = reading
    return survey(known.revisions)
  }

  mutating func handle(_ event: PublishMachine.Event) -> Action {
    switch (state, event) {
    case (.readingPointer, .pointer(let reading)):
      pointer = reading
      if let listed { return survey(listed) }
      state = .listing
      return .listRevisions(after: listsAll ? nil : reading.revisionID)
    case (.listing, .revisions(let ids)):
      if listsAll { listed = ids }
      return survey(ids)
    case (.listingLower, .revisions(let ids)):
      listed = ids
      return readNext(lower(ids)[...])
    case (.reading(let id, let rest), .revision(let reading)):
      guard let read = readable(reading, id) else {
        merge.passOver(unreadable: id)
        return readNext(rest[...])
      }
      // Only a newer revision can repair a pointer that names nothing readable.
      if let named = pointer.revisionID, id < named { merge.passOverPointer() }
      // Numbers kept from a damaged revision would get a digest that fits them (R60).
      if read.isDamaged, draft.covers != .everything || draft.keepsNewer {
        merge.passOver(damaged: read.revision)
        return readNext(rest[...])
      }
      merge.add(read)
      let isForeign = draft.collector.collectorID != Collector.derivation.collectorID
      // A revision that is damaged, or breaks another rule, is repaired by whoever publishes next.
      let mayBeSame = merge.mine == nil && merge.passedOver == nil && read.conforms
      if read.revision.isDerived, isForeign, mayBeSame {
        spoken.begin(below: read)
        return readSpoken()
      }
      return readBelow()
    case (.listingBelow, .revisions(let ids)):
      listed = ids
      return readBelow()
    case (.readingBelow(let id, let rest), .revision(let reading)):
      if let read = readable(reading, id), !read.isDamaged { merge.add(read) }
      return readBelow(rest[...])
    case (.listingSpoken, .revisions(let ids)):
      listed = ids
      return readSpoken()
    case (.readingSpoken(let id, let rest), .revision(let reading)):
      if let read = readable(reading, id), let verdict = spoken.add(read) { return end(verdict) }
      return readSpoken(rest[...])
    default:
      preconditionFailure("the event does not answer the action that was given")
    }
  }

  /// Whether one listing of the whole day is worth more than one above the pointer.
  private var listsAll: Bool { draft.covers != .everything || merge.mine != nil }

  private mutating func survey(_ ids: [RevisionID]) -> Action {
    var candidates = Set(ids)
    if let named = pointer.revisionID {
      // Those below the pointer are read later, and only if they can change the outcome.
      candidates = candidates.filter { $0 > named }
      candidates.insert(named)
    }
    greatestSeen = candidates.max()
    return readNext(candidates.sorted(by: >)[...])
  }

  private mutating func readNext(_ candidates: ArraySlice<RevisionID>) -> Action {
    guard let first = candidates.first else { return readLower() }
    state = .reading(first, rest: Array(candidates.dropFirst()))
    return .readRevision(first)
  }

  /// If the pointer names nothing readable, looks at the revisions below it, as readers do (R30). That
  /// is not needed for a draft that covers every metric and replaces newer data.
  private mutating func readLower() -> Action {
    guard !hasLookedLower, pointer.revisionID != nil, listsAll || draft.keepsNewer else {
      return conclude()
    }
    hasLookedLower = true
    guard let listed else {
      state = .listingLower
      return .listRevisions(after: nil)
    }
    return readNext(lower(listed)[...])
  }

  /// The ids below the pointer's, greatest first.
  private func lower(_ ids: [RevisionID]) -> [RevisionID] {
    guard let named = pointer.revisionID else { return [] }
    return ids.filter { $0 < named }.sorted(by: >)
  }

  private mutating func readBelow() -> Action {
    guard merge.dependsOnMore else { return conclude() }
    guard let lower = lowerIDs else {
      state = .listingBelow
      return .listRevisions(after: nil)
    }
    return readBelow(lower[...])
  }

  private mutating func readBelow(_ candidates: ArraySlice<RevisionID>) -> Action {
    guard let next = candidates.first, merge.needs(next) else { return conclude() }
    state = .readingBelow(next, rest: Array(candidates.dropFirst()))
    return .readRevision(next)
  }

  private mutating func readSpoken() -> Action {
    guard let lower = lowerIDs else {
      state = .listingSpoken
      return .listRevisions(after: nil)
    }
    return readSpoken(lower[...])
  }

  private mutating func readSpoken(_ candidates: ArraySlice<RevisionID>) -> Action {
    guard let next = candidates.first else {
      guard let verdict = spoken.last else {
        merge.yielding = spoken.yielding
        return conclude()
      }
      return end(verdict)
    }
    state = .readingSpoken(next, rest: Array(candidates.dropFirst()))
    return .readRevision(next)
  }

  /// The ids below the newest readable revision, greatest first; nil if they are not known.
  private var lowerIDs: [RevisionID]? {
    guard let newest = merge.chain.first?.id else { return [] }
    return listed.map { $0.filter { $0 < newest }.sorted(by: >) }
  }

  private mutating func conclude() -> Action {
    state = .ended
    let newest = merge.chain.first?.id
    switch (merge.decision, newest) {
    case (.same, let newest?): return .end(.same(newest, newest: newest))
    case (.keepsNewer(let moment), let newest?):
      return .end(.keepsNewer(newest, capturedAt: moment, newest: newest))
    case (.publish(let laid), _): return .end(.publish(laid))
    case (.same, nil), (.keepsNewer, nil): return .end(.publish(draft))
    }
  }

  private mutating func end(_ verdict: SpokenWords.Verdict) -> Action {
    state = .ended
    switch verdict {
    case .same(let id): return .end(.same(id, newest: merge.chain.first?.id ?? id))
    case .keepsNewer(let id, let moment):
      return .end(.keepsNewer(id, capturedAt: moment, newest: merge.chain.first?.id ?? id))
    case .differs(let outdated): return .end(.publish(merge.laid(without: outdated)))
    }
  }

  /// The content of a stored revision, as readers take it (R41); nil if it can't be read.
  private func readable(_ reading: RevisionReading, _ id: RevisionID) -> ReadRevision? {
    guard let decoded = reading.decoded(date: draft.day.date, id: id),
      let revision = decoded.revision
    else { return nil }
    return ReadRevision(
      id: id, revision: revision, conforms: decoded.violations.isEmpty,
      isDamaged: decoded.isDamaged)
  }
}

extension RevisionReading {
  /// The content as readers take it (R41), its boundaries as written; nil if there is none.
  func decoded(date: CalendarDate, id: RevisionID) -> DailyRevision.Decoded? {
    body.map { DailyRevision.decode($0, date: date, id: id, boundaries: .asWritten) }
  }
}

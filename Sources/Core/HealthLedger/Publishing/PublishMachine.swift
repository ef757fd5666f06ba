package import HealthModel
package import ObjectStore

/// Publishes one day, as a pure state machine (R20 to R27): events in, the next action out.
///
/// It does no I/O and reads no clock, so production, tests and the race harness run the same
/// decisions. Perform the action that `start()` returns, then pass each result to `handle` until
/// the machine finishes.
package struct PublishMachine: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case readPointer
    /// List the day's revision ids.
    case listRevisions
    case readRevision(RevisionID)
    /// Provide the time, corrected by the server's clock, and randomness.
    case mint
    /// Always with the precondition `.absent`.
    case createRevision(RevisionID, body: [UInt8])
    case writePointer(LatestPointer, if: Precondition)
    /// Wait with full jitter before another attempt, counted from 1.
    case backOff(attempt: Int)
    case finish(PublishOutcome)
    case fail(PublishFailure)

    /// True from the point where the machine has decided to write.
    package var writes: Bool {
      switch self {
      case .mint, .createRevision, .writePointer: true
      case .readPointer, .listRevisions, .readRevision, .backOff, .finish, .fail: false
      }
    }
  }

  package enum Event: Hashable, Sendable {
    case pointer(PointerReading)
    case revisions([RevisionID])
    case revision(RevisionReading)
    case minted(now: Timestamp, entropy: UInt32)
    case put(PutAnswer)
    case rested
  }

  /// The answer to a write, without details that no decision needs.
  package enum PutAnswer: Hashable, Sendable {
    case stored
    case refused
    case unknown
  }

  /// How often one object is sent before the machine gives up.
  package static let maximumAttempts = 16

  package let draft: DayDraft
  /// The draft as it was read before the first survey ended.
  private var said: DayDraft
  /// Whether that was decided: what others say meanwhile does not change when this source was read.
  private var hasFollowed = false
  /// What becomes of the day's earlier numbers, except those that the draft takes away.
  package var earlier: EarlierNumbers {
    var earlier = first?.earlier ?? EarlierNumbers()
    earlier.storedBy = storedBy
    return earlier
  }
  /// The run of another writer whose equal revision is taken for this one's.
  private var storedBy: RunID?
  /// The day as the first survey found it, with the draft in it.
  private var first: JoinedDay?
  /// The day with the draft in it; nil before the survey has ended.
  private(set) var joined: JoinedDay?
  /// Whether the store's compare-and-swap is proven. Without it no pointer is written (R24).
  package let movesPointer: Bool
  /// The revision that is certainly stored, if there is one.
  package private(set) var storedRevision: RevisionID?
  /// The last revision for which a create was sent, confirmed or not.
  package private(set) var sentRevision: RevisionID?
  /// True while it reads the key of a create that got no clear answer: no object may be there.
  package var readsBack: Bool { if case .readingBack = state { true } else { false } }
  /// True after a create without a clear answer: it may have been applied.
  package private(set) var hasUnclearCreate = false

  private var state: State = .idle
  /// Whether nothing had to be stored.
  private var isUnchanged = false
  private var pointer: PointerReading = .absent
  private var greatestSeen: RevisionID?
  /// Unconfirmed sends of creates, over all ids tried, and surveys after a first.
  ///
  /// Only the limits depend on them, so an exploration that stays below the limits may ignore them.
  package var sends = 0
  package var passes = 0
  /// What a race leaves out of each survey, to show that it is needed; nil but there.
  package var omits: DaySurvey.Omission?

  /// Each state waits for the answer to one action.
  ///
  /// Three properties make every order of answers safe, whoever else publishes and wherever this
  /// collector stops. A revision is only created where no object exists. The pointer is only
  /// replaced under the etag of the reading that came before the survey's listing, and only by a revision
  /// that has the words of all that the survey saw. And an answer that is not a clear success decides nothing:
  /// the day is surveyed again instead.
  private enum State: Hashable, Sendable {
    /// Before `start`.
    case idle
    /// Looks at the day. Nothing is written meanwhile.
    case surveying(DaySurvey)
    /// Waits for time and randomness. The new id must be greater than `greatestSeen`.
    case minting
    /// A create was sent. It may be applied whatever the answer is, and even without an answer.
    case creating(Attempt)
    /// Reads the object under the id, because the create got no clear answer.
    case readingBack(Attempt)
    /// There is no object under the id. Waits, then sends the same bytes under the same id. If an
    /// earlier send arrives only then, it does no harm: of two equal creates, one is refused.
    case restingBeforeCreate(Attempt)
    /// A write of the pointer was sent, under the etag of the value that the survey read. The revision that it
    /// names is stored, and has all that the survey saw. If the write succeeds, nobody has moved the pointer
    /// since; who surveys from now on reads the new one, and finds this revision.
    case moving(RevisionID)
    /// The write failed, or got no clear answer: it may have been applied, or may still be. Waits, so that
    /// collectors in conflict spread out. If it arrives later it can't harm: its etag has been replaced, or
    /// nothing has.
    case restingBeforeSurvey
    /// The machine has ended.
    case ended
  }

  /// One revision that is being stored.
  private struct Attempt: Hashable, Sendable {
    var id: RevisionID
    var body: [UInt8]
  }

  package init(_ draft: DayDraft, movesPointer: Bool) {
    (self.draft, said) = (draft, draft)
    self.movesPointer = movesPointer
  }

  /// The first action. With `known`, the survey skips requests that a listing has already answered.
  ///
  /// A draft that would break a rule fails here, before anything is sent.
  package mutating func start(known: DayKnowledge? = nil) -> Action {
    let violations = draft.revision(at: draft.capturedAt).violations
    guard violations.isEmpty else { return fail(.invalid(violations)) }
    return survey(known: known)
  }

  package mutating func handle(_ event: Event) -> Action {
    switch (state, event) {
    case (.surveying(var survey), _):
      let action = survey.handle(event)
      return go(on: survey, action)
    case (.minting, .minted(let now, let entropy)):
      return mint(now, entropy)
    case (.creating(let attempt), .put(let answer)):
      return created(attempt, answer)
    case (.readingBack(let attempt), .revision(let reading)):
      return readBack(attempt, reading)
    case (.restingBeforeCreate(let attempt), .rested):
      state = .creating(attempt)
      return .createRevision(attempt.id, body: attempt.body)
    case (.moving(let target), .put(let answer)):
      return moved(to: target, answer)
    case (.restingBeforeSurvey, .rested):
      return survey()
    default:
      preconditionFailure("the event does not answer the action that was given")
    }
  }

  // MARK: Survey and join (R20): is anything new, and which ids must ours exceed?

  private mutating func survey(known: DayKnowledge? = nil) -> Action {
    var survey = DaySurvey(
      draft.day.date, movesPointer: movesPointer, changing: said.change)
    survey.omits = omits
    let action = survey.start(known: known, readsPointer: movesPointer || storedRevision == nil)
    return go(on: survey, action)
  }

  private mutating func surveyAgain(after id: RevisionID) -> Action {
    passes += 1
    guard passes < Self.maximumAttempts else { return fail(.neverSettled(id)) }
    return survey()
  }

  private mutating func go(on survey: DaySurvey, _ action: DaySurvey.Action) -> Action {
    state = .surveying(survey)
    switch action {
    case .readPointer: return .readPointer
    case .listRevisions: return .listRevisions
    case .readRevision(let id): return .readRevision(id)
    case .end: return decide(survey)
    }
  }

  private mutating func decide(_ survey: DaySurvey) -> Action {
    (pointer, greatestSeen) = (survey.pointer, survey.greatestSeen)
    if let newest = survey.day.newest, newest.revision.foldVersion > Fold.version {
      return fail(.newerRules(newest.id))
    }
    if !hasFollowed { (said, hasFollowed) = (said.following(survey.day.words), true) }
    let joined = JoinedDay(said, over: survey.day)
    // A further look does not tell what the first one replaced.
    if storedRevision == nil { (first, self.joined) = (joined, joined) }
    // Of a day that has nothing readable, nothing can be taken back.
    if joined.saysNothing, survey.day.newest == nil, let greatestSeen {
      return end(.unchanged(greatestSeen))
    }
    guard joined.isStored, let newest = survey.day.newest?.id else {
      self.joined = joined
      state = .minting
      return .mint
    }
    return settle(on: newest)
  }

  /// The newest revision has all that the survey found, and what the source says.
  private mutating func settle(on newest: RevisionID) -> Action {
    if storedRevision == nil {
      // It was just read, and nobody deletes revisions (R22), so it counts as stored by us.
      (storedRevision, isUnchanged) = (newest, true)
    }
    greatestSeen = nil
    // The newest revision's writer may have stopped before it moved the pointer, so it is moved now.
    guard movesPointer, pointer.revisionID.map({ $0 < newest }) ?? true else {
      return end(outcome(at: pointer.revisionID ?? newest))
    }
    return write(newest)
  }

  // MARK: The revision (R21, R22, R23)

  /// The moment of an id that is minted now: above every id that was seen, and everything that was captured,
  /// as far as the calendar goes.
  private func mintMoment(_ now: Timestamp) -> Timestamp {
    let known = joined?.surveyed.words.all.lazy.map(\.capturedAt).max()
    return min(
      .last,
      [greatestSeen?.timestamp, known].compactMap { $0?.adding(seconds: 1) }.reduce(now, max))
  }

  /// The suffix of an id that is minted now: the same for all who store the same data.
  func idSuffix(at now: Timestamp) -> UInt32 {
    let moment = mintMoment(now)
    return joined?.captured(by: moment).revision(at: moment).idSuffix ?? 0
  }

  private mutating func mint(_ now: Timestamp, _ entropy: UInt32) -> Action {
    guard let joined = joined?.captured(by: mintMoment(now)) else {
      preconditionFailure("a revision is minted after a survey")
    }
    let moment = mintMoment(now)
    (said, self.joined) = (joined.draft, joined)
    // A clock that is ahead was all that was new.
    if joined.isStored, let newest = joined.surveyed.newest?.id { return settle(on: newest) }
    var id = RevisionID(at: moment, entropy: entropy)
    // No second follows the calendar's last one, so there the suffix has to be greater.
    if let greatestSeen, greatestSeen.timestamp == .last {
      guard let next = greatestSeen.next(adding: entropy) else {
        return fail(.noGreaterID(greatestSeen))
      }
      id = next
    }
    let revision = joined.revision(at: moment)
    // Each source's numbers can be sound, and their sum be none.
    let violations = revision.violations
    guard violations.isEmpty else { return fail(.invalid(violations)) }
    let body = revision.encoded
    guard body.count <= DailyRevision.maximumBytes else { return fail(.tooLarge(body.count)) }
    let attempt = Attempt(id: id, body: body)
    // If this id turns out to be taken, the next one will be above it.
    (sentRevision, greatestSeen) = (id, id)
    state = .creating(attempt)
    return .createRevision(id, body: body)
  }

  private mutating func created(_ attempt: Attempt, _ answer: PutAnswer) -> Action {
    switch answer {
    case .stored: return placePointer(attempt.id)
    case .refused, .unknown:
      // Our own earlier send without an answer may be what is there. Only the bytes can tell.
      hasUnclearCreate = true
      state = .readingBack(attempt)
      return .readRevision(attempt.id)
    }
  }

  private mutating func readBack(_ attempt: Attempt, _ reading: RevisionReading) -> Action {
    // Equal bytes are our own send that arrived after all. A revision that differs only in who
    // collected it and when comes from another writer of the same data, in the same second (R21).
    // Either way it is stored. We continue as if it were ours, because its writer may have died.
    if reading.body == attempt.body { return placePointer(attempt.id) }
    if let equal = equal(reading, attempt) {
      storedBy = equal.allWords.all.lazy.compactMap(\.run).max()
      return placePointer(attempt.id)
    }
    sends += 1
    guard sends < Self.maximumAttempts else { return fail(.revisionUnconfirmed(attempt.id)) }
    guard reading == .absent else {
      // Another revision has this id, so mint one above it. Ours can't appear under this id any
      // more, because every create of it is refused from now on.
      state = .minting
      return .mint
    }
    state = .restingBeforeCreate(attempt)
    return .backOff(attempt: sends)
  }

  /// What another writer of the same data has stored; nil where that is other data.
  private func equal(_ reading: RevisionReading, _ attempt: Attempt) -> DailyRevision? {
    guard let there = reading.decoded(date: draft.day.date, id: attempt.id),
      there.violations.isEmpty, let revision = there.revision
    else { return nil }
    let mine = DailyRevision.decode(attempt.body, date: draft.day.date, boundaries: .asWritten)
    return mine.revision.map(revision.differsOnlyInOrigin) == true ? revision : nil
  }

  // MARK: The pointer (R24 to R26)

  private mutating func placePointer(_ id: RevisionID) -> Action {
    storedRevision = id
    // Forget what no later decision needs, so that states with equal futures are equal values.
    (greatestSeen, sends, hasUnclearCreate, isUnchanged) = (nil, 0, false, false)
    // Nobody can tell by a pointer that nothing was missed, so the day is looked at again.
    guard movesPointer else { return surveyAgain(after: id) }
    return write(id)
  }

  /// The target is above every id that the survey saw, or is the greatest of them, and the pointer names a lesser
  /// one or nothing. `pointer.replacement` ties the write to exactly that value (R25).
  private mutating func write(_ target: RevisionID) -> Action {
    state = .moving(target)
    let value = LatestPointer(date: draft.day.date, revisionID: target)
    return .writePointer(value, if: pointer.replacement)
  }

  private mutating func moved(to target: RevisionID, _ answer: PutAnswer) -> Action {
    if answer == .stored { return end(outcome(at: target)) }
    passes += 1
    guard passes < Self.maximumAttempts else {
      return fail(.pointerContended(storedRevision ?? target))
    }
    state = .restingBeforeSurvey
    // Forget it, so that no write can be tied to a value that may have been replaced.
    pointer = .absent
    return .backOff(attempt: passes)
  }

  // MARK: Endings

  private func outcome(at target: RevisionID) -> PublishOutcome {
    guard let mine = storedRevision else { preconditionFailure("nothing was stored") }
    if isUnchanged { return .unchanged(mine) }
    guard movesPointer else { return .pointerSkipped(mine) }
    return target > mine ? .superseded(mine, by: target) : .published(mine)
  }

  private mutating func end(_ outcome: PublishOutcome) -> Action {
    state = .ended
    return .finish(outcome)
  }

  private mutating func fail(_ failure: PublishFailure) -> Action {
    state = .ended
    return .fail(failure)
  }
}

// MARK: Explorations

extension PublishMachine {
  /// The machine with what its next decisions need and nothing else, so that states with equal futures are
  /// equal values.
  package var deciding: PublishMachine {
    var machine = self
    (machine.first, machine.sentRevision, machine.hasUnclearCreate) = (nil, nil, false)
    switch state {
    case .surveying, .moving, .restingBeforeSurvey, .ended:
      (machine.joined, machine.pointer, machine.greatestSeen) = (nil, .absent, nil)
    case .idle, .minting, .creating, .readingBack, .restingBeforeCreate: break
    }
    return machine
  }

  /// A hash of what tells most states apart: hashing all of a state takes longer than comparing the few that
  /// share a sketch.
  package var sketch: Int {
    var hasher = Hasher()
    hasher.combine(draft.source)
    hasher.combine(movesPointer)
    hasher.combine(storedRevision)
    hasher.combine(sends)
    hasher.combine(passes)
    hasher.combine(joined?.words.sketch)
    switch state {
    case .surveying(let survey): survey.sketch(into: &hasher)
    case .creating(let attempt), .readingBack(let attempt), .restingBeforeCreate(let attempt):
      hasher.combine(attempt.id)
    case .moving(let target): hasher.combine(target)
    case .idle, .minting, .restingBeforeSurvey, .ended: break
    }
    return hasher.finalize()
  }
}

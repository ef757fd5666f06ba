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
    /// List the day's revision ids greater than this one, or all of them.
    case listRevisions(after: RevisionID?)
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
  /// The draft laid over what the day says (R20): what is stored. Its source may not cover all.
  package private(set) var laid: DayDraft
  /// What becomes of the day's earlier numbers, except those that the draft takes away.
  package private(set) var earlier = EarlierNumbers()
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
  /// How often the day was surveyed again.
  private var passes = 0
  private var pointer: PointerReading = .absent
  private var greatestSeen: RevisionID?
  /// Unconfirmed sends: first of creates, over all ids tried; then of pointer writes.
  ///
  /// Only the limit depends on it, so an exploration that stays below the limit may ignore it.
  package var sends = 0

  /// Each state waits for the answer to one action.
  ///
  /// Three properties make every order of answers safe, whoever else publishes and wherever this
  /// collector stops. A revision is only created where no object exists. The pointer is only
  /// replaced under the etag of the reading that showed it to be smaller. And an answer that is not
  /// a clear success decides nothing: the store is read instead.
  private enum State: Hashable, Sendable {
    /// Before `start`.
    case idle
    /// Looks at the day. Nothing is written meanwhile. `placed` is how the publish ends if it has
    /// stored a revision and nothing is missing.
    case surveying(DaySurvey, placed: PublishOutcome?)
    /// Waits for time and randomness. The new id must be greater than `greatestSeen`.
    case minting
    /// A create was sent. It may be applied whatever the answer is, and even without an answer.
    case creating(Attempt)
    /// Reads the object under the id, because the create got no clear answer.
    case readingBack(Attempt)
    /// There is no object under the id. Waits, then sends the same bytes under the same id. If an
    /// earlier send arrives only then, it does no harm: of two equal creates, one is refused.
    case restingBeforeCreate(Attempt)
    /// A write of the pointer was sent, under the etag of the value in `pointer`. The revision that
    /// it names is stored and was read or confirmed.
    case moving(PointerMove)
    /// The write got no clear answer: it may have been applied, or may still be. Waits, so that
    /// collectors in conflict spread out.
    case restingBeforeRead(PointerMove)
    /// Reads the pointer again. Its value decides, not the answer to the write.
    case rereading(PointerMove)
    /// The pointer is absent or corrupt. What it named is unknown, so the ids above ours are
    /// listed.
    case relisting(PointerMove)
    /// Reads the listed ids, greatest first, because the pointer may only name a readable revision.
    case confirming(PointerMove, candidate: RevisionID, rest: [RevisionID])
    /// The pointer names a revision of another writer, who may not have seen this one. Reads it: one
    /// that covers everything takes the place of ours.
    case readingSuperior(RevisionID, PublishOutcome)
    /// Lists the ids above ours: another writer may have stored a revision and died, and without
    /// compare-and-swap there is no pointer to show that it was there.
    case listingSuperiors(above: RevisionID, PublishOutcome)
    /// The machine has ended.
    case ended
  }

  /// One revision that is being stored.
  private struct Attempt: Hashable, Sendable {
    var id: RevisionID
    var body: [UInt8]
  }

  /// A move of the pointer to `mine` or to a greater revision.
  private struct PointerMove: Hashable, Sendable {
    var mine: RevisionID
    /// What the write in flight names: `mine`, or a greater readable revision that a listing found.
    var target: RevisionID
    /// How the publish ends if nothing had to be stored.
    var withoutRevision: PublishOutcome?
  }

  package init(_ draft: DayDraft, movesPointer: Bool) {
    (self.draft, laid) = (draft, draft)
    self.movesPointer = movesPointer
  }

  /// The first action. With `known`, the survey skips requests that a listing has already answered.
  ///
  /// A draft that would break a rule fails here, before anything is sent.
  package mutating func start(known: DayKnowledge? = nil) -> Action {
    let violations = draft.revision(at: draft.capturedAt).violations
    guard violations.isEmpty else { return fail(.invalid(violations)) }
    return survey(DaySurvey(draft), known: known)
  }

  package mutating func handle(_ event: Event) -> Action {
    switch (state, event) {
    case (.surveying(var survey, let placed), _):
      let action = survey.handle(event)
      return go(on: survey, action, placed)
    case (.minting, .minted(let now, let entropy)):
      return mint(now, entropy)
    case (.creating(let attempt), .put(let answer)):
      return created(attempt, answer)
    case (.readingBack(let attempt), .revision(let reading)):
      return readBack(attempt, reading)
    case (.restingBeforeCreate(let attempt), .rested):
      state = .creating(attempt)
      return .createRevision(attempt.id, body: attempt.body)
    case (.moving(let move), .put(let answer)):
      return moved(move, answer)
    case (.restingBeforeRead(let move), .rested):
      state = .rereading(move)
      return .readPointer
    case (.rereading(let move), .pointer(let reading)):
      return reread(move, reading)
    case (.relisting(let move), .revisions(let ids)):
      return confirm(move, ids.filter { $0 > move.mine }.sorted(by: >))
    case (.confirming(let move, let candidate, let rest), .revision(let reading)):
      // It is greater than ours and readable, so naming it hides nothing from readers.
      if readable(reading, candidate)?.revision != nil { return write(candidate, move) }
      return confirm(move, rest)
    case (.readingSuperior(let id, let placed), .revision(let reading)):
      // It holds only its writer's view of the day. One that does not cover everything may have
      // been made without ours.
      guard let superior = readable(reading, id)?.revision, superior.covers != .everything else {
        return end(placed)
      }
      return surveyAgain(placed)
    case (.listingSuperiors(let id, let placed), .revisions(let ids)):
      guard let greatest = ids.filter({ $0 > id }).max() else { return end(placed) }
      guard laid.covers == .everything else { return surveyAgain(placed) }
      state = .readingSuperior(greatest, placed)
      return .readRevision(greatest)
    default:
      preconditionFailure("the event does not answer the action that was given")
    }
  }

  // MARK: Survey (R20): is the data new, and which ids must ours exceed?

  private mutating func survey(
    _ survey: DaySurvey, known: DayKnowledge? = nil, placed: PublishOutcome? = nil
  ) -> Action {
    var survey = survey
    let action = survey.start(known: known)
    return go(on: survey, action, placed)
  }

  private mutating func go(
    on survey: DaySurvey, _ action: DaySurvey.Action, _ placed: PublishOutcome?
  ) -> Action {
    state = .surveying(survey, placed: placed)
    switch action {
    case .readPointer: return .readPointer
    case .listRevisions(let after): return .listRevisions(after: after)
    case .readRevision(let id): return .readRevision(id)
    case .end(let finding):
      (pointer, greatestSeen) = (survey.pointer, survey.greatestSeen)
      switch (finding, placed) {
      case (.publish(let laid), _):
        self.laid = laid
        let found = survey.merge.earlierNumbers(in: laid)
        // The second look does not read what is below the revision that was stored.
        if placed == nil { earlier = found } else { earlier.kept = found.kept }
        state = .minting
        return .mint
      case (_, let placed?): return end(placed)
      case (.same(let id, let newest), nil):
        // It was just read, and nobody deletes revisions (R22), so it counts as stored by us.
        storedRevision = id
        return endWithoutRevision(.unchanged(id), newest: newest)
      case (.keepsNewer(let id, let moment, let newest), nil):
        return endWithoutRevision(.keptNewer(id, capturedAt: moment), newest: newest)
      }
    }
  }

  /// - Parameter newest: the newest readable revision, which the pointer must name.
  private mutating func endWithoutRevision(
    _ outcome: PublishOutcome, newest: RevisionID
  ) -> Action {
    greatestSeen = nil
    // The newest revision's writer may have stopped before it moved the pointer, so move it now. That
    // writer may have published this same draft and kept newer data, so its revision differs from it.
    let isBehind = pointer.revisionID.map { $0 < newest } ?? true
    guard movesPointer, isBehind else { return end(outcome) }
    return write(newest, PointerMove(mine: newest, target: newest, withoutRevision: outcome))
  }

  // MARK: The revision (R21, R22, R23)

  private mutating func mint(_ now: Timestamp, _ entropy: UInt32) -> Action {
    let floor = greatestSeen.map { $0.timestamp.adding(seconds: 1) }
    // There is no second after the calendar's last one, so an id there could be greater only by
    // chance.
    if let greatestSeen, let floor, floor > .last { return fail(.noGreaterID(greatestSeen)) }
    let moment = max(now, floor ?? now)
    let id = RevisionID(at: moment, entropy: entropy)
    let body = laid.revision(at: moment).encoded
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
    if reading.body == attempt.body || isEqual(reading, attempt) { return placePointer(attempt.id) }
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

  private func isEqual(_ reading: RevisionReading, _ attempt: Attempt) -> Bool {
    guard let there = readable(reading, attempt.id), there.violations.isEmpty else { return false }
    return there.revision?.differsOnlyInOrigin(from: laid.revision(at: attempt.id.timestamp))
      == true
  }

  // MARK: The pointer (R24 to R26)

  private mutating func placePointer(_ id: RevisionID) -> Action {
    storedRevision = id
    // Forget what no later decision needs, so that states with equal futures are equal values.
    (greatestSeen, sends, hasUnclearCreate) = (nil, 0, false)
    guard movesPointer else { return settle(.pointerSkipped(id)) }
    // The id is above the one that the pointer named when the survey read it. If the pointer has
    // moved since, the etag has changed and the store refuses.
    return write(id, PointerMove(mine: id, target: id, withoutRevision: nil))
  }

  /// Every caller has checked that `target` is greater than what `pointer` names, or that it names
  /// nothing. `pointer.replacement` ties the write to exactly that value (R25).
  private mutating func write(_ target: RevisionID, _ move: PointerMove) -> Action {
    var next = move
    next.target = target
    sends += 1
    state = .moving(next)
    let value = LatestPointer(date: draft.day.date, revisionID: target)
    return .writePointer(value, if: pointer.replacement)
  }

  private mutating func moved(_ move: PointerMove, _ answer: PutAnswer) -> Action {
    if answer == .stored {
      // The pointer was the one that the survey had read. So nobody else has moved it since then, and
      // whoever published in the meantime finds that it has moved, and looks again.
      let isUndisturbed = sends == 1 && (pointer != .absent || laid.keptFrom == nil)
      return settle(outcome(move, pointerAt: move.target), isUndisturbed: isUndisturbed)
    }
    guard sends < Self.maximumAttempts else { return fail(.pointerContended(move.mine)) }
    state = .restingBeforeRead(move)
    // Forget it, so that no write can be tied to a value that may have been replaced. `reread` sets
    // it before the next write.
    pointer = .absent
    return .backOff(attempt: sends)
  }

  private mutating func reread(_ move: PointerMove, _ reading: PointerReading) -> Action {
    pointer = reading
    guard let named = reading.revisionID else {
      // Absent or corrupt: it may have named a newer revision, which only a listing can show (R26).
      state = .relisting(move)
      return .listRevisions(after: move.mine)
    }
    // Equal: the unanswered write was applied. Greater: another collector was faster. Either way,
    // readers get ours or a newer one. If our write is still in flight, it carries the etag of a
    // value that has been replaced, so it can't move the pointer back.
    if named > move.mine, let same = move.withoutRevision, case .unchanged = same {
      // The other writer may not have seen the equal revision, and the writer of that one may have
      // died before it looked at the day again.
      guard laid.covers == .everything else { return surveyAgain(same) }
      state = .readingSuperior(named, same)
      return .readRevision(named)
    }
    if named >= move.mine { return settle(outcome(move, pointerAt: named)) }
    return write(move.mine, move)
  }

  private mutating func confirm(_ move: PointerMove, _ candidates: [RevisionID]) -> Action {
    // No revision above ours is readable. Ours is, because it was confirmed byte for byte.
    guard let first = candidates.first else { return write(move.mine, move) }
    state = .confirming(move, candidate: first, rest: Array(candidates.dropFirst()))
    return .readRevision(first)
  }

  // MARK: The day after the write (R20)

  /// Ends a publish during which somebody else may have published.
  ///
  /// Two writers whose sources cover different metrics may both have laid their drafts over one
  /// revision, and readers get only the later. Both have stored theirs before they look again, so at
  /// least one finds that something is missing, and stores it above both.
  private mutating func settle(
    _ placed: PublishOutcome, isUndisturbed: Bool = false
  ) -> Action {
    let isWhole = laid.covers == .everything
    switch placed {
    case .unchanged, .keptNewer: return end(placed)
    // Nothing was above ours when the pointer named it. A writer who is about to move it finds ours.
    case .published where isWhole: return end(placed)
    // A writer who has died before it moved the pointer finds nothing.
    case .published(let id) where isUndisturbed, .pointerSkipped(let id) where isWhole:
      state = .listingSuperiors(above: id, placed)
      return .listRevisions(after: id)
    case .superseded(_, let other) where isWhole:
      state = .readingSuperior(other, placed)
      return .readRevision(other)
    case .published, .superseded, .pointerSkipped: return surveyAgain(placed)
    }
  }

  private mutating func surveyAgain(_ placed: PublishOutcome) -> Action {
    passes += 1
    guard passes < Self.maximumAttempts else { return fail(.neverSettled(placed.revisionID)) }
    sends = 0
    return survey(DaySurvey(draft, mine: placed.revisionID), placed: placed)
  }

  // MARK: Endings

  private func outcome(_ move: PointerMove, pointerAt id: RevisionID) -> PublishOutcome {
    if let outcome = move.withoutRevision { return outcome }
    return id > move.mine ? .superseded(move.mine, by: id) : .published(move.mine)
  }

  /// The content of a stored revision, as readers take it (R41); nil if it can't be read.
  package func readable(
    _ reading: RevisionReading, _ id: RevisionID
  ) -> DailyRevision.Decoded? {
    reading.decoded(date: draft.day.date, id: id)
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

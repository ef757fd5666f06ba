package import HealthModel
package import ObjectStore

/// Publishing one day as a pure state machine (R20 to R27): events in, the next action out.
///
/// It does no I/O and knows no clock, so the same decisions run in production, in tests and in the
/// race harness. Give `start()`'s action, then `handle` each action's event until it finishes.
package struct PublishMachine: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case readPointer
    /// List the day's revision ids greater than this one, or all.
    case listRevisions(after: RevisionID?)
    case readRevision(RevisionID)
    /// Tell the server-disciplined time and some randomness.
    case mint
    /// Always under `.absent`.
    case createRevision(RevisionID, body: [UInt8])
    case writePointer(LatestPointer, if: Precondition)
    /// Wait with full jitter before another attempt, counted from 1.
    case backOff(attempt: Int)
    case finish(PublishOutcome)
    case fail(PublishFailure)

    /// True from the point on where the machine has decided to write.
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

  /// A write's answer without the details that no decision needs.
  package enum PutAnswer: Hashable, Sendable {
    case stored
    case refused
    case unknown
  }

  /// Sends of one object before the machine gives up.
  package static let maximumAttempts = 16

  package let draft: DayDraft
  /// Whether the store's compare-and-swap is proven: without it no pointer is written (R24).
  package let movesPointer: Bool
  /// The revision that is certainly stored, once there is one.
  package private(set) var storedRevision: RevisionID?
  /// The last revision whose create was sent, confirmed or not.
  package private(set) var sentRevision: RevisionID?
  /// True once a create was not answered cleanly: it may have been applied.
  package private(set) var hasUnclearCreate = false

  private var state: State = .idle
  /// Ids that a listing of the whole day has told, where the pointer is still to be read.
  private var listed: [RevisionID]?
  private var pointer: PointerReading = .absent
  private var greatestSeen: RevisionID?
  /// Sends that were not confirmed: of creates, over all ids tried; then of the pointer's writes.
  ///
  /// Only the bound depends on it, so an exploration that stays below that may forget it.
  package var sends = 0

  private enum State: Hashable, Sendable {
    case idle
    case surveyingPointer
    case surveyingRevisions
    case comparing(with: RevisionID, rest: [RevisionID])
    case minting
    case creating(Attempt)
    case readingBack(Attempt)
    case restingBeforeCreate(Attempt)
    case moving(PointerMove)
    case restingBeforeRead(PointerMove)
    case rereading(PointerMove)
    case relisting(PointerMove)
    case confirming(PointerMove, candidate: RevisionID, rest: [RevisionID])
    case ended
  }

  /// One revision on its way into the store.
  private struct Attempt: Hashable, Sendable {
    var id: RevisionID
    var body: [UInt8]
  }

  /// The pointer on its way to `mine` or beyond.
  private struct PointerMove: Hashable, Sendable {
    var mine: RevisionID
    /// What the write in flight names: `mine`, or a greater readable revision found by listing.
    var target: RevisionID
    var isUnchanged: Bool
  }

  package init(_ draft: DayDraft, movesPointer: Bool) {
    self.draft = draft
    self.movesPointer = movesPointer
  }

  /// The first action; `known` spares the survey's requests where a listing has answered them.
  ///
  /// A draft that would break a rule fails here, before anything is sent.
  package mutating func start(known: DayKnowledge? = nil) -> Action {
    let violations = draft.revision(at: draft.capturedAt).violations
    guard violations.isEmpty else { return fail(.invalid(violations)) }
    listed = known?.revisions
    guard let known, let reading = known.pointer else {
      state = .surveyingPointer
      return .readPointer
    }
    pointer = reading
    return survey(known.revisions)
  }

  package mutating func handle(_ event: Event) -> Action {
    switch (state, event) {
    case (.surveyingPointer, .pointer(let reading)):
      pointer = reading
      if let listed { return survey(listed) }
      state = .surveyingRevisions
      return .listRevisions(after: reading.revisionID)
    case (.surveyingRevisions, .revisions(let ids)):
      return survey(ids)
    case (.comparing(let id, let rest), .revision(let reading)):
      return compare(id, reading, rest)
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
      if readable(reading, candidate)?.revision != nil { return write(candidate, move) }
      return confirm(move, rest)
    default:
      preconditionFailure("the event does not answer the action that was given")
    }
  }

  // MARK: Survey (R20): is the payload new, and which ids must ours exceed?

  private mutating func survey(_ ids: [RevisionID]) -> Action {
    var candidates = Set(ids)
    if let named = pointer.revisionID {
      // None below the pointer: where it names nothing readable, only a newer revision can mend it.
      candidates = candidates.filter { $0 > named }
      candidates.insert(named)
    }
    greatestSeen = candidates.max()
    return compareNext(candidates.sorted(by: >)[...])
  }

  private mutating func compareNext(_ candidates: ArraySlice<RevisionID>) -> Action {
    guard let first = candidates.first else {
      state = .minting
      return .mint
    }
    state = .comparing(with: first, rest: Array(candidates.dropFirst()))
    return .readRevision(first)
  }

  private mutating func compare(
    _ id: RevisionID, _ reading: RevisionReading, _ rest: [RevisionID]
  ) -> Action {
    guard let stored = readable(reading, id), let revision = stored.revision else {
      return compareNext(rest[...])
    }
    switch DraftComparison(
      of: draft, with: revision, under: id, conforms: stored.violations.isEmpty)
    {
    case .same: break
    case .keepsNewer(let capturedAt): return end(.keptNewer(id, capturedAt: capturedAt))
    case .differs:
      state = .minting
      return .mint
    }
    (storedRevision, greatestSeen) = (id, nil)
    // Healing: an equal revision whose writer died before its pointer gets the pointer now.
    let isBehind = pointer.revisionID.map { $0 < id } ?? true
    guard movesPointer, isBehind else { return end(.unchanged(id)) }
    return write(id, PointerMove(mine: id, target: id, isUnchanged: true))
  }

  // MARK: The revision (R21, R22, R23)

  private mutating func mint(_ now: Timestamp, _ entropy: UInt32) -> Action {
    let floor = greatestSeen.map { $0.timestamp.adding(seconds: 1) }
    // No second follows the calendar's last: an id in it could be the greater by chance alone.
    if let greatestSeen, let floor, floor > .last { return fail(.noGreaterID(greatestSeen)) }
    let moment = max(now, floor ?? now)
    let id = RevisionID(at: moment, entropy: entropy)
    let body = draft.revision(at: moment).encoded
    guard body.count <= DailyRevision.maximumBytes else { return fail(.tooLarge(body.count)) }
    let attempt = Attempt(id: id, body: body)
    (sentRevision, greatestSeen) = (id, id)
    state = .creating(attempt)
    return .createRevision(id, body: body)
  }

  private mutating func created(_ attempt: Attempt, _ answer: PutAnswer) -> Action {
    switch answer {
    case .stored: return placePointer(attempt.id)
    case .refused, .unknown:
      // Our own earlier send, unanswered, may be what stands there: only the bytes can tell.
      hasUnclearCreate = true
      state = .readingBack(attempt)
      return .readRevision(attempt.id)
    }
  }

  private mutating func readBack(_ attempt: Attempt, _ reading: RevisionReading) -> Action {
    if reading.body == attempt.body { return placePointer(attempt.id) }
    sends += 1
    guard sends < Self.maximumAttempts else { return fail(.revisionUnconfirmed(attempt.id)) }
    guard reading == .absent else {
      // Another revision has this id: mint one above it.
      state = .minting
      return .mint
    }
    state = .restingBeforeCreate(attempt)
    return .backOff(attempt: sends)
  }

  // MARK: The pointer (R24 to R26)

  private mutating func placePointer(_ id: RevisionID) -> Action {
    storedRevision = id
    // What no later decision needs is forgotten: equal futures are equal values.
    (greatestSeen, sends, hasUnclearCreate) = (nil, 0, false)
    guard movesPointer else { return end(.pointerSkipped(id)) }
    return write(id, PointerMove(mine: id, target: id, isUnchanged: false))
  }

  private mutating func write(_ target: RevisionID, _ move: PointerMove) -> Action {
    var next = move
    next.target = target
    sends += 1
    state = .moving(next)
    let value = LatestPointer(date: draft.day.date, revisionID: target)
    return .writePointer(value, if: pointer.replacement)
  }

  private mutating func moved(_ move: PointerMove, _ answer: PutAnswer) -> Action {
    if answer == .stored { return end(outcome(move, pointerAt: move.target)) }
    guard sends < Self.maximumAttempts else { return fail(.pointerContended(move.mine)) }
    state = .restingBeforeRead(move)
    pointer = .absent
    return .backOff(attempt: sends)
  }

  private mutating func reread(_ move: PointerMove, _ reading: PointerReading) -> Action {
    pointer = reading
    guard let named = reading.revisionID else {
      // Absent or corrupt: it may have named a newer revision, which only a listing can tell (R26).
      state = .relisting(move)
      return .listRevisions(after: move.mine)
    }
    if named >= move.mine { return end(outcome(move, pointerAt: named)) }
    return write(move.mine, move)
  }

  private mutating func confirm(_ move: PointerMove, _ candidates: [RevisionID]) -> Action {
    guard let first = candidates.first else { return write(move.mine, move) }
    state = .confirming(move, candidate: first, rest: Array(candidates.dropFirst()))
    return .readRevision(first)
  }

  // MARK: Endings

  private func outcome(_ move: PointerMove, pointerAt id: RevisionID) -> PublishOutcome {
    if move.isUnchanged { return .unchanged(move.mine) }
    return id > move.mine ? .superseded(move.mine, by: id) : .published(move.mine)
  }

  /// What a stored revision says, as readers take it (R41); nil where there is none to read.
  package func readable(
    _ reading: RevisionReading, _ id: RevisionID
  ) -> DailyRevision.Decoded? {
    reading.body.map {
      DailyRevision.decode($0, date: draft.day.date, id: id, boundaries: .asWritten)
    }
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

import ObjectStore

/// Determines from a bucket's behaviour what its conditional writes guarantee (R28).
///
/// Pure: it returns the next action and receives the answer. "Accepts the header" does not mean
/// "honours it", and "honours it" does not mean "atomic". So after every refusal it reads what is
/// stored.
struct ConditionalWriteProbe {
  /// A scratch object.
  enum Slot: Hashable, Sendable {
    /// An object that is created and replaced.
    case main
    /// An object that must never exist.
    case missing
    /// An object for which writers race in one round.
    case raced(round: Int, lane: Int)
  }

  enum Condition: Hashable, Sendable {
    case absent
    case matches(ETag, ETagSpelling)
    /// No condition at all.
    case none
  }

  /// An object that is raced for.
  struct Heat: Hashable, Sendable {
    let slot: Slot
    let condition: Condition
    /// What is stored: the number of the body; nil for nothing.
    let before: Int?

    init(_ slot: Slot, _ condition: Condition, before: Int? = nil) {
      (self.slot, self.condition, self.before) = (slot, condition, before)
    }
  }

  enum Action: Hashable, Sendable {
    case put(Slot, body: Int, Condition)
    case read(Slot)
    /// Checks whether a listing shows the main slot.
    case list
    /// Sends this many writes to each object, all at once, and then reads the objects.
    case race([Heat], writers: Int)
    case finish
  }

  enum Answer: Sendable {
    case stored(ETag)
    case refused
    /// The store does not take such a request.
    case notTaken(StoreError)
    case failed(StoreError)
    /// What is stored: the number of the body.
    case found(body: Int, ETag)
    case nothing
    case listed(isShown: Bool)
    /// What became of each object, and how many writes were certainly under way at one moment.
    case raced([Heat], [Lane], met: Int)
  }

  /// The step whose answer comes next.
  ///
  /// A stage is reached only if all earlier ones went as they should, and `compareAndSwap` is the
  /// verdict only after the last. So a missing, unclear or surprising answer can make the verdict
  /// weaker, but never stronger. No two writes have the same bytes, so that a read shows which of
  /// them is stored.
  enum Stage: Hashable, Sendable {
    /// Reads and lists what is not there yet, so that what answers from a copy has one.
    case readBefore
    case listBefore
    /// Creates a key that was never used before, so that a refusal concerns the condition and not
    /// the object.
    case create
    /// Creates it without a condition, to find out whether the condition is what is refused.
    case createPlainly
    /// Writes other bytes to the same key, which must be refused.
    case createTwice
    /// A server can refuse a write and apply it anyway. Only what is stored shows this.
    case readCreated
    /// Readers without a pointer depend on listings that show what was written.
    case list
    /// Uses an etag that the object never had, before any that it has. A store that ignores
    /// `If-Match` writes here. So it is found out before a valid replace could make it look
    /// correct.
    case replaceByStale
    /// Uses the object's own etag, to find a store that refuses every `If-Match`. If the quoted
    /// spelling is refused, the bare one is tried.
    case replace(ETagSpelling)
    /// Uses the object's previous etag, in the spelling that works: a store may compare one
    /// spelling and ignore the other.
    case replaceByOld(ETagSpelling)
    case readReplaced(ETagSpelling)
    /// `If-Match` must not create an object.
    case replaceMissing(ETagSpelling)
    case readMissing(ETagSpelling)
    /// Concurrent writers. The answers alone do not prove who won, and a writer whose answer was
    /// lost may have won, so what is stored counts.
    case raceCreate(ETagSpelling, round: Int)
    case raceReplace(ETagSpelling, round: Int)
    /// Reads and lists what was written last, before a verdict that promises nothing: whether reads
    /// show it is a question of its own.
    case readLast(body: Int, ProbeVerdict)
    case listLast(ProbeVerdict)
    case done
  }

  /// Nil for the sequential steps only.
  var race: Race?
  private(set) var steps: [ProbeStep] = []
  private(set) var verdict: ProbeVerdict?
  private var stage = Stage.create
  var firstETag = ETag("")
  var currentETag = ETag("")
  /// The races that showed nothing.
  var emptyRaces = 0

  init(race: Race? = nil) { self.race = race }

  /// The first action.
  mutating func begin() -> Action { go(.readBefore, .read(.main)) }

  /// The action after the answer to the last one.
  mutating func next(_ answer: Answer) -> Action {
    // At any stage: what was seen so far is not enough for a verdict, so none is kept (R28).
    // What is not allowed before anything is written will not be allowed later.
    if case .failed(let error) = answer, error.isPolicyDenial {
      if stage == .readBefore { return go(.listBefore, .list) }
      if stage == .listBefore { return create() }
    }
    if case .failed(let error) = answer {
      note("ask the store", "a clear answer", error.description, .unclear)
      if error.isPolicyDenial { return finish(.denied(error)) }
      return finish(.unknown(error))
    }
    switch stage {
    case .readBefore: return afterReadingBefore(answer)
    case .listBefore: return afterListingBefore(answer)
    case .createPlainly: return afterCreatingPlainly(answer)
    case .readLast(let body, let verdict): return afterReadingLast(answer, body, verdict)
    case .listLast(let verdict): return afterListingLast(answer, verdict)
    case .create: return afterCreate(answer)
    case .createTwice: return afterCreatingTwice(answer)
    case .readCreated: return afterReadingCreated(answer)
    case .list: return afterListing(answer)
    case .replaceByStale: return afterReplacingByStale(answer)
    case .replace(let spelling): return afterReplacing(answer, spelling)
    case .replaceByOld(let spelling): return afterReplacingByOld(answer, spelling)
    case .readReplaced(let spelling): return afterReadingReplaced(answer, spelling)
    case .replaceMissing(let spelling): return afterReplacingMissing(answer, spelling)
    case .readMissing(let spelling): return afterReadingMissing(answer, spelling)
    case .raceCreate(let spelling, let round):
      return afterRacing(answer, spelling, round, creates: true)
    case .raceReplace(let spelling, let round):
      return afterRacing(answer, spelling, round, creates: false)
    case .done: return .finish
    }
  }

  mutating func go(_ stage: Stage, _ action: Action) -> Action {
    self.stage = stage
    return action
  }

  mutating func finish(_ verdict: ProbeVerdict) -> Action {
    self.verdict = verdict
    return go(.done, .finish)
  }

  /// Ends the probe with what a step has shown.
  mutating func finish(
    _ verdict: ProbeVerdict, because name: String, expected: String, seen: String
  ) -> Action {
    note(name, expected, seen, .failed)
    return finish(verdict)
  }

  mutating func note(
    _ name: String, _ expected: String, _ seen: String, _ outcome: ProbeStep.Outcome
  ) {
    steps.append(ProbeStep(name: name, expected: expected, seen: seen, outcome: outcome))
  }

  /// An answer that does not belong to the action. Servers can't cause this, because every answer
  /// is classified.
  mutating func confused() -> Action {
    finish(.unknown(StoreError(.internal, "the probe got an answer to another question")))
  }
}

extension StoreError {
  /// True if the store knows the credentials but does not allow this request. False if it does not
  /// accept them at all, as with a wrong signature or an expired session.
  fileprivate var isPolicyDenial: Bool {
    code == .notAuthorized && serverDetail?.hasPrefix("AccessDenied") == true
  }
}

extension ConditionalWriteProbe.Answer {
  var isRefusal: Bool {
    if case .refused = self { true } else { false }
  }

  /// For a report.
  var words: String {
    switch self {
    case .stored: "written"
    case .refused: "refused"
    case .notTaken(let error): error.serverDetail ?? "not implemented"
    case .failed(let error): error.description
    case .found(let body, _): "body \(body)"
    case .nothing: "nothing"
    case .listed(let isShown): isShown ? "listed" : "not listed"
    case .raced: "raced"
    }
  }
}

import ObjectStore

/// Finds out by behaviour what a bucket's conditional writes are worth (R28).
///
/// Pure: says what to do next and takes the answer. "Accepts the header" is not "honours it", and
/// "honours it" is not "atomic": every refusal is followed by a look at what is stored.
struct ConditionalWriteProbe {
  /// A scratch object.
  enum Slot: Hashable, Sendable {
    /// Is created and replaced.
    case main
    /// Must never exist.
    case missing
    /// Is raced for in a round.
    case raced(round: Int)
  }

  enum Condition: Hashable, Sendable {
    case absent
    case matches(ETag, ETagSpelling)
  }

  enum Action: Hashable, Sendable {
    case put(Slot, body: Int, Condition)
    case read(Slot)
    /// Whether a listing shows the main slot.
    case list
    /// As many writes at once, with the bodies `firstBody` and on.
    case race(Slot, firstBody: Int, count: Int, Condition)
    case finish
  }

  enum Answer: Sendable {
    case stored(ETag)
    case refused
    case notImplemented(StoreError)
    case failed(StoreError)
    /// What is stored: the number of the body, -1 where it is none of ours.
    case found(body: Int, ETag)
    case nothing
    case listed(isShown: Bool)
    /// The bodies that got a clean 2xx, and how many writes got no clear answer.
    case raced(winners: [Int], unclear: Int)
  }

  /// How many writers at once, and how often.
  struct Race: Hashable, Sendable {
    var writers = 16
    var rounds = 5
  }

  /// What the next answer will be to.
  ///
  /// A stage is reached only where all before it went as they should, and `compareAndSwap` is given
  /// only after the last: an answer that is missing, poor or surprising can make the verdict weaker,
  /// never stronger. No two writes have the same bytes, so that a read tells which of them is stored.
  enum Stage: Hashable, Sendable {
    /// Under a name that nobody used before: a refusal is about the condition, not the object.
    case create
    /// Other bytes to the same key: must be refused.
    case createTwice
    /// A server can refuse and write all the same: only what is stored tells.
    case readCreated
    /// Readers without a pointer rely on listings that show what was written.
    case list
    /// By an etag that the object never had, before any that it has: a store that does not look at
    /// `If-Match` writes here, and is found out before a sound replace could make it look honest.
    case replaceByStale
    /// By its own etag: a store that refuses every `If-Match` is found out. The bare spelling is
    /// tried where the quoted one is refused.
    case replace(ETagSpelling)
    /// By the etag that was its own a moment ago, in the spelling that works: a store may compare one
    /// spelling and ignore the other.
    case replaceByOld(ETagSpelling)
    case readReplaced(ETagSpelling)
    /// `If-Match` must not create an object.
    case replaceMissing(ETagSpelling)
    case readMissing(ETagSpelling)
    /// Writers at the same time. Winners and the number of unclear answers are kept for the read,
    /// since a writer whose answer was lost may be the one who won.
    case raceCreate(ETagSpelling, round: Int)
    case readRaceCreated(ETagSpelling, round: Int, winners: [Int], unclear: Int)
    case raceReplace(ETagSpelling, round: Int)
    case readRaceReplaced(ETagSpelling, round: Int, winners: [Int], unclear: Int)
    case done
  }

  /// Nil for the sequential steps alone.
  let race: Race?
  private(set) var steps: [ProbeStep] = []
  private(set) var verdict: ProbeVerdict?
  private var stage = Stage.create
  var firstETag = ETag("")
  var currentETag = ETag("")

  init(race: Race? = nil) { self.race = race }

  /// What to do first.
  mutating func begin() -> Action { go(.create, .put(.main, body: 1, .absent)) }

  /// What to do after the answer to the last action.
  mutating func next(_ answer: Answer) -> Action {
    // At any stage: what was seen so far is not enough for a verdict, and is not kept (R28).
    if case .failed(let error) = answer {
      note("ask the store", "a clear answer", error.description, .unclear)
      if error.isPolicyDenial { return finish(.denied(error)) }
      return finish(.unknown(error))
    }
    switch stage {
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
      return afterRacing(answer, round) {
        .readRaceCreated(spelling, round: round, winners: $0, unclear: $1)
      }
    case .readRaceCreated(let spelling, let round, let winners, let unclear):
      return afterReadingRaceCreated(answer, spelling, round, winners, unclear)
    case .raceReplace(let spelling, let round):
      return afterRacing(answer, round) {
        .readRaceReplaced(spelling, round: round, winners: $0, unclear: $1)
      }
    case .readRaceReplaced(let spelling, let round, let winners, let unclear):
      return afterReadingRaceReplaced(answer, spelling, round, winners, unclear)
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

  /// Ends the probe with what a step has shown of the store.
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

  /// An answer that does not fit the action: never from a server, whose every answer is sorted.
  mutating func confused() -> Action {
    finish(.unknown(StoreError(.internal, "the probe got an answer to another question")))
  }
}

extension StoreError {
  /// True where the store knows the credentials and does not allow this; false where it does not
  /// take them at all, as with a wrong signature or an expired session.
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
    case .notImplemented(let error): error.serverDetail ?? "not implemented"
    case .failed(let error): error.description
    case .found(let body, _): body < 0 ? "a foreign body" : "body \(body)"
    case .nothing: "nothing"
    case .listed(let isShown): isShown ? "listed" : "not listed"
    case .raced(let winners, let unclear): "\(winners.count) winners, \(unclear) unclear"
    }
  }
}

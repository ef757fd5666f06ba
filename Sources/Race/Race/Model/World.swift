import HealthLedger
package import HealthModel

/// Everything that a race's next steps depend on: the store, the clients, the requests in flight,
/// and what may still go wrong. A value, in the codes of `Codes`.
struct World: Hashable {
  struct Stored: Hashable {
    var id: Codes.ID
    var body: Int
  }

  /// A write in flight.
  struct Write: Hashable {
    enum Target: Hashable {
      case pointer
      case revision(body: Int)
    }
    var id: Codes.ID
    var target: Target
    var condition: Automata.Condition
  }

  struct Client: Hashable {
    /// The state of its machine; `crashed` if it has none.
    var node: Int32
    var starts: UInt8 = 1
    /// Only for a store that checks outside its lock: the result of the check before the write.
    var check: Check = .none
    /// True if, since its first request, the day's newest readable revision has had the writer's
    /// data or data that was captured later.
    var isKept = false
    /// Sends of the current object: counted up for a revision, down for the pointer; 0 if sends are
    /// not counted.
    var sends: Int8 = 0

    enum Check: Hashable {
      case none
      case passed
      case failed
    }

    static let crashed: Int32 = -1
  }

  struct Reader: Hashable {
    var node: Int32
    /// Resolves that remain, including the current one.
    var remaining: UInt8
    /// The greatest answer or acknowledgement before this resolve began.
    var floor: Codes.ID?
  }

  var pointer: Codes.PointerCode = 0
  /// The greatest id that the pointer has ever named.
  var high: Codes.ID = 0
  var revisions: [Stored] = []
  var writers: [Client] = []
  var readers: [Reader] = []
  /// Writes that nobody waits for any more, in a fixed order.
  var late: [Write] = []
  var faults: Int8 = 0
  var crashes: Int8 = 0
  var interference: Int8 = 0
  /// Which interference has happened.
  var deeds: UInt8 = 0
  /// The greatest acknowledged id.
  var acknowledged: Codes.ID = 0
  /// The writers whose publish was acknowledged, a bit for each.
  var told: UInt8 = 0
  /// The greatest id that a reader got.
  var answered: Codes.ID = 0
  /// What a stale read shows: the pointer before its last change, and the revision that it misses.
  var stalePointer: Codes.PointerCode = 0
  var newest: Codes.ID = 0

  func body(of id: Codes.ID) -> Int { revisions.first { $0.id == id }?.body ?? 0 }

  mutating func store(_ id: Codes.ID, _ body: Int) {
    let place = revisions.firstIndex { $0.id >= id } ?? revisions.endIndex
    if place < revisions.endIndex, revisions[place].id == id {
      revisions[place].body = body
    } else {
      revisions.insert(Stored(id: id, body: body), at: place)
    }
  }

  mutating func add(late write: Write) {
    let place = late.firstIndex { $0.order >= write.order } ?? late.endIndex
    late.insert(write, at: place)
  }
}

extension World.Write {
  fileprivate var order: Int {
    switch target {
    case .pointer: id << 1
    case .revision: id << 1 | 1
    }
  }
}

/// One step of a race.
package enum Step: Hashable, Sendable {
  /// A writer's request reaches the store or not, and its answer comes back or not.
  case advance(Int, RequestOutcome)
  /// A writer dies. The write that it was sending is lost or arrives later.
  case crash(Int, leavesWrite: Bool)
  case restart(Int)
  /// A reader's request.
  case read(Int, isStale: Bool)
  /// A write arrives that nobody waits for any more.
  case arrive(Int)
  case interfere(Interference)

  package enum Interference: String, CaseIterable, Hashable, Sendable {
    case deletePointer = "delete-pointer"
    case overwritePointer = "overwrite-pointer"
    case brokenRevision = "broken-revision"
  }
}

/// A promise broken by a step.
package enum Breach: Hashable, Sendable {
  case pointerWentBack(from: RevisionID, to: RevisionID)
  case pointerDangles(RevisionID)
  case pointerRewritten(RevisionID)
  case pointerUnproven(RevisionID)
  case revisionOverwritten(RevisionID)
  case acknowledgedBehind(RevisionID)
  case acknowledgedMissing(RevisionID)
  case acknowledgedAnother(RevisionID)
  case wordForgotten(Int)
  case outcomeUntrue(String)
  case storedTwice(RevisionID)
  case answeredTooLow(RevisionID?, floor: RevisionID)
  case publishFailed(String)
  case notLinearizable(String)
  case tooManyRequests(Int)
  case tooManySends
  case neverEnds
}

extension Breach: CustomStringConvertible {
  /// One clause.
  package var description: String {
    switch self {
    case .pointerWentBack(let from, let to): "latest.json went back from \(from) to \(to)"
    case .pointerDangles(let id): "latest.json names \(id), but there is no such readable revision"
    case .pointerRewritten(let id): "latest.json was overwritten with \(id), which it already named"
    case .pointerUnproven(let id):
      "latest.json was written with \(id) in a store without compare-and-swap"
    case .revisionOverwritten(let id): "revision \(id) was overwritten with other bytes"
    case .acknowledgedBehind(let id): "\(id) was acknowledged, but latest.json never reached it"
    case .acknowledgedMissing(let id): "\(id) was acknowledged, but there is no such revision"
    case .acknowledgedAnother(let id): "\(id) was acknowledged, but it lacks what its writer said"
    case .wordForgotten(let writer):
      "what writer \(writer + 1) said was acknowledged, and the next publish will not find it"
    case .outcomeUntrue(let outcome): "a publish ended as \(outcome), which is not true"
    case .storedTwice(let id):
      "\(id) was stored, although the newest revision held the same or newer data all along"
    case .answeredTooLow(let answer, let floor):
      "a reader got \(answer.map { "\($0)" } ?? "nothing") after \(floor) was known"
    case .publishFailed(let why): "a publish failed without need: \(why)"
    case .notLinearizable(let why): "no order of the publishes and reads explains it: \(why)"
    case .tooManyRequests(let count): "one publish or resolve made \(count) requests"
    case .tooManySends: "one object was sent more than \(PublishMachine.maximumAttempts) times"
    case .neverEnds: "a publish or resolve can loop forever without any fault"
    }
  }

  /// The name of the oracle, for tables.
  package var oracle: String {
    switch self {
    case .pointerWentBack: "pointer went back"
    case .pointerDangles: "pointer dangles"
    case .pointerRewritten: "pointer rewritten"
    case .pointerUnproven: "pointer without compare-and-swap"
    case .revisionOverwritten: "revision overwritten"
    case .acknowledgedBehind: "acknowledged, pointer behind"
    case .acknowledgedMissing: "acknowledged, revision missing"
    case .acknowledgedAnother: "acknowledged, other data"
    case .wordForgotten: "acknowledged, forgotten"
    case .outcomeUntrue: "outcome untrue"
    case .storedTwice: "stored twice"
    case .answeredTooLow: "reader answered too low"
    case .publishFailed: "publish failed without need"
    case .notLinearizable: "not linearizable"
    case .tooManyRequests: "too many requests"
    case .tooManySends: "too many sends"
    case .neverEnds: "never ends"
    }
  }
}

/// Everything that a race's next steps depend on: the store, the clients, the requests in flight,
/// and what may still go wrong. A value, in the codes of `Codes`.
struct LedgerState: Hashable {
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

extension LedgerState.Write {
  fileprivate var order: Int {
    switch target {
    case .pointer: id << 1
    case .revision: id << 1 | 1
    }
  }
}

extension LedgerState.Client {
  static let done: Int32 = -2

  var isRunning: Bool { node >= 0 }
}

extension Automata.Request {
  var isWrite: Bool {
    switch self {
    case .create, .writePointer: true
    default: false
    }
  }
}

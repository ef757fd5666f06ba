import HealthLedger
import HealthModel
import ObjectStore

/// The ledger's machines as automata. Each state is stored once and numbered. Each transition is
/// computed once by the real machine with real documents, and then looked up.
struct Automata {
  /// The next action of a writer's or a reader's state, in codes.
  enum Request: Hashable {
    case readPointer
    case list(after: Codes.ID)
    case readRevision(Codes.ID)
    case create(Codes.ID, body: Int)
    case writePointer(Codes.ID, Condition)
    case mint
    case acknowledge(Codes.ID, Success)
    case fail(Failure)
    /// What a reader gets.
    case answer(Codes.ID)
  }

  /// A `PublishOutcome` in codes. Requests are copied at every step and hold no references.
  enum Success: Hashable {
    case published
    case superseded(by: Codes.ID)
    case unchanged
    case pointerSkipped
  }

  /// A `PublishFailure` that can occur in a schedule.
  enum Failure: String {
    case revisionUnconfirmed = "the revision was never confirmed"
    case pointerContended = "the pointer could not be moved"
    case noGreaterID = "no greater id exists"
    case neverSettled = "others published all the time"
    case badDraft = "the draft is invalid"
  }

  /// A write's precondition, in codes.
  enum Condition: Hashable {
    case absent
    case matches(Codes.PointerCode)
    case none
  }

  /// What a writer or reader receives, with a number in codes.
  enum EventKind: Int, Hashable {
    case pointer
    case revisions
    case revision
    /// 0 stored, 1 refused, 2 unknown.
    case put
    case minted
  }

  /// The known transitions of one state. They are few, so searching them is faster than hashing.
  private struct Edges {
    private var labels: [Int] = []
    private var targets: [Int32] = []

    subscript(kind: EventKind, value: Int) -> Int32? {
      let label = value << 3 | kind.rawValue
      for place in labels.indices where labels[place] == label { return targets[place] }
      return nil
    }

    mutating func add(_ kind: EventKind, _ value: Int, to target: Int32) {
      labels.append(value << 3 | kind.rawValue)
      targets.append(target)
    }
  }

  private enum Machine: Hashable {
    case writer(Writer, Writer.Call)
    case reader(ResolveMachine)
  }

  private struct Node {
    let machine: Machine
    let request: Request
    var edges = Edges()
    /// Whether it continues in the same way after a refusal and after no answer; nil if not determined
    /// yet.
    var isAlike: Bool?
  }

  var codes: Codes
  /// False if no schedule can use up the sends of a publish. Then states do not differ by them.
  let countsSends: Bool
  private(set) var branches: Set<PublishBranch> = []
  private var nodes: [Node] = []
  /// Nodes by the hash of their machine, which is computed once because states are large.
  private var numbers: [Int: [Int32]] = [:]
  private var lists: [[Codes.ID]] = []
  private var listNumbers: [[Codes.ID]: Int] = [:]

  init(date: CalendarDate, countsSends: Bool) {
    codes = Codes(date: date)
    self.countsSends = countsSends
  }

  mutating func start(_ draft: DayDraft, movesPointer: Bool, flaw: LedgerFlaw?) -> Int32 {
    var writer = Writer(draft, movesPointer: movesPointer, flaw: flaw)
    let call = writer.start()
    return number(writer, call)
  }

  mutating func startReader() -> Int32 {
    var machine = ResolveMachine(codes.date)
    let action = machine.start()
    return number(machine, action)
  }

  func request(_ node: Int32) -> Request { nodes[Int(node)].request }

  mutating func next(_ node: Int32, _ kind: EventKind, _ value: Int) -> Int32 {
    if let known = nodes[Int(node)].edges[kind, value] { return known }
    let request = nodes[Int(node)].request
    let next: Int32
    switch nodes[Int(node)].machine {
    case .writer(let before, let asked):
      let event = event(kind, value, request)
      var writer = before
      let call = writer.handle(event)
      branches.formUnion(branchesTaken(before, asked, event, call))
      next = number(writer, call)
    case .reader(var machine):
      let event: ResolveMachine.Event =
        switch kind {
        case .pointer: .pointer(codes.pointer(value))
        case .revisions: .revisions(lists[value].map(Codes.revisionID))
        default: .revision(codes.revision(value, request.revision))
        }
      let action = machine.handle(event)
      next = number(machine, action)
    }
    nodes[Int(node)].edges.add(kind, value, to: next)
    return next
  }

  /// Whether a writer continues in the same way after a refusal and after no answer.
  mutating func takesAlike(_ node: Int32) -> Bool {
    if let known = nodes[Int(node)].isAlike { return known }
    let isSame = peek(node, 1) == peek(node, 2)
    nodes[Int(node)].isAlike = isSame
    return isSame
  }

  /// The state after an answer to a write, without counting its branches as taken.
  private mutating func peek(_ node: Int32, _ answer: Int) -> Int32 {
    guard case .writer(var writer, _) = nodes[Int(node)].machine else { return node }
    let call = writer.handle(event(.put, answer, nodes[Int(node)].request))
    return number(writer, call)
  }

  /// The number of a list of ids, for `next`.
  mutating func list(_ ids: [Codes.ID]) -> Int {
    if let known = listNumbers[ids] { return known }
    lists.append(ids)
    listNumbers[ids] = lists.count - 1
    return lists.count - 1
  }

  private func branchesTaken(
    _ before: Writer, _ asked: Writer.Call, _ event: PublishMachine.Event, _ call: Writer.Call
  ) -> [PublishBranch] {
    let action: PublishMachine.Action =
      switch asked {
      case .ledger(let action): action
      case .writePointer(let value, let precondition):
        .writePointer(value, if: precondition ?? .absent)
      }
    return PublishBranch.taken(before.machine, action, event, call)
  }

  private mutating func event(
    _ kind: EventKind, _ value: Int, _ request: Request
  ) -> PublishMachine.Event {
    switch kind {
    case .pointer: .pointer(codes.pointer(value))
    case .revisions: .revisions(lists[value].map(Codes.revisionID))
    case .revision: .revision(codes.revision(value, request.revision))
    case .put: .put(value == 0 ? .stored : value == 1 ? .refused : .unknown)
    case .minted: .minted(now: Codes.moment(value), entropy: Codes.entropy(value))
    }
  }

  private mutating func number(_ counted: Writer, _ call: Writer.Call) -> Int32 {
    let writer = counted.deciding(countsSends: countsSends)
    return number(Node(machine: .writer(writer, call), request: request(of: call)), writer.sketch)
  }

  private mutating func number(
    _ machine: ResolveMachine, _ action: ResolveMachine.Action
  ) -> Int32 {
    let request: Request =
      switch action {
      case .readPointer: .readPointer
      case .listRevisions(let after): .list(after: after.map(Codes.id) ?? 0)
      case .readRevision(let id): .readRevision(Codes.id(id))
      case .finish(let resolution): .answer(resolution.latest.map { Codes.id($0.id) } ?? 0)
      }
    return number(Node(machine: .reader(machine), request: request), machine.hashValue)
  }

  private mutating func number(_ node: Node, _ hash: Int) -> Int32 {
    // An ended machine forgets its answer, so its state alone does not identify it.
    for known in numbers[hash] ?? [] {
      let other = nodes[Int(known)]
      if other.request == node.request, other.machine == node.machine { return known }
    }
    let number = Int32(nodes.count)
    nodes.append(node)
    numbers[hash, default: []].append(number)
    return number
  }

  private mutating func request(of call: Writer.Call) -> Request {
    switch call {
    case .ledger(.readPointer): return .readPointer
    case .ledger(.listRevisions): return .list(after: 0)
    case .ledger(.readRevision(let id)): return .readRevision(Codes.id(id))
    case .ledger(.createRevision(let id, let body)):
      return .create(Codes.id(id), body: codes.body(body, id))
    case .ledger(.mint): return .mint
    case .ledger(.finish(let outcome)):
      return .acknowledge(Codes.id(outcome.revisionID), Success(outcome))
    case .ledger(.fail(let failure)): return .fail(Failure(failure))
    case .ledger(.writePointer(let value, let precondition)):
      return .writePointer(Codes.id(value.revisionID), condition(precondition))
    case .writePointer(let value, let precondition):
      return .writePointer(
        Codes.id(value.revisionID), precondition.map { condition($0) } ?? .none)
    case .ledger(.backOff): preconditionFailure("a writer has rested before it is numbered")
    }
  }

  private func condition(_ precondition: Precondition) -> Condition {
    switch precondition {
    case .absent: return .absent
    case .matches(let etag):
      guard let code = codes.pointerCode(etag) else {
        preconditionFailure("an etag comes from a pointer that was read")
      }
      return .matches(code)
    }
  }
}

extension Automata.Request {
  /// The revision that is read; 0 for another request.
  fileprivate var revision: Codes.ID { if case .readRevision(let id) = self { id } else { 0 } }
}

extension Automata.Success {
  init(_ outcome: PublishOutcome) {
    switch outcome {
    case .published: self = .published
    case .superseded(_, let by): self = .superseded(by: Codes.id(by))
    case .unchanged: self = .unchanged
    case .pointerSkipped: self = .pointerSkipped
    }
  }

  var word: String {
    switch self {
    case .published: "published"
    case .superseded: "superseded"
    case .unchanged: "unchanged"
    case .pointerSkipped: "pointer skipped"
    }
  }
}

extension Automata.Failure {
  init(_ failure: PublishFailure) {
    switch failure {
    case .revisionUnconfirmed: self = .revisionUnconfirmed
    case .pointerContended: self = .pointerContended
    case .noGreaterID: self = .noGreaterID
    case .neverSettled: self = .neverSettled
    case .invalid, .tooLarge, .newerRules: self = .badDraft
    }
  }
}

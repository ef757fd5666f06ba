import HealthModel

/// Records what the clients of a ledger see, one moment per step.
struct Recorder {
  /// The moment of the step that is being taken.
  var time = 0
  /// Publishes and resolves as operations on a max-register. Values are codes of ids.
  private(set) var operations: [RegisterOperation]
  /// The raw pointer, at the beginning and after each change.
  private(set) var pointers: [(time: Int, code: Codes.PointerCode)] = []
  /// The clients of `operations`: writers from 0, readers from 100, -1 for the initial state.
  private(set) var clients: [Int]
  /// For each of `operations`, the code of the written bytes and the number of the publish's
  /// requests; 0 for a read, or if unknown.
  private(set) var details: [Detail]
  /// How the last publish ended, for people.
  private(set) var outcome: String?
  private(set) var requests: [Int]
  private(set) var readersRequests: [Int]
  private var begun: [Int?]
  /// The index in `operations` of each writer's open write.
  private var open: [Int?]
  private var readersBegun: [Int?]

  struct Detail: Hashable {
    var body = 0
    var requests = 0
  }

  init(_ state: LedgerState) {
    operations = []
    clients = []
    details = []
    operations.reserveCapacity(12)
    clients.reserveCapacity(12)
    details.reserveCapacity(12)
    requests = [Int](repeating: 0, count: state.writers.count)
    readersRequests = [Int](repeating: 0, count: state.readers.count)
    begun = [Int?](repeating: nil, count: state.writers.count)
    open = begun
    readersBegun = [Int?](repeating: nil, count: state.readers.count)
    if state.acknowledged > 0 {
      let body = state.body(of: state.acknowledged)
      add(.init(.write, state.acknowledged, from: -2, to: -1), -1, Detail(body: body))
    }
    pointers.append((-1, state.pointer))
  }

  /// Records a writer's request before it is made.
  mutating func asks(_ index: Int, _ request: Automata.Request) {
    if begun[index] == nil { begun[index] = time }
    requests[index] += 1
    guard case .create(let id, let body) = request else { return }
    if let known = open[index], operations[known].value == id { return }
    open[index] = operations.count
    add(.init(.write, id, from: begun[index] ?? time), index, Detail(body: body))
  }

  mutating func ended(_ index: Int, _ request: Automata.Request) {
    defer { forget(index) }
    switch request {
    case .acknowledge(let id, let outcome):
      self.outcome = "\(outcome.word) \(Codes.revisionID(id))"
    case .fail(let failure): outcome = "fails: \(failure.word)"
    default: break
    }
    guard case .acknowledge(let id, _) = request else { return }
    if let known = open[index], operations[known].value == id {
      operations[known].to = time
      details[known].requests = requests[index]
    } else {
      let write = RegisterOperation(.write, id, from: begun[index] ?? time, to: time)
      add(write, index, Detail(requests: requests[index]))
    }
  }

  mutating func forget(_ index: Int) {
    (begun[index], open[index], requests[index]) = (nil, nil, 0)
  }

  mutating func reads(_ index: Int) {
    if readersBegun[index] == nil { readersBegun[index] = time }
    readersRequests[index] += 1
  }

  mutating func answered(_ index: Int, _ id: Codes.ID) {
    add(.init(.read, id, from: readersBegun[index] ?? time, to: time), 100 + index, Detail())
    (readersBegun[index], readersRequests[index]) = (nil, 0)
  }

  private mutating func add(_ operation: RegisterOperation, _ client: Int, _ detail: Detail) {
    operations.append(operation)
    clients.append(client)
    details.append(detail)
  }

  mutating func sees(_ code: Codes.PointerCode) { pointers.append((time, code)) }
}

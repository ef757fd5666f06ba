import HealthModel

/// Records what the clients of a ledger see, one moment per step.
struct Recorder {
  /// A publish or a resolve as an operation on a max-register. Values are codes of ids.
  struct Entry {
    /// Writers from 0, readers from 100, -1 for the initial state.
    let client: Int
    var operation: RegisterOperation
    /// The code of the written bytes, and the number of the publish's requests; 0 for a read, or if
    /// unknown.
    var body = 0
    var requests = 0
  }

  /// A client's publish or resolve that has begun.
  private struct Course {
    var begun: Int?
    var requests = 0
    /// The place of a writer's open write in `entries`.
    var open: Int?
  }

  /// The moment of the step that is being taken.
  var time = 0
  private(set) var entries: [Entry] = []
  /// The raw pointer, at the beginning and after each change.
  private(set) var pointers: [(time: Int, code: Codes.PointerCode)] = []
  /// How the last publish ended, for people.
  private(set) var outcome: String?
  private var writers: [Course]
  private var readers: [Course]

  init(_ state: LedgerState) {
    entries.reserveCapacity(12)
    writers = state.writers.map { _ in Course() }
    readers = state.readers.map { _ in Course() }
    if state.acknowledged > 0 {
      let before = RegisterOperation(.write, state.acknowledged, from: -2, to: -1)
      entries.append(
        Entry(client: -1, operation: before, body: state.body(of: state.acknowledged)))
    }
    pointers.append((-1, state.pointer))
  }

  /// Records a writer's request before it is made. Returns how many its publish has made.
  @discardableResult
  mutating func asks(_ index: Int, _ request: Automata.Request) -> Int {
    writers[index].begun = writers[index].begun ?? time
    writers[index].requests += 1
    if case .create(let id, let body) = request, !isOpen(index, id) {
      writers[index].open = entries.count
      add(.write, id, writers[index], client: index, body: body)
    }
    return writers[index].requests
  }

  mutating func ended(_ index: Int, _ request: Automata.Request) {
    switch request {
    case .acknowledge(let id, let outcome):
      self.outcome = "\(outcome.word) \(Codes.revisionID(id))"
      if !isOpen(index, id) {
        writers[index].open = entries.count
        add(.write, id, writers[index], client: index)
      }
      if let place = writers[index].open {
        entries[place].operation.to = time
        entries[place].requests = writers[index].requests
      }
    case .fail(let failure): outcome = "fails: \(failure.rawValue)"
    default: break
    }
    forget(index)
  }

  mutating func forget(_ index: Int) { writers[index] = Course() }

  /// Records a reader's request. Returns how many its resolve has made.
  mutating func reads(_ index: Int) -> Int {
    readers[index].begun = readers[index].begun ?? time
    readers[index].requests += 1
    return readers[index].requests
  }

  mutating func answered(_ index: Int, _ id: Codes.ID) {
    add(.read, id, readers[index], to: time, client: 100 + index)
    readers[index] = Course()
  }

  private func isOpen(_ index: Int, _ id: Codes.ID) -> Bool {
    writers[index].open.map { entries[$0].operation.value == id } ?? false
  }

  private mutating func add(
    _ kind: RegisterOperation.Kind, _ id: Codes.ID, _ course: Course,
    to end: Int = RegisterOperation.open, client: Int, body: Int = 0
  ) {
    let operation = RegisterOperation(kind, id, from: course.begun ?? time, to: end)
    entries.append(Entry(client: client, operation: operation, body: body))
  }

  mutating func sees(_ code: Codes.PointerCode) { pointers.append((time, code)) }
}

import HealthModel

/// Writes down what the clients of a race see, one moment to a step.
struct Recorder {
  /// Publishes and resolves as operations on a max-register; values are codes of ids.
  private(set) var operations: [RegisterOperation]
  /// The raw pointer, whenever it changed.
  private(set) var pointers: [(time: Int, code: Codes.PointerCode)] = []
  /// Clients of `operations`: uploaders from 0, readers from 100, -1 for what was there before.
  private(set) var clients: [Int]
  private(set) var requests: [Int]
  private var begun: [Int?]
  /// The uploader's write in `operations` that is still open.
  private var open: [Int?]
  private var readersBegun: [Int?]

  init(_ world: World) {
    operations = []
    clients = []
    operations.reserveCapacity(12)
    clients.reserveCapacity(12)
    if world.acknowledged > 0 {
      operations.append(.init(.write, world.acknowledged, from: -2, to: -1))
      clients.append(-1)
    }
    requests = [Int](repeating: 0, count: world.uploaders.count)
    begun = [Int?](repeating: nil, count: world.uploaders.count)
    open = begun
    readersBegun = [Int?](repeating: nil, count: world.readers.count)
  }

  /// Takes note of an uploader's request that is about to be made.
  mutating func asks(_ index: Int, _ request: Automata.Request, at time: Int) {
    if begun[index] == nil { begun[index] = time }
    requests[index] += 1
    guard case .create(let id, _) = request else { return }
    if let known = open[index], operations[known].value == id { return }
    open[index] = operations.count
    operations.append(.init(.write, id, from: begun[index] ?? time))
    clients.append(index)
  }

  mutating func ended(_ index: Int, _ request: Automata.Request, at time: Int) {
    defer { forget(index) }
    guard case .acknowledge(let id, _) = request else { return }
    if let known = open[index], operations[known].value == id {
      operations[known].to = time
    } else {
      operations.append(.init(.write, id, from: begun[index] ?? time, to: time))
      clients.append(index)
    }
  }

  mutating func forget(_ index: Int) {
    (begun[index], open[index], requests[index]) = (nil, nil, 0)
  }

  mutating func reads(_ index: Int, at time: Int) {
    if readersBegun[index] == nil { readersBegun[index] = time }
  }

  mutating func answered(_ index: Int, _ id: Codes.ID, at time: Int) {
    operations.append(.init(.read, id, from: readersBegun[index] ?? time, to: time))
    clients.append(100 + index)
    readersBegun[index] = nil
  }

  mutating func sees(_ code: Codes.PointerCode, at time: Int) { pointers.append((time, code)) }
}

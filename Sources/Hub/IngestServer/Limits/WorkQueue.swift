/// Which work runs, and which waits for a place (R53, R65). Pure.
struct WorkQueue: Hashable, Sendable {
  /// The most that run, of one token and of all, and the most that wait.
  struct Limits: Hashable, Sendable {
    var (running, runningOfOne) = (32, 8)
    var (waiting, waitingOfOne) = (1024, 256)
  }

  enum Verdict: Hashable, Sendable {
    case runs, waits, full
  }

  private struct Waiting: Hashable, Sendable {
    let number: Int
    let device: String
  }

  private let limits: Limits
  private var running: [String: Int] = [:]
  private var waiting: [Waiting] = []

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// A request comes.
  mutating func enter(_ number: Int, of device: String) -> Verdict {
    if hasPlace(device) {
      running[device, default: 0] += 1
      return .runs
    }
    guard waiting.count < limits.waiting,
      waiting.count(where: { $0.device == device }) < limits.waitingOfOne
    else { return .full }
    waiting.append(Waiting(number: number, device: device))
    return .waits
  }

  /// A request that ran is answered.
  ///
  /// - Returns: the request that runs in its place: the oldest one whose token has room.
  mutating func leave(_ device: String) -> Int? {
    let count = (running[device] ?? 0) - 1
    running[device] = count > 0 ? count : nil
    guard let index = waiting.firstIndex(where: { hasPlace($0.device) }) else { return nil }
    let next = waiting.remove(at: index)
    running[next.device, default: 0] += 1
    return next.number
  }

  /// Nobody waits for this request any more.
  mutating func giveUp(_ number: Int) { waiting.removeAll { $0.number == number } }

  private func hasPlace(_ device: String) -> Bool {
    running.values.reduce(0, +) < limits.running && (running[device] ?? 0) < limits.runningOfOne
  }
}

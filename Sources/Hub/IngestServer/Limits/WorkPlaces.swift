import Synchronization

/// Lets only so much work run at a time; the rest waits: requests of agents (R53), and the days of many
/// people (R65).
package final class WorkPlaces: Sendable {
  private struct State {
    var queue: WorkQueue
    var last = 0
    var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
  }

  private let state: Mutex<State>

  init(_ limits: WorkQueue.Limits = WorkQueue.Limits()) {
    state = Mutex(State(queue: WorkQueue(limits)))
  }

  /// So many places, and room for all who wait.
  package convenience init(count: Int) {
    self.init(
      WorkQueue.Limits(
        running: count, runningOfOne: count, waiting: .max, waitingOfOne: .max))
  }

  /// A place, which is given back when nobody holds it any more.
  final class Held: Sendable {
    private let places: WorkPlaces
    private let device: String

    fileprivate init(_ places: WorkPlaces, _ device: String) {
      (self.places, self.device) = (places, device)
    }

    deinit { places.leave(device) }
  }

  /// Waits for a place.
  ///
  /// - Returns: nil if too many wait, or if the task is cancelled.
  func enter(_ device: String) async -> Held? {
    await isAdmitted(device) ? Held(self, device) : nil
  }

  private func isAdmitted(_ device: String) async -> Bool {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let verdict: Bool? = state.withLock { state in
          // A task is cancelled before its handler runs, so one of the two sees the other.
          guard !Task.isCancelled else { return false }
          switch state.queue.enter(number, of: device) {
          case .runs: return true
          case .full: return false
          case .waits:
            state.waiters[number] = continuation
            return nil
          }
        }
        if let verdict { continuation.resume(returning: verdict) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.queue.giveUp(number)
        return state.waiters.removeValue(forKey: number)
      }
      waiter?.resume(returning: false)
    }
  }

  private func leave(_ device: String) {
    let next = state.withLock { state in
      state.queue.leave(device).flatMap { state.waiters.removeValue(forKey: $0) }
    }
    next?.resume(returning: true)
  }
}

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

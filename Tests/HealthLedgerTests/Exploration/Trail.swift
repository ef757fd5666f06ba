import HealthModel

@testable import HealthLedger

/// A pure machine on its way, known by the events that it was given: equal events, equal state.
///
/// Compared and hashed by them alone, which is what makes the exploration fast.
struct Trail<Machine, Action>: Hashable {
  let machine: Machine
  let action: Action
  private let history: Int

  init(_ machine: Machine, _ action: Action, actor: Int) {
    (self.machine, self.action, history) = (machine, action, actor)
  }

  private init(_ machine: Machine, _ action: Action, history: Int) {
    (self.machine, self.action, self.history) = (machine, action, history)
  }

  static func == (a: Trail, b: Trail) -> Bool { a.history == b.history }

  func hash(into hasher: inout Hasher) { hasher.combine(history) }

  /// Where an event leads; worked out once for each history.
  func after(
    _ event: some Hashable, _ memory: Memory, _ handle: (inout Machine) -> Action
  ) -> Trail {
    var hasher = Hasher()
    hasher.combine(history)
    hasher.combine(event)
    let next = hasher.finalize()
    if let known = memory.trails[next] { return known }
    var machine = machine
    let action = handle(&machine)
    let trail = Trail(machine, action, history: next)
    memory.trails[next] = trail
    return trail
  }

  final class Memory { var trails: [Int: Trail] = [:] }
}

typealias PublisherTrail = Trail<PublishMachine, PublishMachine.Action>
typealias ReaderTrail = Trail<ResolveMachine, ResolveMachine.Action>

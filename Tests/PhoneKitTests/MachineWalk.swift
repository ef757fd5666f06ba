import Testing

/// Every state that a machine can reach by some events, and every edge between them.
struct MachineWalk<State: Hashable & Sendable, Event: Sendable, Action: Sendable>: Sendable {
  private(set) var states: Set<State> = []
  /// Each edge: from where, by what, to where, with what is done.
  private(set) var edges: [(from: State, event: Event, to: State, actions: [Action])] = []

  /// - Parameter handle: what the machine does.
  init(
    from start: State, by events: [Event], limit: Int = 50_000,
    handle: (inout State, Event) -> [Action]
  ) {
    var waiting = [start]
    states = [start]
    while let state = waiting.popLast() {
      for event in events {
        var next = state
        let actions = handle(&next, event)
        edges.append((state, event, next, actions))
        if states.insert(next).inserted { waiting.append(next) }
      }
      guard states.count < limit else {
        Issue.record("more than \(limit) states")
        return
      }
    }
  }
}

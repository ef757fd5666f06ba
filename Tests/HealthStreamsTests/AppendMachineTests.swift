import Testing

@testable import HealthStreams

/// Every answer to every request, and a crash anywhere, on a model of a store.
@Suite(.unit) struct AppendMachineTests {
  /// What the store holds of one batch.
  private struct World: Hashable {
    var machine: AppendMachine
    var action: AppendMachine.Action
    var markers: Set<Int> = []
    var parts: Set<Int> = []
    /// Creates without an answer that may still be applied.
    var pendingParts: Set<Int> = []
    var pendingMarkers: Set<Int> = []
    /// Whether a marker was sent less than a minute ago.
    var hasFreshMarker = false
  }

  private static let partCount = 2

  /// All worlds that can be reached, breadth first; `check` sees each.
  private func explore(_ check: (World) -> Void) -> (worlds: Int, ends: Set<AppendMachine.Action>) {
    var machine = AppendMachine(partCount: Self.partCount, needsMarker: true)
    let action = machine.start()
    var seen: Set<World> = []
    var ends: Set<AppendMachine.Action> = []
    var queue = [World(machine: machine, action: action)]
    while let world = queue.popLast() {
      guard seen.insert(world).inserted else { continue }
      check(world)
      if case .confirm = world.action { ends.insert(world.action) }
      if case .fail = world.action { ends.insert(world.action) }
      queue += next(world)
    }
    return (seen.count, ends)
  }

  private func next(_ world: World) -> [World] {
    var results: [World] = []
    func step(_ event: AppendMachine.Event, _ change: (inout World) -> Void = { _ in }) {
      for age in [0, AppendMachine.maximumMarkerAge] {
        var after = world
        change(&after)
        if age > 0 { after.hasFreshMarker = false }
        after.action = after.machine.handle(event, markerAge: after.hasFreshMarker ? 0 : 60)
        results.append(after)
      }
    }
    // A late create lands.
    for part in world.pendingParts {
      var after = world
      after.pendingParts.remove(part)
      after.parts.insert(part)
      results.append(after)
    }
    switch world.action {
    case .createMarker(let number):
      // More names than these show nothing new.
      guard number <= 3 else { return results }
      step(.put(.stored)) { ($0.hasFreshMarker, _) = (true, $0.markers.insert(number)) }
      step(.put(.unknown)) { ($0.hasFreshMarker, _) = (true, $0.markers.insert(number)) }
      step(.put(.unknown)) { $0.hasFreshMarker = true }
      if world.markers.contains(number) { step(.put(.refused)) { $0.hasFreshMarker = true } }
    case .readMarker(let number):
      step(.read(world.markers.contains(number) ? .same : .absent))
    case .createPart(let part):
      if world.parts.contains(part) {
        step(.put(.refused))
      } else {
        step(.put(.stored)) { $0.parts.insert(part) }
        step(.put(.refused)) { $0.parts.insert(part) }
      }
      step(.put(.unknown)) { $0.parts.insert(part) }
      step(.put(.unknown)) { $0.pendingParts.insert(part) }
      step(.put(.unknown))
    case .readPart(let part): step(.read(world.parts.contains(part) ? .same : .absent))
    case .rest: step(.rested)
    case .confirm, .fail: break
    }
    return results
  }

  @Test func `R46: confirmed is durable, and no part is there without a marker before it`() {
    var confirmed = 0
    let (worlds, ends) = explore { world in
      // Whoever crashes here leaves this: a part, present or still to come, never without a marker.
      if !world.parts.isEmpty || !world.pendingParts.isEmpty { #expect(!world.markers.isEmpty) }
      if case .createPart = world.action {
        #expect(!world.markers.isEmpty && world.hasFreshMarker)
      }
      if world.action == .confirm {
        confirmed += 1
        #expect(world.parts == Set(0..<Self.partCount))
      }
    }
    #expect(worlds > 500 && confirmed > 10)
    #expect(ends.contains(.confirm) && ends.contains(.fail(.unanswered(part: nil))))
    #expect(ends.contains(.fail(.unanswered(part: 1))))
  }

  @Test func `R46: whatever is answered, and however long it takes, an append ends`() {
    struct Step: Hashable {
      var machine: AppendMachine
      var action: AppendMachine.Action
    }
    // One part is enough: after a part all counts begin again.
    var machine = AppendMachine(partCount: 1, needsMarker: true)
    let action = machine.start()
    var open: Set = [Step(machine: machine, action: action)]
    // Each send is followed by a read and a rest, and as many markers precede each send of the part.
    let sends = AppendMachine.maximumSends
    for _ in 0...(sends * 3 * (sends + 1)) {
      var next: Set<Step> = []
      for step in open {
        let events: [AppendMachine.Event] =
          switch step.action {
          case .createMarker, .createPart: [.put(.stored), .put(.refused), .put(.unknown)]
          case .readMarker, .readPart: [.read(.absent), .read(.same), .read(.other)]
          case .rest: [.rested]
          case .confirm, .fail: []
          }
        for event in events {
          for age in [0, AppendMachine.maximumMarkerAge] {
            var after = step
            after.action = after.machine.handle(event, markerAge: age)
            next.insert(after)
          }
        }
      }
      open = next
    }
    #expect(open.isEmpty)
  }

  @Test func `R46: an object with other content ends it`() {
    var machine = AppendMachine(partCount: 2, needsMarker: false)
    #expect(machine.start() == .createPart(0))
    #expect(machine.handle(.put(.stored), markerAge: 999) == .createPart(1))
    #expect(machine.handle(.put(.refused), markerAge: 0) == .readPart(1))
    #expect(machine.handle(.read(.other), markerAge: 0) == .fail(.occupied(part: 1)))
  }
}

import HealthModel
import ObjectStore
import Testing

@testable import HealthLedger

/// R22 to R27 and R30 under every interleaving of a few publishers, with faults at every place.
///
/// Checked at every step: the pointer only grows and never dangles, an acknowledged publish is at or
/// below the pointer, and a reader is answered with all that was acknowledged before it began.
@Suite(.tags(.unit, .slow)) struct ScheduleExplorationTests {
  let day: CalendarDate

  init() throws { day = try Sample.date() }

  private func draft(_ steps: Double) throws -> DayDraft { try Sample.draft(steps: steps) }

  @Test func `two publishers, a reader, a fault and a crash, from an empty day`() throws {
    var world = PublishWorld(day)
    world.add(try draft(1))
    world.add(try draft(2))
    world.addReader()
    (world.faults, world.crashes) = (1, 1)
    try explore(world, clocks: [0, 1], atLeast: 3000)
  }

  @Test func `two publishers with one clock and one suffix, so that their ids collide`() throws {
    var world = PublishWorld(day)
    world.add(try draft(1))
    world.add(try draft(2))
    world.addReader()
    (world.faults, world.crashes) = (1, 1)
    try explore(world, clocks: [0, 0], atLeast: 1000)
  }

  @Test func `two publishers of the same data`() throws {
    var world = PublishWorld(day)
    world.add(try draft(1))
    world.add(try draft(1))
    (world.faults, world.crashes) = (2, 1)
    try explore(world, clocks: [0, 1], atLeast: 500)
  }

  /// A store that ignores If-Match shows only with three publishers or an older pointer.
  @Test func `three publishers and a fault, over an older pointer`() throws {
    var world = PublishWorld(day)
    let old = Sample.id(-60)
    world.addRevision(try draft(9), old)
    world.pointer = world.reading(old)
    for index in 1...3 { world.add(try draft(Double(index))) }
    world.faults = 1
    try explore(world, clocks: [1, 2, 3], atLeast: 3000)
  }

  @Test func `two publishers over a corrupt pointer and a crashed writer's revision`() throws {
    var world = PublishWorld(day)
    let orphan = Sample.id(30)
    world.addRevision(try draft(9), orphan)
    world.pointer = .corrupt(ETag("c"), [])
    world.add(try draft(1))
    world.add(try draft(9))
    world.addReader()
    (world.faults, world.crashes) = (1, 1)
    try explore(world, clocks: [0, 5], atLeast: 500)
  }

  @Test func `two publishers and a reader over a pointer that dangles`() throws {
    var world = PublishWorld(day)
    let old = Sample.id(-60)
    world.addRevision(try draft(9), old)
    world.pointer = world.reading(Sample.id(40))
    world.add(try draft(9))
    world.add(try draft(2))
    world.addReader()
    world.faults = 1
    try explore(world, clocks: [0, 0], atLeast: 500)
  }

  /// Visits every state once, depth first.
  ///
  /// - Parameter states: fewer mean that the exploration itself is broken.
  private func explore(_ world: PublishWorld, clocks: [Int], atLeast states: Int) throws {
    let explorer = PublishExplorer(clocks: clocks)
    var visited: Set<PublishWorld> = [world]
    var open = [world]
    while let world = open.popLast() {
      if let fault = world.fault {
        Issue.record("\(fault), in \(world.publishers.map(word))")
        return
      }
      let next = explorer.successors(of: world)
      if next.isEmpty { checkEnd(world) }
      for successor in next where visited.insert(successor).inserted { open.append(successor) }
      try #require(visited.count < 60_000)
    }
    #expect(visited.count >= states)
  }

  /// Where nobody has a step left.
  private func checkEnd(_ world: PublishWorld) {
    let hasCrashed = world.publishers.contains(.crashed)
    // Without a crash, and with every late write arrived, the pointer names the newest revision.
    #expect(hasCrashed || world.pointer.revisionID == world.revisions.keys.max())
    let revisions = world.publishers.count { $0 != .crashed }
    #expect(world.acknowledged != nil || revisions == 0)
  }

  private func word(_ publisher: PublishWorld.Publisher) -> String {
    switch publisher {
    case .running(let trail): "\(trail.action)".prefix(40).description
    case .done(let outcome): outcome.word
    case .failed: "failed"
    case .crashed: "crashed"
    }
  }
}

import HealthModel
import ObjectStore

@testable import HealthLedger

/// Finds every state that a world can come to, each once.
struct PublishExplorer {
  /// Each publisher's clock.
  let clocks: [Timestamp]
  private let publisherMemory = PublisherTrail.Memory()
  private let readerMemory = ReaderTrail.Memory()

  init(clocks seconds: [Int]) {
    clocks = seconds.map { Sample.noon.adding(seconds: $0) }
  }

  func successors(of world: PublishWorld) -> [PublishWorld] {
    var next: [PublishWorld] = []
    for (index, publisher) in world.publishers.enumerated() {
      guard case .running(let trail) = publisher else { continue }
      next += steps(of: index, trail, in: world)
      if world.crashes > 0 {
        var crashed = world
        crashed.crashes -= 1
        crashed.publishers[index] = .crashed
        next.append(crashed)
      }
    }
    for index in world.late.indices {
      var arrived = world
      let write = arrived.late.remove(at: index)
      _ = arrived.apply(write.write, write.precondition)
      next.append(arrived)
    }
    if let read = readerStep(in: world) { next.append(read) }
    return next
  }

  private func steps(
    of index: Int, _ trail: PublisherTrail, in world: PublishWorld
  ) -> [PublishWorld] {
    switch trail.action {
    case .readPointer:
      let pointer = world.pointer
      return [world.with(index, after(trail, index, pointer) { .pointer(pointer) })]
    case .listRevisions(let id):
      let ids = world.ids(after: id)
      return [world.with(index, after(trail, index, ids) { .revisions(ids) })]
    case .readRevision(let id):
      let stored = world.revisions[id]
      return [world.with(index, after(trail, index, stored) { .revision(.init(stored)) })]
    case .createRevision(let id, let body):
      return writes(
        index, trail, .revision(id, .init(body: body, author: index)), .absent, in: world)
    case .writePointer(let value, let precondition):
      return writes(index, trail, .pointer(value.revisionID), precondition, in: world)
    case .mint, .backOff, .finish, .fail: return []
    }
  }

  /// A write that is answered, or whose answer is lost, or that never arrives, or arrives late.
  private func writes(
    _ index: Int, _ trail: PublisherTrail, _ write: PublishWorld.Write,
    _ precondition: Precondition, in world: PublishWorld
  ) -> [PublishWorld] {
    func answered(_ answer: PublishMachine.PutAnswer) -> PublisherTrail {
      after(trail, index, answer) { .put(answer) }
    }
    var applied = world
    let isApplied = applied.apply(write, precondition)
    let worlds = [applied.with(index, answered(isApplied ? .stored : .refused))]
    guard world.faults > 0 else { return worlds }
    applied.faults -= 1
    var unsent = world
    unsent.faults -= 1
    var late = unsent
    late.late.append(.init(write: write, precondition: precondition))
    return worlds + [applied, unsent, late].map { $0.with(index, answered(.unknown)) }
  }

  /// The event given to a publisher, and all that it then does without the store.
  private func after(
    _ trail: PublisherTrail, _ index: Int, _ token: some Hashable,
    _ event: () -> PublishMachine.Event
  ) -> PublisherTrail {
    trail.after(token, publisherMemory) { machine in
      var action = machine.handle(event())
      while true {
        switch action {
        case .mint: action = machine.handle(.minted(now: clocks[index], entropy: 0xABCDEF))
        case .backOff: action = machine.handle(.rested)
        default: return action
        }
      }
    }
  }

  private func readerStep(in world: PublishWorld) -> PublishWorld? {
    guard case .reading(var trail, var floor) = world.reader else { return nil }
    switch trail.action {
    case .readPointer:
      floor = world.acknowledged
      trail = trail.after(world.pointer, readerMemory) { $0.handle(.pointer(world.pointer)) }
    case .listRevisions(let id):
      let ids = world.ids(after: id)
      trail = trail.after(ids, readerMemory) { $0.handle(.revisions(ids)) }
    case .readRevision(let id):
      let stored = world.revisions[id]
      trail = trail.after(stored, readerMemory) { $0.handle(.revision(.init(stored))) }
    case .finish: return nil
    }
    var next = world
    guard case .finish(let resolution) = trail.action else {
      next.reader = .reading(trail, floor: floor)
      return next
    }
    next.reader = .answered
    if let floor, (resolution.latest?.id).map({ $0 < floor }) ?? true {
      next.fault = "\(floor) was acknowledged, and a reader was answered \(resolution)"
    }
    return next
  }
}

extension RevisionReading {
  fileprivate init(_ stored: PublishWorld.Stored?) {
    self = stored.map { .found($0.body, lastModified: nil) } ?? .absent
  }
}

extension PublishWorld {
  fileprivate func ids(after id: RevisionID?) -> [RevisionID] {
    revisions.keys.filter { key in id.map { key > $0 } ?? true }.sorted()
  }

  /// Applies a write if its precondition holds, and judges what it did.
  fileprivate mutating func apply(_ write: Write, _ precondition: Precondition) -> Bool {
    switch write {
    case .revision(let id, let stored):
      guard precondition == .absent, revisions[id] == nil else { return false }
      revisions[id] = stored
    case .pointer(let id):
      guard precondition == pointer.replacement else { return false }
      if let old = pointer.revisionID, id <= old { fault = "the pointer moved \(old) -> \(id)" }
      if revisions[id] == nil { fault = "the pointer dangles: \(id)" }
      pointer = reading(id)
    }
    return true
  }

  /// A publisher at its next place; where it ends well, the pointer must not be behind it.
  fileprivate func with(_ index: Int, _ trail: PublisherTrail) -> PublishWorld {
    var world = self
    switch trail.action {
    case .finish(let outcome):
      let id = outcome.revisionID
      world.publishers[index] = .done(outcome)
      world.acknowledged = max(acknowledged ?? id, id)
      if pointer.revisionID.map({ $0 < id }) ?? true {
        world.fault = "\(outcome) was acknowledged with the pointer at \(pointer)"
      }
      if case .unchanged = outcome { break }
      if revisions[id]?.author != index { world.fault = "\(outcome) holds another's data" }
    case .fail(let failure):
      world.publishers[index] = .failed(failure)
      world.fault = "a publisher failed: \(failure)"
    default: world.publishers[index] = .running(trail)
    }
    return world
  }
}

import HealthModel

/// The store: which writes it accepts, and what a listing shows.
extension RaceModel {
  func holds(_ write: World.Write, _ world: World) -> Bool {
    let flaw = subject.storeFlaw
    let current = write.target == .pointer ? world.pointer : world.body(of: write.id)
    switch write.condition {
    case .none: return true
    case .absent: return current == 0 || flaw == .ignoresIfNoneMatch || flaw == .ignoresBoth
    case .matches(let code):
      return current == code || flaw == .ignoresIfMatch || flaw == .ignoresBoth
        || (flaw == .createsMissing && current == 0)
    }
  }

  func apply(
    _ write: World.Write, _ check: World.Client.Check, _ world: inout World,
    _ breach: inout Breach?
  ) -> Bool {
    guard check == .none ? holds(write, world) : check == .passed else { return false }
    switch write.target {
    case .revision(let body):
      let old = world.body(of: write.id)
      if old != 0, old != body { breach = .revisionOverwritten(Codes.revisionID(write.id)) }
      world.store(write.id, body)
      for index in world.writers.indices { world.writers[index].isKept = false }
      if subject.storeFlaw == .eventualReads { world.newest = write.id }
    case .pointer:
      if write.id < world.high {
        breach = .pointerWentBack(
          from: Codes.revisionID(world.high), to: Codes.revisionID(write.id))
      } else if !automata.codes.isReadable(world.body(of: write.id)) {
        breach = .pointerDangles(Codes.revisionID(write.id))
      } else if subject.storeFlaw == nil, write.condition == .matches(write.id) {
        breach = .pointerRewritten(Codes.revisionID(write.id))
      }
      if subject.storeFlaw == .eventualReads { world.stalePointer = world.pointer }
      world.pointer = write.id
      world.high = max(world.high, write.id)
    }
    return true
  }

  func ids(_ world: World, after id: Codes.ID, isStale: Bool) -> [Codes.ID] {
    var ids: [Codes.ID] = []
    for revision in world.revisions where revision.id > id {
      if !isStale || revision.id != world.newest { ids.append(revision.id) }
    }
    return ids
  }
}

import HealthModel

/// Readers, and the answers that they must not get.
extension RaceModel {
  /// What a resolve that begins now must reach: everything that was acknowledged or read before.
  ///
  /// What the pointer named is at least that, and is always compared with a publish that ends.
  private func floor(_ world: World) -> Codes.ID {
    let named = automata.codes.payload(world.body(of: world.high)) == 0 ? 0 : world.high
    return max(named, world.acknowledged, world.answered)
  }

  mutating func read(_ index: Int, _ isStale: Bool, _ world: inout World) -> Result {
    var reader = world.readers[index]
    var result = Result()
    switch automata.readerRequest(reader.node) {
    case .readPointer:
      reader.floor = floor(world)
      reader.node = automata.nextReader(
        reader.node, .pointer, isStale ? world.stalePointer : world.pointer)
    case .list(let after):
      let list = automata.list(ids(world, after: after, isStale: isStale))
      reader.node = automata.nextReader(reader.node, .revisions, list)
    case .readRevision(let id):
      let body = isStale && id == world.newest ? 0 : world.body(of: id)
      reader.node = automata.nextReader(reader.node, .revision, body)
    case .answer: break
    }
    if case .answer(let id) = automata.readerRequest(reader.node) {
      let floor = reader.floor ?? 0
      if id < floor {
        result.breach = .answeredTooLow(
          id == 0 ? nil : Codes.revisionID(id), floor: Codes.revisionID(floor))
      }
      world.answered = max(world.answered, id)
      result.answer = id
      reader = .init(node: readerNode, remaining: reader.remaining - 1)
    }
    world.readers[index] = reader
    if world.readers.allSatisfy({ $0.remaining == 0 }) {
      (world.acknowledged, world.answered) = (0, 0)
    }
    return result
  }
}

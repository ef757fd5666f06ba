/// The worlds that an exploration has visited, numbered, in about forty bytes each.
///
/// Each is known by 128 bits of a hash that differs from run to run: two of a hundred million worlds
/// are taken for one in one of 10^22 runs.
struct VisitedWorlds<World: Hashable> {
  /// The results for a world's successors. `paths` is negative while they are being explored.
  struct Future {
    var paths: Double
    var depth: Int32
  }

  private struct Key: Equatable {
    let first: Int
    let second: Int

    init(_ world: World) {
      var hasher = Hasher()
      hasher.combine(world)
      first = hasher.finalize()
      hasher = Hasher()
      hasher.combine(1)
      hasher.combine(world)
      second = hasher.finalize()
    }
  }

  private var keys: [Key] = []
  private var futures: [Future] = []
  /// Open addressing: numbers of worlds, -1 for an empty slot. The size is a power of two, and at
  /// most half of the slots are used.
  private var slots = [Int32](repeating: -1, count: 1 << 16)

  var count: Int { keys.count }

  subscript(number: Int32) -> Future {
    get { futures[Int(number)] }
    set { futures[Int(number)] = newValue }
  }

  /// The number of a world, and whether it is new.
  mutating func number(_ world: World) -> (number: Int32, isNew: Bool) {
    let key = Key(world)
    var slot = key.first & (slots.count - 1)
    while slots[slot] >= 0 {
      if keys[Int(slots[slot])] == key { return (slots[slot], false) }
      slot = (slot + 1) & (slots.count - 1)
    }
    let number = Int32(keys.count)
    slots[slot] = number
    keys.append(key)
    futures.append(Future(paths: -1, depth: 0))
    if keys.count * 2 > slots.count { grow() }
    return (number, true)
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for (number, key) in keys.enumerated() {
      var slot = key.first & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(number)
    }
  }
}

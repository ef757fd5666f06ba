/// The worlds that an exploration has visited, numbered, in about forty bytes each.
struct VisitedWorlds {
  /// The results for a world's successors. `paths` is negative while they are being explored.
  struct Future {
    var paths: Double
    var depth: Int32
  }

  private var keys: [WorldKey] = []
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
  mutating func number(_ key: WorldKey) -> (number: Int32, isNew: Bool) {
    var slot = place(key)
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

  private func place(_ key: WorldKey) -> Int {
    var mixed = (key.first ^ key.second &* 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 31 ^ key.third) &* 0x9E37_79B9_7F4A_7C15
    mixed ^= mixed >> 32
    mixed &*= 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: mixed >> 30) & (slots.count - 1)
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for (number, key) in keys.enumerated() {
      var slot = place(key)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(number)
    }
  }
}

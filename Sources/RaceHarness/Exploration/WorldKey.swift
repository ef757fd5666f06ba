/// A world in three words, exactly: equal keys if and only if equal worlds.
struct WorldKey: Hashable {
  /// Two writers.
  var first: UInt64
  /// Two more.
  var second: UInt64
  /// Store, readers, budgets.
  var third: UInt64
}

/// Writes worlds as keys, so that tens of millions of visited ones fit into memory.
///
/// What a store holds and where readers stand is little while the combinations are many: each such
/// part is kept once and numbered, and a key has the numbers side by side. Nothing is hashed away.
struct WorldKeys {
  /// All of a world that is no writer's, no reader's and no budget.
  private struct Place: Hashable {
    var pointer: Codes.PointerCode
    var high: Codes.ID
    var revisions: [World.Stored]
    var late: [World.Write]
    var acknowledged: Codes.ID
    var answered: Codes.ID
    var stalePointer: Codes.PointerCode
    var newest: Codes.ID
  }

  private var places = Numbering<Place>()
  private var readers = Numbering<[World.Reader]>()

  /// The key; nil where a number is greater than a key has room for.
  ///
  /// - Parameter late: the writes on their way that may still have an effect.
  mutating func key(of world: World, late: [World.Write]) -> WorldKey? {
    let place = UInt64(
      places.number(
        Place(
          pointer: world.pointer, high: world.high, revisions: world.revisions, late: late,
          acknowledged: world.acknowledged, answered: world.answered,
          stalePointer: world.stalePointer, newest: world.newest)))
    let reader = UInt64(readers.number(world.readers))
    guard let budgets = budgets(world), place < 1 << 28, reader < 1 << 22 else { return nil }
    var key = WorldKey(first: 0, second: 0, third: place << 36 | reader << 14 | budgets)
    for (index, writer) in world.writers.enumerated() {
      guard let word = word(writer), index < 4 else { return nil }
      let shifted = word << (index & 1 == 0 ? 32 : 0)
      if index < 2 { key.first |= shifted } else { key.second |= shifted }
    }
    return key
  }

  /// 20 bits for the state of the machine, 12 for what else is known of a writer.
  private func word(_ writer: World.Client) -> UInt64? {
    // States are numbered from 0; -1 and -2 stand for crashed and done.
    let node = UInt64(writer.node + 2)
    guard node < 1 << 20, writer.starts < 8, abs(writer.sends) < 32 else { return nil }
    let check: UInt64 =
      switch writer.check {
      case .none: 0
      case .passed: 1
      case .failed: 2
      }
    return node << 12 | UInt64(writer.sends + 32) << 6 | UInt64(writer.starts) << 3
      | check << 1 | (writer.isKept ? 1 : 0)
  }

  private func budgets(_ world: World) -> UInt64? {
    guard world.faults < 64, world.crashes < 4, world.meddling < 4, world.deeds < 8 else {
      return nil
    }
    return UInt64(world.faults) | UInt64(world.crashes) << 6 | UInt64(world.meddling) << 8
      | UInt64(world.deeds) << 10
  }
}

/// Numbers for values, in the order in which they are met.
struct Numbering<Value: Hashable> {
  private var numbers: [Value: Int32] = [:]

  mutating func number(_ value: Value) -> Int32 {
    if let known = numbers[value] { return known }
    let number = Int32(numbers.count)
    numbers[value] = number
    return number
  }
}

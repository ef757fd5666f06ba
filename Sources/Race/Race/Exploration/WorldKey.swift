/// A world encoded exactly in three words: keys are equal if and only if the worlds are equal.
struct WorldKey: Hashable {
  /// Two writers.
  var first: UInt64
  /// Two more.
  var second: UInt64
  /// Store, readers, budgets.
  var third: UInt64
}

/// Encodes worlds as keys, so that tens of millions of visited ones fit into memory.
///
/// There are few different store contents and reader positions, but many combinations. So each such
/// part is stored once and numbered, and a key consists of the numbers. Nothing is lost by hashing.
struct WorldKeys {
  /// Everything in a world except writers, readers and budgets.
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

  /// The key; nil if a number does not fit into its bits.
  ///
  /// - Parameter late: the writes in flight that may still have an effect.
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

  /// 20 bits for the state of the machine, 12 for everything else about a writer.
  private func word(_ writer: World.Client) -> UInt64? {
    // States are numbered from 0; -1 and -2 mean crashed and done.
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
    guard world.faults < 64, world.crashes < 4, world.interference < 4, world.deeds < 8 else {
      return nil
    }
    return UInt64(world.faults) | UInt64(world.crashes) << 6 | UInt64(world.interference) << 8
      | UInt64(world.deeds) << 10
  }
}

/// Numbers values in the order in which they are first seen.
struct Numbering<Value: Hashable> {
  private var numbers: [Value: Int32] = [:]

  mutating func number(_ value: Value) -> Int32 {
    if let known = numbers[value] { return known }
    let number = Int32(numbers.count)
    numbers[value] = number
    return number
  }
}

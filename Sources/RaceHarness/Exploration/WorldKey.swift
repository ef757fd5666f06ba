/// A world in two words, exactly: equal keys if and only if equal worlds.
struct WorldKey: Hashable {
  var high: UInt64
  var low: UInt64
}

/// Writes worlds as keys, so that tens of millions of visited ones fit into memory.
///
/// The parts of a world are few while their combinations are many: each part met is kept once and
/// numbered, and a key is the numbers side by side. Nothing is hashed away.
struct WorldKeys {
  /// All of a world that is no client's and no budget.
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
  private var clients = Numbering<World.Client>()
  private var readers = Numbering<[World.Reader]>()

  /// The key; nil where there are more different parts than a key has room for.
  ///
  /// - Parameter isVain: writes on their way that can have no effect any more do not count.
  mutating func key(of world: World, isVain: (World.Write) -> Bool = { _ in false }) -> WorldKey? {
    let place = places.number(
      Place(
        pointer: world.pointer, high: world.high, revisions: world.revisions,
        late: world.late.isEmpty ? [] : world.late.filter { !isVain($0) },
        acknowledged: world.acknowledged, answered: world.answered,
        stalePointer: world.stalePointer, newest: world.newest))
    let reader = readers.number(world.readers)
    var key = WorldKey(high: UInt64(place) << 36, low: 0)
    // 28 bits for the place, 36 for two clients; then 36 for two more, 16 for the readers, and 12
    // for what may still go wrong.
    var fits = place < 1 << 28 && reader < 1 << 16 && world.uploaders.count <= 4
    for (index, uploader) in world.uploaders.enumerated() {
      let number = UInt64(clients.number(uploader))
      fits = fits && number < 1 << 18
      if index < 2 {
        key.high |= number << (18 * index)
      } else {
        key.low |= number << (18 * (index - 2))
      }
    }
    let budgets =
      UInt64(world.faults & 31) | UInt64(world.crashes & 3) << 5 | UInt64(world.meddling & 3) << 7
      | UInt64(world.deeds & 7) << 9
    key.low |= UInt64(reader) << 36 | budgets << 52
    return fits ? key : nil
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

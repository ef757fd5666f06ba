/// A world in a few dozen bytes, from which it could be told again: equal keys, equal worlds.
typealias WorldKey = [UInt8]

/// Writes worlds as keys, so that millions of visited ones fit into memory.
struct WorldKeys {
  /// Ids are few: each is written as the number of its first appearance.
  private var numbers: [Codes.ID: Int] = [:]

  /// Exact, not a digest: no two worlds share a key.
  mutating func key(of world: World) -> WorldKey {
    var key: WorldKey = []
    key.reserveCapacity(96)
    for id in [
      world.pointer, world.high, world.acknowledged, world.answered, world.stalePointer,
      world.newest,
    ] { add(id, &key) }
    key += [
      UInt8(bitPattern: world.faults), UInt8(bitPattern: world.crashes),
      UInt8(bitPattern: world.meddling), world.deeds, UInt8(truncatingIfNeeded: world.late.count),
      UInt8(truncatingIfNeeded: world.revisions.count),
    ]
    for revision in world.revisions {
      add(revision.id, &key)
      add(number: revision.body, &key)
    }
    for uploader in world.uploaders {
      add(number: Int(uploader.node), &key)
      key.append(uploader.starts)
      switch uploader.check {
      case .none: key.append(0)
      case .passed: key.append(1)
      case .failed: key.append(2)
      }
    }
    for reader in world.readers {
      add(number: Int(reader.node), &key)
      key.append(reader.remaining)
      key.append(reader.floor == nil ? 0 : 1)
      add(reader.floor ?? 0, &key)
    }
    for write in world.late {
      add(write.id, &key)
      switch write.target {
      case .pointer: key.append(0)
      case .revision(let body):
        key.append(1)
        add(number: body, &key)
      }
      switch write.condition {
      case .absent: key.append(0)
      case .none: key.append(1)
      case .matches(let code):
        key.append(2)
        add(code, &key)
      }
    }
    return key
  }

  private mutating func add(_ id: Codes.ID, _ key: inout WorldKey) {
    if id == 0 {
      add(number: 0, &key)
      return
    }
    let next = numbers.count + 1
    let number = numbers[id, default: next]
    if number == next { numbers[id] = next }
    add(number: number, &key)
  }

  /// Three bytes; all numbers here count things that were met, and fewer than that can be.
  private func add(number: Int, _ key: inout WorldKey) {
    key.append(UInt8(truncatingIfNeeded: number))
    key.append(UInt8(truncatingIfNeeded: number >> 8))
    key.append(UInt8(truncatingIfNeeded: number >> 16))
  }
}

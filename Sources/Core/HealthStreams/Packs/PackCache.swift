import Synchronization

/// The packs that were read last: a listing reads a pack for the ids of its batches, and what reads
/// the batches soon after need not read it again (R66). A pack never changes, so that nothing here is
/// ever wrong; whether a pack is there, only a listing says.
final class PackCache: Sendable {
  private struct State {
    var packs: [String: (pack: BatchPack, usedAt: Int)] = [:]
    var bytes = 0
    var uses = 0
  }

  /// The most unpacked bytes that are kept.
  private static let maximumBytes = 24 << 20
  private let state = Mutex(State())

  /// The pack of a key, if it is kept.
  func pack(_ key: String) -> BatchPack? {
    state.withLock { state in
      guard let found = state.packs[key]?.pack else { return nil }
      state.uses += 1
      state.packs[key]?.usedAt = state.uses
      return found
    }
  }

  func keep(_ pack: BatchPack, _ key: String) {
    guard pack.text.count <= Self.maximumBytes else { return }
    state.withLock { state in
      state.uses += 1
      if state.packs.updateValue((pack, state.uses), forKey: key) == nil {
        state.bytes += pack.text.count
      }
      while state.bytes > Self.maximumBytes,
        let oldest = state.packs.min(by: { $0.value.usedAt < $1.value.usedAt })
      {
        state.packs[oldest.key] = nil
        state.bytes -= oldest.value.pack.text.count
      }
    }
  }
}

/// Numbers that look random and are the same in every run (SplitMix64).
struct SplitMix: Sendable {
  private var state: UInt64

  /// A stream of its own for each pair.
  init(seed: UInt64, stream: UInt64) {
    state = stream
    // Mixed before the seed comes in: neighbouring seeds and streams must not be shifts of another.
    state = next() ^ seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 to one below `bound`, which is below 2^32.
  mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(bound)) >> 32)
  }

  /// From 0 to below 1.
  mutating func fraction() -> Double { Double(next() >> 11) / 0x1p53 }
}

/// A generator that gives the same numbers for the same seed, on every machine (SplitMix64).
package struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// True once in `n` calls, on average.
  package mutating func chance(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }

  /// One of the elements, which must not be empty.
  package mutating func pick<T>(_ elements: [T]) -> T {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }
}

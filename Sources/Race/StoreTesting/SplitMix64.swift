/// A generator that produces the same numbers for the same seed, in every run and on every machine
/// (SplitMix64 by Steele, Lea and Flood).
///
/// Every test, race and fault plan that needs randomness uses it, so that a printed seed repeats a
/// run.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// A separate sequence for each pair of seed and stream.
  package init(seed: UInt64, stream: UInt64) {
    state = stream
    // The stream is mixed before the seed is added: the sequences of neighbouring seeds and streams
    // must not be shifted copies of each other.
    state = next() ^ seed
  }

  package mutating func next() -> UInt64 {
    state &+= Self.increment
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 to `bound` - 1. `bound` must be above 0 and below 2^32.
  package mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(bound)) >> 32)
  }

  /// A number from 0 up to but not including 1.
  package mutating func fraction() -> Double { Double(next() >> 11) / 0x1p53 }

  /// True once in `count` calls, on average.
  package mutating func chance(_ count: Int) -> Bool { below(count) == 0 }

  /// One of the elements, which must not be empty.
  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15
}

/// Finds, of the samples of a sorted stream that say the same of the same time, which are entries of
/// their own and which are repeats of another record (R18).
struct AlikeSamples {
  /// What a sample is beside those before it.
  enum Standing: Equatable {
    /// An entry: the how-many-th of those that say the same, from 0.
    case entry(Int)
    /// The same record again.
    case again
    /// The copy inside a correlation of a record that stands outside it, too.
    case copy
  }

  private var last: PackedSample?
  private var entries = 0
  /// Whether one of them stands outside correlations; those come first.
  private var isOutside = false

  /// Takes the next sample of the stream.
  @inline(__always)
  mutating func take(_ sample: PackedSample) -> Standing {
    defer { last = sample }
    guard let last, sample.saysSame(as: last) else {
      (entries, isOutside) = (1, !sample.isInCorrelation)
      return .entry(0)
    }
    if sample.isInCorrelation, isOutside { return .copy }
    if sample == last { return .again }
    defer { entries += 1 }
    return .entry(entries)
  }
}

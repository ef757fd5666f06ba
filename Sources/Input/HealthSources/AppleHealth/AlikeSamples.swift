/// Finds, of the samples of a sorted stream that say the same of the same time, which are entries of
/// their own and which are repeats of another record (R18).
struct AlikeSamples {
  /// What a sample is beside those before it.
  enum Standing {
    case entry
    /// The same record again.
    case again
    /// The copy inside a correlation of a record that stands outside it, too.
    case copy
  }

  private var last: PackedSample?
  /// Whether one of them stands outside correlations; those come first.
  private var isOutside = false

  /// Takes the next sample of the stream.
  @inline(__always)
  mutating func take(_ sample: PackedSample) -> Standing {
    defer { last = sample }
    guard let last, sample.saysSame(as: last) else {
      isOutside = !sample.isInCorrelation
      return .entry
    }
    if sample.isInCorrelation, isOutside { return .copy }
    return sample == last ? .again : .entry
  }
}

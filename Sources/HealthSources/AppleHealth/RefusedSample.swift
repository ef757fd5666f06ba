internal import AppleExport

/// A sample that was left out, for whoever asks why.
struct RefusedSample {
  let kind: SampleKind
  /// In the source table.
  let source: Int
  /// Seconds since 1970, never empty.
  let range: Range<Int64>
  let reason: LeftOut
}

internal import AppleExport
internal import HealthModel

/// A sample that was left out, for whoever asks why.
struct RefusedSample {
  let kind: SampleKind
  /// In the source table.
  let source: Int
  /// Seconds since 1970, never empty.
  let range: Range<Int64>
  let reason: LeftOut
}

/// Samples that were left out near the day to explain; none where there is no such day.
struct RefusedSamples {
  private let span: Range<Int64>
  private(set) var samples: [RefusedSample] = []

  /// - Parameter date: the day to explain; two days around it cover it and its night in any zone.
  init(near date: CalendarDate?) {
    let noon = date.map { Int64($0.daysSince1970) * 86_400 + 43_200 }
    span = noon.map { $0 - 3 * 86_400..<$0 + 3 * 86_400 } ?? 0..<0
  }

  mutating func add(_ sample: RefusedSample) {
    // A hostile file must not fill the memory.
    guard samples.count < 10_000, sample.range.overlaps(span) else { return }
    samples.append(sample)
  }

  mutating func add(_ sample: PackedSample, _ reason: LeftOut) {
    guard !span.isEmpty, let kind = SampleKind(rawValue: UInt8(sample.kind)) else { return }
    let quantity = sample.quantity
    add(
      RefusedSample(
        kind: kind, source: quantity.source,
        range: Int64(quantity.start)..<Int64(quantity.end) + 1, reason: reason))
  }
}

internal import HealthSamples

/// Holds back the blood pressures of one moment until their other halves have come.
///
/// Systolic and diastolic pressure are two records of one measurement: of the same source, start
/// and end. One without the other is half a measurement, and counts in no mean.
struct PressurePairs {
  private var held: [PackedSample] = []
  private static let systolic = Int(SampleKind.bloodPressureSystolic.rawValue)
  private static let diastolic = Int(SampleKind.bloodPressureDiastolic.rawValue)

  /// Most that are held: nobody's pressure is taken as often at once.
  private static let most = 10_000

  /// Takes a sample of a sorted stream; returns it if it is not a blood pressure.
  @inline(__always)
  mutating func take(_ sample: PackedSample) -> PackedSample? {
    guard sample.kind == Self.systolic || sample.kind == Self.diastolic else { return sample }
    held.append(sample)
    return nil
  }

  /// Whether all samples are here that begin when those held do; `next` follows in the stream.
  @inline(__always)
  func isComplete(before next: PackedSample?) -> Bool {
    guard let first = held.first else { return false }
    return held.count >= Self.most || next.map { $0.start != first.start } ?? true
  }

  /// The samples that are held, each with whether its other half is here.
  mutating func release() -> [(sample: PackedSample, isPaired: Bool)] {
    // Two sets, and not a search of all: a hostile file may have a million in one moment.
    var halves: [Int: Set<Measurement>] = [:]
    for sample in held { halves[sample.kind, default: []].insert(Measurement(sample)) }
    let pairs = held.map { sample in
      let other = sample.kind == Self.systolic ? Self.diastolic : Self.systolic
      return (sample, halves[other]?.contains(Measurement(sample)) ?? false)
    }
    held.removeAll(keepingCapacity: true)
    return pairs
  }

  /// What the two records of one measurement share, whatever of them was typed in by hand.
  private struct Measurement: Hashable {
    let end: Int
    let source: Int

    init(_ sample: PackedSample) {
      let quantity = sample.quantity
      (end, source) = (quantity.end, quantity.source / 2)
    }
  }
}

internal import DayCounting

/// Holds back the blood pressures of one moment until their other halves have come.
struct PressurePairs {
  private var held: [PackedSample] = []
  private static let systolic = PressureHalves.systolic
  private static let diastolic = PressureHalves.diastolic

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
    var halves = PressureHalves()
    for sample in held { halves.add(sample.quantity, kind: sample.kind) }
    let pairs = held.map { ($0, halves.isPaired($0.quantity, kind: $0.kind)) }
    held.removeAll(keepingCapacity: true)
    return pairs
  }
}

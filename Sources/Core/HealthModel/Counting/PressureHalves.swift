/// Finds the blood pressures that have their other half.
///
/// Systolic and diastolic pressure are two records of one measurement: of the same source, start and
/// end. One without the other is half a measurement, and counts in no mean (R18).
package struct PressureHalves {
  /// What the two records of one measurement share, whatever of them was typed in by hand.
  private struct Measurement: Hashable {
    let start: Int
    let end: Int
    let source: Int

    init(_ sample: QuantitySample) {
      (start, end, source) = (sample.start, sample.end, sample.source / 2)
    }
  }

  // Two sets, and not a search of all: a hostile file may have a million in one moment.
  private var halves: [Int: Set<Measurement>] = [:]

  package static let systolic = Int(SampleKind.bloodPressureSystolic.rawValue)
  package static let diastolic = Int(SampleKind.bloodPressureDiastolic.rawValue)

  package init() {}

  package mutating func add(_ sample: QuantitySample, kind: Int) {
    halves[kind, default: []].insert(Measurement(sample))
  }

  /// Whether the other half of a sample was added.
  package func isPaired(_ sample: QuantitySample, kind: Int) -> Bool {
    let other = kind == Self.systolic ? Self.diastolic : Self.systolic
    return halves[other]?.contains(Measurement(sample)) ?? false
  }
}

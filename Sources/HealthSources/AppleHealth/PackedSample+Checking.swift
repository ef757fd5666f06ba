internal import AppleExport
internal import HealthSamples

extension LeftOut: Error {}

extension PackedSample {
  /// A sample of an export in the unit in which it is counted, or why it does not count.
  ///
  /// - Parameter source: the number of its source, if not the export's own.
  static func packing(
    _ sample: ExportSample, source: UInt16? = nil
  ) -> Result<PackedSample, LeftOut> {
    let (start, end) = (Int(sample.start), Int(sample.end))
    guard starts.contains(start) else { return .failure(.date) }
    guard end >= start else { return .failure(.endsBeforeStart) }
    guard end - start <= QuantitySample.longestStretch else { return .failure(.tooLong) }
    // 20 °F are not a negative number, and -6.7 °C are.
    let quantity = sample.countedQuantity
    guard sample.value >= 0, sample.value <= QuantitySample.greatestQuantity,
      quantity ?? 0 >= 0, !sample.isDoubtfulPercentage
    else { return .failure(.value) }
    return .success(
      PackedSample(
        start: start, length: end - start, kind: sample.kind, source: source ?? sample.source,
        isUserEntered: sample.isUserEntered, isConvertible: quantity != nil,
        value: quantity ?? sample.value))
  }
}

extension ExportSample {
  /// Whether it may be a percentage where a fraction is meant, or the reverse: a percentage of
  /// alcohol or perfusion is itself often below 1, so that no rule tells the two apart.
  fileprivate var isDoubtfulPercentage: Bool {
    guard unit == .percent, value > 1 else { return false }
    return kind == .bloodAlcoholContent || kind == .peripheralPerfusionIndex
  }

  /// The value in the unit in which the kind is counted; nil where it can't be converted.
  fileprivate var countedQuantity: Double? {
    switch kind {
    case .appleStandHour: return value == Double(StandValue.stood.rawValue) ? 1 : 0
    case .sleepAnalysis, .mindfulSession: return value
    case _ where unit == .percent && kind.unit == .percent:
      // HealthKit writes a fraction under a percent sign, and some apps a percentage.
      return value > 1 ? value : value * 100
    default: return kind.counted(value, in: unit)
    }
  }
}

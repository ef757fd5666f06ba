/// Why a sample does not count, by itself.
package enum SampleFault: Error, Hashable, Sendable {
  /// It begins before 1900 or after 2199.
  case date
  /// It ends before it begins.
  case endsBeforeStart
  /// It spans more than 31 days.
  case tooLong
  /// Negative, not finite, or more than a day can hold.
  case value
}

extension SampleKind {
  /// A value of a sample in the unit in which the kind is counted; nil where it can't be converted.
  /// Whoever counts samples of a kind asks this first (R18).
  package func checked(
    _ value: Double, in unit: SampleUnit, from start: Int, to end: Int
  ) throws(SampleFault) -> Double? {
    guard QuantitySample.starts.contains(start) else { throw .date }
    guard end >= start else { throw .endsBeforeStart }
    guard end - start <= QuantitySample.longestStretch else { throw .tooLong }
    // 20 °F are not a negative number, and -6.7 °C are.
    let quantity = quantity(value, in: unit)
    guard value >= 0, value <= QuantitySample.greatestQuantity, quantity ?? 0 >= 0,
      !isDoubtfulPercentage(value, in: unit)
    else { throw .value }
    return quantity
  }

  /// Whether it may be a percentage where a fraction is meant, or the reverse: a percentage of
  /// alcohol or perfusion is itself often below 1, so that no rule tells the two apart.
  private func isDoubtfulPercentage(_ value: Double, in unit: SampleUnit) -> Bool {
    guard unit == .percent, value > 1 else { return false }
    return self == .bloodAlcoholContent || self == .peripheralPerfusionIndex
  }

  private func quantity(_ value: Double, in unit: SampleUnit) -> Double? {
    switch self {
    case .appleStandHour: return value == Double(StandValue.stood.rawValue) ? 1 : 0
    case .sleepAnalysis, .mindfulSession: return value
    case _ where unit == .percent && self.unit == .percent:
      // HealthKit writes a fraction under a percent sign, and some apps a percentage.
      return value > 1 ? value : value * 100
    default: return counted(value, in: unit)
    }
  }
}

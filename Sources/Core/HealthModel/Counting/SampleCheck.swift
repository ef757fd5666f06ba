/// Why a sample or workout of an export, or a number of it, was left out after it was read.
package enum LeftOut: String, Error, CaseIterable, Hashable, Sendable {
  /// It begins before 1900 or after 2199.
  case date
  /// It ends before it begins.
  case endsBeforeStart = "ends_before_start"
  /// It spans more than 31 days.
  case tooLong = "too_long"
  /// Negative, not finite, or more than a day can hold.
  case value
  /// Sleep that ends after the export was made.
  case afterExport = "after_export"
  /// The same record again.
  case duplicate
  /// Its unit can't be converted.
  case unit
  /// Its category has a value that is not known.
  case category = "unknown_category"
  /// Systolic blood pressure without diastolic, or diastolic without systolic.
  case unpaired
  /// The unit of a workout's number can't be converted.
  case workoutUnit = "workout_unit"
  /// A workout's number is negative or not a number.
  case workoutNumber = "workout_number"
  /// There are more workouts than are kept.
  case tooManyWorkouts = "too_many_workouts"
}

extension SampleKind {
  /// A value of a sample in the unit in which the kind is counted; nil where its unit can't be
  /// converted, or a category's value is not known.
  /// Whoever counts samples of a kind asks this first (R18).
  package func checked(
    _ value: Double, in unit: SampleUnit, from start: Int, to end: Int
  ) throws(LeftOut) -> Double? {
    guard QuantitySample.starts.contains(start) else { throw .date }
    guard end >= start else { throw .endsBeforeStart }
    guard end - start <= QuantitySample.longestStretch else { throw .tooLong }
    if isCategory, !hasCategory(value) { return nil }
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

/// One sample as a stream has it: a HealthKit type, a number in a unit, and a stretch of time.
package struct TypedSample: Hashable, Sendable {
  package let kind: SampleKind
  /// Seconds since 1970.
  package let start: Int
  /// Seconds since 1970.
  package let end: Int
  /// The name of the app or device that wrote it; empty where unknown.
  package let source: String
  /// The model of the device, such as `Watch6,2`; empty where unknown.
  package let hardware: String
  /// Whether the person typed it in.
  package let isUserEntered: Bool
  /// In `unit`; for a category its `SleepValue` or `StandValue`, or a number that is not known.
  package let value: Double
  /// `unknown` for a spelling that nobody can convert.
  package let unit: SampleUnit

  /// Why a sample is stored and not counted.
  package enum Fault: Error, Hashable, Sendable {
    /// No metric is made of samples of this type.
    case type(String)
    /// It lasts longer than 28 hours.
    case tooLong
    /// It begins before 2000, or after it was received.
    case time
  }

  /// A sample as given. An unknown unit or category is kept: then its metric is unsupported, not
  /// absent.
  package init(
    type: String, value: Double, unit: String, source: String, hardware: String = "",
    isUserEntered: Bool = false, start: Int, end: Int
  ) throws(Fault) {
    self.init(
      try Form(type: type, unit: unit), value: value, source: source, hardware: hardware,
      isUserEntered: isUserEntered, start: start, end: end)
  }

  /// A type and a unit, looked up: most samples repeat those of others.
  package struct Form: Hashable, Sendable {
    package let kind: SampleKind
    fileprivate let unit: UnitReading

    package init(type: String, unit: String) throws(Fault) {
      guard let kind = TypedSample.kinds[type] else { throw .type(type) }
      self.kind = kind
      if kind.isCategory {
        // Whatever a collector writes as the unit of a category, its times say how long it was.
        self.unit = UnitReading(.none)
      } else {
        self.unit = UnitReading(unit) ?? UnitReading(.unknown)
      }
    }
  }

  /// A sample of a form.
  package init(
    _ form: Form, value: Double, source: String, hardware: String, isUserEntered: Bool, start: Int,
    end: Int
  ) {
    (kind, self.start, self.end) = (form.kind, start, end)
    (self.source, self.hardware, self.isUserEntered) = (source, hardware, isUserEntered)
    (self.value, unit) = (form.unit.number(value), form.unit.unit)
  }

  fileprivate static let kinds = Dictionary(
    uniqueKeysWithValues: SampleKind.allCases.map { ($0.identifier, $0) })
}

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

package import AppleExport
package import HealthModel

/// What was read of an export, and what was left out.
package struct ExportTally: Hashable, Sendable {
  /// Samples within the range of days, by kind.
  package private(set) var samples: [SampleKind: Int] = [:]
  /// How many of them stand in correlations alone.
  package private(set) var onlyInCorrelations = 0
  /// Samples that were left out after reading.
  package private(set) var leftOut: [LeftOut: Int] = [:]
  /// Records that the scan left out.
  package private(set) var skipped: [SkipReason: Int] = [:]
  /// Workouts within the range of days.
  package var workouts = 0
  /// Records that no number is made of, by the type of the record.
  package private(set) var unread: [String: Int] = [:]

  mutating func count(_ kind: SampleKind, _ count: Int) {
    if count > 0 { samples[kind, default: 0] += count }
  }

  /// Counts a sample that stands in a correlation alone.
  mutating func count(_ sample: PackedSample) {
    guard let kind = SampleKind(rawValue: UInt8(sample.kind)) else { return }
    samples[kind, default: 0] += 1
    onlyInCorrelations += 1
  }

  /// Counts records whose type is not read.
  package mutating func addUnread(_ counts: [String: Int]) {
    unread.merge(counts, uniquingKeysWith: +)
  }

  mutating func leaveOut(_ reason: LeftOut, _ count: Int = 1) {
    if count > 0 { leftOut[reason, default: 0] += count }
  }
  mutating func skip(_ reason: SkipReason) { skipped[reason, default: 0] += 1 }
}

/// Why a sample or workout of an export, or a number of it, was left out after it was read.
package enum LeftOut: String, CaseIterable, Hashable, Sendable {
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
  /// Systolic blood pressure without diastolic, or diastolic without systolic.
  case unpaired
  /// The unit of a workout's number can't be converted.
  case workoutUnit = "workout_unit"
  /// A workout's number is negative or no number.
  case workoutNumber = "workout_number"
  /// There are more workouts than are kept.
  case tooManyWorkouts = "too_many_workouts"
}

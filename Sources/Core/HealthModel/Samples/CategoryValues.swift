/// What a sample of sleep says, as HealthKit numbers it.
public enum SleepValue: Int, CaseIterable, Hashable, Sendable {
  /// In bed, awake or asleep.
  case inBed = 0
  /// Asleep without a stage: `Asleep` before iOS 16, `AsleepUnspecified` since.
  case asleepUnspecified = 1
  /// Awake.
  case awake = 2
  /// Core sleep.
  case asleepCore = 3
  /// Deep sleep.
  case asleepDeep = 4
  /// REM sleep.
  case asleepREM = 5
}

/// What a sample of standing says, as HealthKit numbers it.
public enum StandValue: Int, CaseIterable, Hashable, Sendable {
  /// Somebody stood for at least a minute of the hour.
  case stood = 0
  /// Nobody stood.
  case idle = 1
}

extension SampleKind {
  /// The number of a category's value in words that are not known: HealthKit has no such value.
  package static let unknownCategory = 99.0

  /// Whether a category has a value with this number. Of a mindful session only its time counts.
  package func hasCategory(_ number: Double) -> Bool {
    switch self {
    case .sleepAnalysis: Int(exactly: number).flatMap(SleepValue.init) != nil
    case .appleStandHour: Int(exactly: number).flatMap(StandValue.init) != nil
    default: true
    }
  }
}

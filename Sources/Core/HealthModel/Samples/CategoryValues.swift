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

/// One period of sleep, or of time in bed, as a source recorded it.
public struct SleepSegment: Hashable, Sendable {
  /// Its own UUID where the source gives one, else `SampleIdentity.uuid`; lower case.
  public var id: String
  /// What it says.
  public var value: SleepValue
  /// Seconds since 1970.
  public var start: Int64
  /// Seconds since 1970, never before `start`.
  public var end: Int64
  /// The name of the app or device that wrote it.
  public var source: String

  /// A period.
  public init(id: String, value: SleepValue, start: Int64, end: Int64, source: String) {
    (self.id, self.value, self.start, self.end, self.source) = (id, value, start, end, source)
  }
}

extension SleepValue {
  /// The value's name in documents and tables, such as `asleepCore`.
  public var name: String {
    switch self {
    case .inBed: "inBed"
    case .asleepUnspecified: "asleepUnspecified"
    case .awake: "awake"
    case .asleepCore: "asleepCore"
    case .asleepDeep: "asleepDeep"
    case .asleepREM: "asleepREM"
    }
  }
}

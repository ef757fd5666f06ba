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

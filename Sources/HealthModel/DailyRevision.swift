/// One day's document: what a collector publishes and a reader resolves (R7 to R14).
public struct DailyRevision: Hashable, Sendable {
  public var day: ReportingDay
  /// The moment in the revision's id (R7); UTC, whole seconds.
  public var generatedAt: Timestamp
  /// The collector's own clock when the data was read, where it differs from `generatedAt` (R8).
  public var capturedAt: Timestamp?
  public var collector: Collector
  /// A reading for every one of the eight metrics.
  public var readings: [Metric: MetricReading]
  /// Members that this version does not know, kept as they were (R14).
  public var unknownMembers: [String: JSONValue]

  /// Most bytes of a stored revision (R13).
  public static let maximumBytes = 65_536

  /// A revision; metrics that `readings` leaves out become `noData`.
  public init(
    day: ReportingDay, generatedAt: Timestamp, capturedAt: Timestamp? = nil, collector: Collector,
    readings: [Metric: MetricReading], unknownMembers: [String: JSONValue] = [:]
  ) {
    self.day = day
    self.generatedAt = generatedAt
    self.capturedAt = capturedAt
    self.collector = collector
    self.readings = readings
    for metric in Metric.allCases where self.readings[metric] == nil {
      self.readings[metric] = .noData
    }
    self.unknownMembers = unknownMembers
  }

  public var date: CalendarDate { day.date }

  /// The canonical bytes that are stored.
  public var encoded: [UInt8] { [] }

  /// What stays the same when the same data is published again: all but `generated_at`,
  /// `captured_at` (R20).
  public var payload: [UInt8] { [] }

  /// What reading a stored document gave.
  public struct Decoded: Sendable {
    /// The revision, if and only if `violations` is empty.
    public let revision: DailyRevision?
    public let violations: [Violation]
    /// JSON pointers of members that this version does not know (R14); never violations.
    public let notes: [String]
  }

  /// Reads and validates a stored document.
  ///
  /// - Parameters:
  ///   - bytes: the object's whole body.
  ///   - date: the date in the object's key, if it is to agree (R5).
  ///   - id: the id in the object's key, if it is to agree with `generated_at` (R7).
  public static func decode(
    _ bytes: [UInt8], date: CalendarDate? = nil, id: RevisionID? = nil
  ) -> Decoded {
    Decoded(revision: nil, violations: [], notes: [])
  }
}

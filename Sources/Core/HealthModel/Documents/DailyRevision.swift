public import Foundation

/// One day's document: what a collector publishes and a reader resolves (R7 to R14).
public struct DailyRevision: Hashable, Sendable {
  /// The date, its zone and its boundaries.
  public var day: ReportingDay
  /// The moment in the revision's id (R7); UTC, whole seconds.
  public var generatedAt: Timestamp
  /// The collector's own clock when the data was read, where it differs from `generatedAt` (R8).
  public var capturedAt: Timestamp?
  /// Who made it; nil where a document that was read does not say so in two UUIDs (R41).
  public var collector: Collector?
  /// A reading for every required metric, `noData` for one that is left out (R9); and for each
  /// optional one that the day has a number for, each in its unit (R42).
  ///
  /// An optional metric without a number is left out here, whatever is given.
  public var readings: [DailyMetric: MetricReading] {
    didSet { readings = readings.documented }
  }
  /// What the sources have said, of which the readings are the figures (R20); empty in a document that
  /// does not name them.
  package var words: DayWords
  /// Of what a document of an older version speaks, if it says so.
  var speaksOf: Set<DailyMetric>?
  /// The version of the rules that made figures of them (R20).
  package var foldVersion = Fold.version
  /// The newest revision that this one was joined with (R20); nil if the day had none.
  package var parent: RevisionID?
  /// How many of the day's ids its writer had seen, up to its parent; nil where that is not known. If there are
  /// more, some came from elsewhere or late, and nobody above has joined them.
  package var seen: Int?
  /// Members that this version does not know, kept as they were (R14).
  ///
  /// The document less all that is known: an unknown member of a known object stands under that
  /// object's key, `["metrics": {"mood": 7}]`.
  public var unknownMembers: [String: JSONValue]

  /// Most bytes of a stored revision (R13).
  public static let maximumBytes = 65_536

  /// What `schema_version` must say (R11).
  public static let schemaVersion = "health.v0"

  /// A revision; required metrics that `readings` leaves out become `noData`.
  public init(
    day: ReportingDay, generatedAt: Timestamp, capturedAt: Timestamp? = nil, collector: Collector?,
    readings: [DailyMetric: MetricReading], unknownMembers: [String: JSONValue] = [:]
  ) {
    self.init(
      day: day, generatedAt: generatedAt, capturedAt: capturedAt, collector: collector,
      readings: readings, words: DayWords(), parent: nil, unknownMembers: unknownMembers)
  }

  /// A revision with what its sources say.
  package init(
    day: ReportingDay, generatedAt: Timestamp, capturedAt: Timestamp?, collector: Collector?,
    readings: [DailyMetric: MetricReading], words: DayWords, parent: RevisionID?,
    unknownMembers: [String: JSONValue] = [:]
  ) {
    self.day = day
    self.generatedAt = generatedAt
    self.capturedAt = capturedAt
    self.collector = collector
    self.readings = readings.documented
    (self.words, self.parent) = (words, parent)
    self.unknownMembers = unknownMembers
  }

  /// The date of the day.
  public var date: CalendarDate { day.date }

  /// The reading of any metric of the catalogue: an optional one that the day lacks has no data.
  public func reading(of metric: DailyMetric) -> MetricReading { readings[metric] ?? .noData }

  /// Whether two revisions have the same data of their days, whoever collected it and when (R20).
  public func hasSameData(as other: DailyRevision) -> Bool {
    day == other.day && readings == other.readings && unknownMembers == other.unknownMembers
  }

  /// Whether two revisions differ at most in who collected the data and when.
  package func differsOnlyInOrigin(from other: DailyRevision) -> Bool {
    anonymous == other.anonymous
  }

  /// The revision without who made it, and without the moments of its words.
  var anonymous: DailyRevision {
    var anonymous = self
    let nobody = Timestamp(secondsSince1970: 0)
    anonymous.generatedAt = nobody
    (anonymous.collector, anonymous.capturedAt, anonymous.seen) = (nil, nil, nil)
    anonymous.words = DayWords(words.all.map(\.withoutMoments))
    return anonymous
  }

  /// What reading a stored document gave.
  public struct Decoded: Sendable {
    /// The revision, if and only if the document is readable (R41).
    public let revision: DailyRevision?
    /// Every breach of a rule, not only the first; empty if and only if the document conforms.
    public let violations: [Violation]
    /// JSON pointers of members that this version does not know (R14); never violations.
    public let notes: [String]
    /// True if the bytes are the canonical form of a revision without unknown members, and break no
    /// rule. Boundaries count only if they were checked.
    package let isCanonical: Bool

    /// True where the document is not what was written, or may not be: it fails its digest (R60).
    package var isDamaged: Bool { violations.contains { $0.rule == "R60" } }
  }
}

/// Who made a revision: two UUIDs that stay the same for the life of an installation (R12).
public struct Collector: Hashable, Sendable {
  /// The collecting installation.
  public let collectorID: UUID
  /// The device it runs on.
  public let deviceID: UUID

  /// A collector with these two ids.
  public init(collectorID: UUID, deviceID: UUID) {
    (self.collectorID, self.deviceID) = (collectorID, deviceID)
  }
}

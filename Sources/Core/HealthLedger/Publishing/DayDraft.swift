public import HealthModel

/// A day's data without an id: what a collector passes to `publish`.
public struct DayDraft: Hashable, Sendable {
  /// The reporting day that the readings cover.
  public var day: ReportingDay
  /// Who read the data.
  public var collector: Collector
  /// The metrics. One that is left out becomes `noData` (R10), or keeps the day's reading of it if
  /// the draft does not cover it.
  public var readings: [DailyMetric: MetricReading]
  /// The metrics that the source covers. What it does not cover, it does not take away (R20): the
  /// day keeps it.
  public var covers: MetricCoverage
  /// When the data was read, by the collector's own clock (R8).
  public var capturedAt: Timestamp
  /// Whether stored data stays if it was captured after `capturedAt` (R20).
  ///
  /// True for a source that says when it was made, such as an export. False for data that is read
  /// now, and if the caller insists.
  public var keepsNewer: Bool
  /// Members of other formats that are kept unchanged (R14).
  public var unknownMembers: [String: JSONValue]
  /// Sums and lengths that may lack a part of the day: the day keeps a greater number of its own (R20).
  package var mayLack: Set<DailyMetric> = []
  /// The revision over which the draft was laid; nil before that, and if the day has none.
  package var keptFrom: RevisionID?

  /// A draft of `day`. Its data counts as read now unless `capturedAt` is given.
  ///
  /// It covers the metrics that `readings` lists, unless `covers` says otherwise.
  public init(
    day: ReportingDay, collector: Collector, readings: [DailyMetric: MetricReading],
    covers: MetricCoverage? = nil, capturedAt: Timestamp = .now, keepsNewer: Bool = false,
    unknownMembers: [String: JSONValue] = [:]
  ) {
    self.keepsNewer = keepsNewer
    self.day = day
    self.collector = collector
    self.readings = readings
    self.covers = covers ?? .metrics(Set(readings.keys))
    self.capturedAt = capturedAt
    self.unknownMembers = unknownMembers
  }

  /// The revision made of this draft under an id minted at `moment` (R7, R8).
  package func revision(at moment: Timestamp) -> DailyRevision {
    DailyRevision(
      day: day, generatedAt: moment, capturedAt: capturedAt == moment ? nil : capturedAt,
      collector: collector, readings: readings, covers: covers, keptFrom: keptFrom,
      unknownMembers: unknownMembers)
  }
}

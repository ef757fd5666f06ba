public import HealthModel

/// What one source says of a day: what a collector passes to `publish`.
///
/// Publishing joins it with what other sources have said (R20). So it takes nothing away of which the source
/// does not speak.
public struct DayDraft: Hashable, Sendable {
  /// The reporting day that the readings are of.
  public var day: ReportingDay
  /// Who read the data.
  public var collector: Collector
  /// Where the data comes from: two machines that read one source give one name.
  public var source: DataSource
  /// When the data was read, by the collector's own clock (R8).
  public var capturedAt: Timestamp
  /// Members of other formats that are kept unchanged (R14).
  public var unknownMembers: [String: JSONValue]
  /// The run that says it, by which it can be withdrawn; nil to name none.
  public var run: RunID?
  /// What the source says; each captured at `capturedAt`.
  package var words: [Word]
  /// Whether the source was read just now, so that nothing that is stored was captured after it, whatever the
  /// clocks say.
  package var isReadNow = false
  /// The metrics of a group that the source leaves as they are, although it speaks of the group: a person
  /// who corrects the greatest heart rate does not take the mean away.
  package var leaves: Set<DailyMetric> = []
  /// Of what the source no longer has data, if it has spoken of it before.
  package var retracts = Retraction.nothing

  /// The run that is undone, or taken back, on this day.
  package var change: RunChange?

  /// Whether what a run said is to count.
  package struct RunChange: Hashable, Sendable {
    package let run: RunID
    package let isUndone: Bool
    /// How often it was undone or taken back with this change; nil before the day was looked at.
    var times: Int?

    package init(_ run: RunID, isUndone: Bool) { (self.run, self.isUndone) = (run, isUndone) }

    /// The change as it follows what is known.
    func following(_ words: DayWords) -> RunChange {
      var change = self
      let known = words.undone[run] ?? 0
      change.times = times ?? (words.isUndone(run) == isUndone ? known : known + 1)
      return change
    }
  }

  /// What a source takes back by saying nothing of it.
  package enum Retraction: Hashable, Sendable {
    case nothing
    /// What it said of the date in other zones: its rows lie on other dates now. By the groups that the input
    /// has, the moments of which it has them. What was said at the input's own moment is of the same input.
    case otherZones(within: [WordGroup: Range<Int>])
    /// All that it said: what it does not say now is not so.
    case everything
    /// All that it said, in every zone.
    case withdrawn

    /// Whether it is said now, of whatever the source has said before.
    var isOfNow: Bool { self == .everything || self == .withdrawn }

    /// Whether the days beside those of the source may have its rows in another zone.
    package var reachesNeighbours: Bool {
      if case .otherZones = self { true } else { false }
    }
  }

  /// A draft of `day`, of what a source has read.
  ///
  /// It speaks of the metrics in `readings`, for the whole day, or for the day so far if it is not over at
  /// `capturedAt`. A reading without a number says that the source has none.
  public init(
    day: ReportingDay, collector: Collector, source: DataSource = .healthKit,
    readings: [DailyMetric: MetricReading], capturedAt: Timestamp? = nil,
    unknownMembers: [String: JSONValue] = [:]
  ) {
    let isReadNow = capturedAt == nil
    self.init(
      day: day, collector: collector, source: source, words: [], capturedAt: capturedAt ?? .now,
      unknownMembers: unknownMembers)
    self.isReadNow = isReadNow
    self.readings = readings
  }

  package init(
    day: ReportingDay, collector: Collector, source: DataSource, words: [Word],
    capturedAt: Timestamp, unknownMembers: [String: JSONValue] = [:]
  ) {
    (self.day, self.collector, self.source) = (day, collector, source)
    (self.words, self.capturedAt, self.unknownMembers) = (words, capturedAt, unknownMembers)
  }

  /// That a source takes back all that it has said of a day, in every zone.
  package init(
    withdrawing source: DataSource, from day: ReportingDay, _ collector: Collector,
    at moment: Timestamp
  ) {
    self.init(day: day, collector: collector, source: source, words: [], capturedAt: moment)
    (isReadNow, retracts) = (true, .withdrawn)
  }

  /// That what a run said of a day counts no more, or again.
  package init(
    _ change: RunChange, of day: ReportingDay, _ collector: Collector, at moment: Timestamp
  ) {
    self.init(day: day, collector: collector, source: .unknown, words: [], capturedAt: moment)
    self.change = change
  }

  /// What the source says of each metric of which it speaks.
  ///
  /// Set, it is of the whole day, or of the day so far.
  package var readings: [DailyMetric: MetricReading] {
    get {
      words.reduce(into: [:]) { readings, word in
        for (metric, reading) in zip(word.group.metrics, word.readings)
        where !leaves.contains(metric) {
          readings[metric] = reading
        }
      }
    }
    set {
      let spans = DaySpans(day)
      words = Set(newValue.keys.map(WordGroup.init(of:))).sorted().map { group in
        let span = spans.span(of: group)
        return Word(
          source, group, group.metrics.map { newValue[$0] ?? .noData }, zone: day.timeZoneName,
          isZoneSet: true, extent: WordExtent(of: span, in: span, capturedAt: capturedAt),
          capturedAt: capturedAt)
      }
    }
  }

  /// The revision that a day gets of which nothing else is known.
  package func revision(at moment: Timestamp) -> DailyRevision {
    JoinedDay(self, over: SurveyedDay()).captured(by: moment).revision(at: moment)
  }
}

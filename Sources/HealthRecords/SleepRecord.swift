package import HealthSamples

/// A row of the table of sleep: one period, as a source recorded it (R56).
package struct SleepRecord: Hashable, Sendable {
  /// The period's UUID, lower case.
  package let id: String
  package let start: RecordMoment
  package let end: RecordMoment
  package let source: String?
  /// Its length in hours.
  package let hours: Double?
  package let value: SleepValue

  package init(
    id: String, start: RecordMoment, end: RecordMoment, source: String?, hours: Double?,
    value: SleepValue
  ) {
    (self.id, self.start, self.end) = (id, start, end)
    (self.source, self.hours, self.value) = (source, hours, value)
  }

  /// The row of a period.
  package init(_ segment: SleepSegment) {
    self.init(
      id: segment.id, start: RecordMoment(secondsSince1970: segment.start),
      end: RecordMoment(secondsSince1970: segment.end), source: segment.source,
      hours: Double(segment.end - segment.start) / 3600, value: segment.value)
  }
}

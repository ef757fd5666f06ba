package import HealthModel

/// Takes what a scan of an export finds, in the order of the file.
///
/// A source is reported before the first sample that names it.
package protocol ExportSink {
  /// The locale that the export was made in.
  mutating func take(locale: String)
  mutating func take(exportDate: Int64)
  /// The next source: the first is number 0.
  mutating func take(source: ExportSource)
  /// A zone that a record's `HKTimeZone` names, and when the record begins, in seconds since 1970;
  /// nil where its kind is not read; and whether it is a record of sleep.
  mutating func take(timeZone: String, at start: Int64?, ofSleep: Bool)
  mutating func take(_ sample: ExportSample) throws
  mutating func take(_ workout: ExportWorkout)
  mutating func take(_ summary: ActivitySummary)
  /// A record of a kind that counts was left out.
  mutating func skip(_ reason: SkipReason, _ kind: SampleKind?)
  /// A record was left out, and its times are known.
  mutating func take(unread: UnreadRecord)
}

extension ExportSink {
  package mutating func take(unread: UnreadRecord) {}
}

/// A record of which only the kind and the times could be read.
package struct UnreadRecord: Hashable, Sendable {
  package let kind: SampleKind
  /// Seconds since 1970.
  package let start: Int64
  package let end: Int64

  package init(kind: SampleKind, start: Int64, end: Int64) {
    (self.kind, self.start, self.end) = (kind, start, end)
  }
}

/// Why a scan left a record out.
package enum SkipReason: String, CaseIterable, Hashable, Sendable {
  /// A date that does not exist, or is missing.
  case date
  /// A value that has no meaning, or is missing.
  case value
  /// Over the bounds that the scan sets to an element or an attribute.
  case tooLarge = "too_large"
  /// Not well-formed.
  case malformed
  /// A category value that is not known.
  case unknownCategory = "unknown_category"
  /// More sources than can be distinguished.
  case tooManySources = "too_many_sources"
}

/// One thing that a scan found, in the order of the file.
package enum ExportFinding: Hashable, Sendable {
  case locale(String)
  case exportDate(Int64)
  case source(ExportSource)
  /// With the start of the record that names it, where that is read, and whether it is of sleep.
  case timeZone(String, Int64?, ofSleep: Bool)
  case sample(ExportSample)
  // Rare and large: in place they would make room for themselves in each of millions of samples.
  indirect case workout(ExportWorkout)
  indirect case summary(ActivitySummary)
  case skipped(SkipReason, SampleKind?)
  case unread(UnreadRecord)
}

extension ExportSink {
  /// Hands a finding to the function that takes its kind.
  package mutating func take(_ finding: ExportFinding) throws {
    switch finding {
    case .locale(let locale): take(locale: locale)
    case .exportDate(let date): take(exportDate: date)
    case .source(let source): take(source: source)
    case .timeZone(let zone, let start, let ofSleep):
      take(timeZone: zone, at: start, ofSleep: ofSleep)
    case .sample(let sample): try take(sample)
    case .workout(let workout): take(workout)
    case .summary(let summary): take(summary)
    case .skipped(let reason, let kind): skip(reason, kind)
    case .unread(let record): take(unread: record)
    }
  }
}

/// A tag that a scan left out: the first of its reason.
package struct SkippedExample: Hashable, Sendable {
  /// The line on which the tag begins, from 1; nil where the export came through a pipe.
  package let line: Int?
  /// What could not be read, as written; at most 80 characters and as anybody may have written it.
  package let text: String

  package init(line: Int?, text: String) { (self.line, self.text) = (line, text) }
}

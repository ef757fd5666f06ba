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

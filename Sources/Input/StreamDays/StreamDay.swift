package import HealthLedger
package import HealthModel
import HealthSources

/// One day of the entries of a store's streams (R45, R49). Pure: a function of the entries, the zone
/// and the rules.
package struct StreamDay: Hashable, Sendable {
  /// What the entries say of the metrics.
  package private(set) var readings: [DailyMetric: MetricReading] = [:]
  /// Remarks for people.
  package private(set) var notes: [String] = []
  /// What was not counted, of the entries that begin on the day.
  package private(set) var leftOut = LeftOutEntries()
  /// What they say beyond the numbers; nil if it was not asked for.
  package private(set) var detail: DayDetail?

  /// Whether the entries say anything about the day.
  package var saysAnything: Bool { !readings.isEmpty }

  /// What samples say of their day.
  package init(
    of found: FiledSamples, metrics: Set<DailyMetric>, wantsDetail: Bool = false
  ) throws(LedgerError) {
    leftOut = found.leftOut
    let samples = SampleKind.allCases.flatMap { found.best(of: $0)?.samples.samples ?? [] }
    let counted = try SampleDay(
      of: samples, on: found.day.date, in: found.zones, metrics: metrics,
      wantsDetail: wantsDetail)
    leftOut.add(counted.leftOut)
    detail = counted.detail
    if let says = counted.readings { (readings, notes) = (says.readings, says.notes) }
  }
}

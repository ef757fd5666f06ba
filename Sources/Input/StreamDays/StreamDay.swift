package import HealthLedger
package import HealthModel
package import HealthSources

/// One day of the entries of a store's streams (R45, R49). Pure: a function of the entries, the zone
/// and the rules.
package struct StreamDay: Hashable, Sendable {
  /// What the entries say of the metrics.
  package private(set) var readings: [DailyMetric: MetricReading] = [:]
  /// The metrics whose samples are those of a complete feed, captured after the day.
  package private(set) var whole: Set<DailyMetric> = []
  /// Remarks for people.
  package private(set) var notes: [String] = []
  /// What was not counted, of the entries that begin on the day.
  package private(set) var leftOut = LeftOutEntries()
  /// What they say beyond the numbers; nil if it was not asked for.
  package private(set) var detail: DayDetail?

  /// Whether the entries say anything of the day.
  package var saysAnything: Bool { !readings.isEmpty }

  /// What samples say of their day.
  package init(
    of found: FiledSamples, metrics: Set<DailyMetric>, wantsDetail: Bool = false
  ) throws(LedgerError) {
    let (day, end) = (found.day, found.own.upperBound)
    leftOut = found.leftOut
    var samples: [TypedSample] = []
    for kind in SampleKind.allCases {
      guard let best = found.best(of: kind) else { continue }
      samples += best.samples.samples
      if best.samples.isComplete(best.name, after: end) {
        whole.formUnion(DailyMetric.allCases.filter { $0.kind.family == kind })
      }
    }
    let counted = try SampleDay(
      of: samples, on: day.date, in: found.zones, metrics: metrics,
      wantsDetail: wantsDetail)
    leftOut.add(counted.leftOut)
    detail = counted.detail
    guard let says = counted.readings else { return }
    (readings, notes) = (says.readings, says.notes)
  }
}

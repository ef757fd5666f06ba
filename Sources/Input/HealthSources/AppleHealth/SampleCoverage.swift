package import AppleExport
package import HealthModel

/// How far the samples of an export reach, of the kinds that the metrics wanted are made of.
///
/// Whatever dates are asked for: it distinguishes an empty day of an export from a day beyond it.
package struct SampleCoverage: Hashable, Sendable {
  private var first = Int.max
  private var last = Int.min
  private let kinds: KindSet

  package init(of options: ExportOptions) { kinds = options.kinds }

  package mutating func add(_ sample: ExportSample) {
    let start = Int(sample.start)
    guard kinds.contains(sample.kind), PackedSample.starts.contains(start) else { return }
    first = min(first, start)
    last = max(last, start)
  }

  /// The first and the last date on which a sample begins; nil where there is no sample.
  package func dates(
    in zones: ReportingZones
  ) throws(ReportingDay.Failure) -> ClosedRange<CalendarDate>? {
    guard first <= last else { return nil }
    let start = try zones.date(at: Timestamp(secondsSince1970: first))
    return start...max(start, try zones.date(at: Timestamp(secondsSince1970: last)))
  }
}

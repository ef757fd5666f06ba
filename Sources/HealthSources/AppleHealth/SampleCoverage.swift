package import AppleExport
package import HealthModel

/// How far the samples of an export reach, of the kinds that the eight metrics are made of.
///
/// Whatever dates are asked for: it tells an empty day of an export from a day beyond it.
package struct SampleCoverage: Hashable, Sendable {
  private var first = Int.max
  private var last = Int.min

  package init() {}

  package mutating func add(_ sample: ExportSample) {
    let start = Int(sample.start)
    guard sample.kind.isDaily, PackedSample.starts.contains(start) else { return }
    first = min(first, start)
    last = max(last, start)
  }

  /// The first and the last date on which a sample begins; nil where there is no sample.
  package func dates(
    timeZoneName: String
  ) throws(ReportingDay.Failure) -> ClosedRange<CalendarDate>? {
    guard first <= last else { return nil }
    return try date(first, timeZoneName)...date(last, timeZoneName)
  }

  private func date(
    _ seconds: Int, _ timeZoneName: String
  ) throws(ReportingDay.Failure) -> CalendarDate {
    try ReportingDay.date(
      at: Timestamp(secondsSince1970: seconds), timeZoneName: timeZoneName)
  }
}

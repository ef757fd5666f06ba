import HealthLedger
package import HealthModel

/// One date of a report.
package struct ReportDay: Hashable, Sendable {
  package let date: CalendarDate
  package let coverage: DayCoverage
  /// How many revisions the day holds; nil where they were too many to be listed.
  package let revisions: Int?
  /// In the order of `Metric.allCases`; empty where no revision is valid.
  package let readings: [MetricReading]
  /// How many errors and warnings were found on the date.
  package let faults: Int

  init(_ verdict: DayVerdict) {
    date = verdict.date
    coverage = DayCoverage(verdict)
    revisions = verdict.revisionCount
    readings =
      verdict.latest.map { latest in
        Metric.allCases.map { latest.revision.readings[$0] ?? .noData }
      } ?? []
    faults = verdict.findings.count { $0.severity != .note }
  }

  /// The metric's number, or nil where there is none.
  func number(of metric: Int) -> Double? {
    readings.indices.contains(metric) ? readings[metric].number : nil
  }
}

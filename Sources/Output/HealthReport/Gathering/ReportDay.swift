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
  /// The numbers of the further metrics, in the order of the catalogue.
  package let further: [Number]
  /// Metrics whose number verification doubts: marked where it is drawn, and not counted.
  package let doubted: [DailyMetric]
  /// Whether the day is not over: its numbers are those so far, and are not counted.
  package let isSoFar: Bool
  /// Whether one of its numbers may not be the one that was written (R60).
  package let isDamaged: Bool
  /// How many errors and warnings were found on the date.
  package let faults: Int

  /// A metric's number.
  package struct Number: Hashable, Sendable {
    package let metric: DailyMetric
    package let value: Double
  }

  /// - Parameters:
  ///   - findings: those of the date that count.
  ///   - now: when the report is made.
  init(_ verdict: DayVerdict, _ findings: [Finding], at now: Timestamp) {
    date = verdict.date
    coverage = DayCoverage(verdict)
    revisions = verdict.revisionCount
    let latest = verdict.latest?.revision
    readings =
      latest.map { latest in Metric.allCases.map { latest.readings[$0] ?? .noData } } ?? []
    let numbers = latest?.further ?? [:]
    further =
      numbers.isEmpty
      ? []
      : DailyMetric.further.compactMap { metric in
        numbers[metric].map { Number(metric: metric, value: $0) }
      }
    isSoFar = latest.map { !$0.day.isOver(at: now) } ?? false
    isDamaged = verdict.latest?.isDamaged ?? false
    faults = findings.count { $0.severity != .note }
    let doubts: Set<String> = [
      FindingCode.suspiciousZero.rawValue, FindingCode.implausibleValue.rawValue,
    ]
    doubted = findings.compactMap { finding in
      guard doubts.contains(finding.code), finding.pointer.hasPrefix("/metrics/") else {
        return nil
      }
      return DailyMetric(rawValue: String(finding.pointer.dropFirst("/metrics/".count)))
    }
  }

  /// Every number of the day, the eight of v0 first.
  var numbers: [Number] {
    zip(Metric.allCases, readings).compactMap { metric, reading in
      reading.number.map { Number(metric: metric.daily, value: $0) }
    } + further
  }

  var hasNumber: Bool { !further.isEmpty || readings.contains { $0.number != nil } }
}

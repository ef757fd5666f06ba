package import HealthLedger
package import HealthModel

/// One date of a report.
package struct ReportDay: Hashable, Sendable {
  package let date: CalendarDate
  package let coverage: DayCoverage
  /// How many revisions the day holds; nil where they were too many to be listed.
  package let revisions: Int?
  /// Those of its revision; empty where none is valid.
  package let readings: [DailyMetric: MetricReading]
  /// Every number of the day but the latest values, in the order of `DailyMetric.inOrder`.
  package let numbers: [Number]
  /// Metrics whose number verification doubts: marked where it is drawn, and not counted.
  package let doubted: [DailyMetric]
  /// The latest values of the day, by their metrics.
  package let latest: [DailyMetric: LatestValue]
  /// Whether the day is not over: its numbers are those so far, and are not counted.
  package let isSoFar: Bool
  /// Numbers of a part of the day: shown with its moments, and not counted (R33).
  package let partial: PartialNumbers
  /// Whether one of its numbers may not be the one that was written (R60).
  package let isDamaged: Bool
  /// How many errors and warnings were found on the date.
  package let faults: Int

  /// A metric's number.
  package struct Number: Hashable, Sendable {
    package let metric: DailyMetric
    package let value: Double
  }

  /// A day with all that was found on it.
  package init(_ verdict: DayVerdict, at now: Timestamp) {
    self.init(verdict, verdict.findings, at: now)
  }

  /// - Parameters:
  ///   - findings: those of the date that count.
  ///   - now: when the report is made.
  init(_ verdict: DayVerdict, _ findings: [Finding], at now: Timestamp) {
    date = verdict.date
    coverage = DayCoverage(verdict)
    revisions = verdict.revisionCount
    let revision = verdict.latest?.revision
    let readings = revision?.readings ?? [:]
    let hasOptional = readings.count > DailyMetric.required.count
    numbers = (hasOptional ? DailyMetric.inOrder : DailyMetric.required).compactMap { metric in
      guard metric.latestOf == nil else { return nil }
      return readings[metric]?.number.map { Number(metric: metric, value: $0) }
    }
    self.readings = readings
    var latest: [DailyMetric: LatestValue] = [:]
    for metric in readings.keys.lazy.compactMap(\.latestOf) where latest[metric] == nil {
      latest[metric] = revision?.latest(of: metric)
    }
    self.latest = latest
    isSoFar = revision.map { !$0.day.isOver(at: now) } ?? false
    partial = revision.map(PartialNumbers.init) ?? PartialNumbers()
    isDamaged = verdict.latest?.isDamaged ?? false
    faults = findings.count { $0.severity != .note }
    doubted = numbers.filter { $0.metric.isDoubtful($0.value) }.map(\.metric)
  }

  var hasNumber: Bool { !numbers.isEmpty }

  /// Of a number that is of a part of the day, what is to be said beside it.
  func partWords(_ metric: DailyMetric) -> String? {
    isSoFar ? "so far" : partial[metric]?.words
  }

  /// The number of a metric, if it counts in means, lows and records.
  func counted(_ metric: DailyMetric) -> Double? {
    partWords(metric) != nil || doubted.contains(metric) ? nil : readings[metric]?.number
  }
}

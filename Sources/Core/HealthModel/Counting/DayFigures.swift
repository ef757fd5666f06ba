/// The metrics of one day, each made once of its samples (R18, docs/DAYS.md).
package struct DayFigures {
  /// Metrics left out have no data.
  package private(set) var readings: [DailyMetric: MetricReading] = [:]
  /// Remarks for a person.
  package private(set) var notes: [String] = []
  /// What each source adds to the metrics that are sums, the best source first.
  package private(set) var shares: [DailyMetric: [SourceShare]] = [:]

  package init(
    _ metrics: [CountedMetric], of samples: DaySamples, in window: DayWindow,
    order: [SourcePriority]
  ) throws(ReportingDay.Failure) {
    // Several metrics are made of one night.
    let sleep =
      samples[.sleepAnalysis].isEmpty
      ? nil : SleepStages(samples.sleep, in: window.night, order: order)
    // Most kinds have no sample on most days.
    let metrics = metrics.filter { samples.holds($0.kind) }
    for metric in metrics {
      let number: Double?
      let own = samples[metric.kind]
      switch metric.aggregation {
      case .sum:
        let shares = AdditiveTotals.shares(of: own, in: window.range, order: order)
        self.shares[metric.metric] = shares
        number = shares.total
      case .hours:
        let found = try metric.number(of: own, in: window, order: order)
        number = found.map { cut($0, to: StandHours.most(of: window.range)) }
      case .night: number = sleep.flatMap { metric.number(of: $0) }
      default: number = try metric.number(of: own, in: window, order: order)
      }
      if let number { readings[metric.metric] = .value(metric.rounded(number)) }
    }
    var remarks = MetricRemarks(on: metrics.map(\.metric).told)
    for metric in metrics { markUnsupported(metric, samples, in: window, &remarks) }
    notes += remarks.lines
  }

  private mutating func cut(_ hours: Double, to most: Double) -> Double {
    if hours > most { notes.append("stand hours: \(hours) cut to the day's \(most)") }
    return min(hours, most)
  }

  private mutating func markUnsupported(
    _ metric: CountedMetric, _ samples: DaySamples, in window: DayWindow,
    _ remarks: inout MetricRemarks
  ) {
    let span = metric.span(of: window)
    // What a sample of an unknown category says is not known, so it may be of any part of a night.
    let count = samples.unconvertible(metric.kind).count { metric.aggregation.reaches($0, span) }
    // A part of the samples gives no result.
    if count > 0 {
      let samples = count == 1 ? "1 sample" : "\(count) samples"
      remarks.add(
        metric.kind.isCategory
          ? "the value of \(samples) is not known" : "the unit of \(samples) can't be converted",
        on: metric)
      readings[metric.metric] = .unsupported
    }
    if samples.isOverfull(metric.kind) {
      readings[metric.metric] = .unsupported
      remarks.add("more than \(DaySamples.capacity) samples in one day", on: metric)
    }
  }
}

/// Remarks on several metrics of a day: one that holds for optional metrics of one kind takes one line.
private struct MetricRemarks {
  private let told: Set<DailyMetric>
  private var rows: [(metrics: [CountedMetric], text: String)] = []

  init(on metrics: [DailyMetric]) { told = Set(metrics) }

  mutating func add(_ text: String, on metric: CountedMetric) {
    guard told.contains(metric.metric) else { return }
    let same = rows.firstIndex { row in
      !metric.metric.isRequired && row.text == text
        && row.metrics.allSatisfy { !$0.metric.isRequired && $0.kind == metric.kind }
    }
    if let same { rows[same].metrics.append(metric) } else { rows.append(([metric], text)) }
  }

  var lines: [String] {
    rows.map { row in
      row.metrics.map(\.metric.rawValue).joined(separator: ", ") + ": " + row.text
    }
  }
}

internal import HealthModel
internal import HealthSamples

/// The metrics of one day, each made once of its samples (R18, docs/DAYS.md).
struct DayFigures {
  /// Metrics left out have no data.
  private(set) var readings: [DailyMetric: MetricReading] = [:]
  /// Remarks on the eight metrics of health.v0.
  private(set) var notes: [String] = []
  /// What each source adds to the metrics that are sums, the best source first.
  private(set) var shares: [DailyMetric: [SourceShare]] = [:]

  init(
    _ metrics: [DailyMetric], of samples: DaySamples, in window: DayWindow,
    order: [SourcePriority]
  ) throws(ReportingDay.Failure) {
    // Several metrics are made of one night.
    let sleep =
      samples[.sleepAnalysis].isEmpty ? nil : SleepStages(samples.sleep, in: window.night)
    for metric in metrics {
      let number: Double?
      switch metric.aggregation {
      case .sum:
        let shares = AdditiveTotals.shares(
          of: samples[metric.kind], in: window.range, order: order)
        self.shares[metric] = shares
        number = shares.total
      case .hours:
        let found = try metric.number(of: samples[metric.kind], in: window, order: order)
        number = found.map { cut($0, to: StandHours.most(of: window.range)) }
      case .night: number = sleep.flatMap { metric.number(of: $0) }
      default: number = try metric.number(of: samples[metric.kind], in: window, order: order)
      }
      if let number { readings[metric] = .value(metric.rounded(number)) }
    }
    for metric in metrics { markUnsupported(metric, samples, in: window) }
  }

  private mutating func cut(_ hours: Double, to most: Double) -> Double {
    if hours > most { notes.append("stand hours: \(hours) cut to the day's \(most)") }
    return min(hours, most)
  }

  private mutating func markUnsupported(
    _ metric: DailyMetric, _ samples: DaySamples, in window: DayWindow
  ) {
    let span = metric.span(of: window)
    let count = samples.unconvertible(metric.kind).count { metric.takes($0, in: span) }
    if count > 0 {
      note(metric, "the unit of \(count) samples can't be converted")
      if readings[metric] == nil { readings[metric] = .unsupported }
    }
    if samples.isOverfull(metric.kind) {
      // A part of the samples is no result.
      readings[metric] = .unsupported
      note(metric, "more than \(DaySamples.capacity) samples in one day")
    }
  }

  private mutating func note(_ metric: DailyMetric, _ text: String) {
    if metric.v0Key != nil { notes.append("\(metric.rawValue): \(text)") }
  }
}

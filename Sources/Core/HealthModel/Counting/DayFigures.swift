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

  /// Gives metrics no number: the samples are a part of the day.
  package mutating func refuse(_ metrics: Set<DailyMetric>) {
    for metric in metrics { readings[metric] = .unsupported }
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

/// What the samples of one day say beyond its numbers: what each source has by itself, and who has the latest
/// samples. Sources are named as the label `source` names them (R57).
package struct DayDetail: Hashable, Sendable {
  /// The newest sample of a metric.
  package struct Newest: Hashable, Sendable {
    package let source: String
    package let value: Double
    /// Seconds since 1970.
    package let end: Int
  }

  /// The numbers that the samples give, of whatever source.
  package private(set) var numbers: [DailyMetric: Double] = [:]
  /// Of the metrics that add up in a day: by source, the number if it were the only one.
  package private(set) var totals: [DailyMetric: [String: Double]] = [:]
  /// Of the metrics that have a latest value.
  package private(set) var latest: [DailyMetric: Newest] = [:]
  /// Who has samples of a kind within the day.
  package private(set) var sources: [SampleKind: Set<String>] = [:]
  /// By the hour of the clock on the wall, 0 to 23, the newest heart rate that ends in it.
  package private(set) var heartRates: [Int: Newest] = [:]
}

extension DayDetail {
  /// - Parameters:
  ///   - figures: those that are made of the samples.
  ///   - order: by source number.
  ///   - label: the label of a source number.
  package init(
    _ figures: DayFigures, of samples: DaySamples, in window: DayWindow, order: [SourcePriority],
    label: (Int) -> String
  ) throws(ReportingDay.Failure) {
    for (daily, reading) in figures.readings {
      guard let number = reading.number else { continue }
      numbers[daily] = number
      let metric = CountedMetric(daily)
      let span = metric.span(of: window)
      let own = samples[metric.kind].filter { metric.takes($0, in: span) }
      if daily.prometheusType == .counter {
        for (source, own) in Dictionary(grouping: own, by: { label($0.source) }) {
          totals[daily, default: [:]][source] = try metric.number(
            of: own, in: window, order: order
          ).map(metric.rounded)
        }
      } else if daily.latest != nil, let newest = own.latest(order) {
        latest[daily] = Newest(
          source: label(newest.source), value: metric.rounded(newest.quantity), end: newest.end)
      }
    }
    for kind in SampleKind.allCases {
      let own = Set(samples[kind].filter { $0.extent.overlaps(window.range) }.map(\.source))
      if !own.isEmpty { sources[kind] = Set(own.map(label)) }
    }
    for sample in samples[.heartRate] where window.range.contains(sample.end) {
      let hour = try LocalHour(at: sample.end, timeZoneName: window.day.timeZoneName)
        .ofDay
      if let known = heartRates[hour], known.end >= sample.end { continue }
      heartRates[hour] = Newest(
        source: label(sample.source), value: sample.quantity, end: sample.end)
    }
  }
}

/// What the numbers of several days have in common (R61).
package struct DayStatistics: Hashable, Sendable {
  package let mean: Double
  package let median: Double
  package let least: Double
  package let greatest: Double
  /// How many days have a number.
  package let count: Int

  /// Nil where no day has a number: that is not 0.
  package init?(_ numbers: [Double]) {
    let sorted = numbers.sorted()
    guard let mean = Self.mean(numbers), let median = Self.median(sorted: sorted),
      let least = sorted.first, let greatest = sorted.last
    else { return nil }
    (self.mean, self.median, self.least, self.greatest) = (mean, median, least, greatest)
    count = numbers.count
  }

  /// The mean; nil of no numbers.
  package static func mean(_ numbers: [Double]) -> Double? {
    guard !numbers.isEmpty else { return nil }
    // Divided last, so that the mean of equal numbers is that number, and is rounded as it is. A sum
    // of huge numbers has no value.
    let sum = numbers.reduce(0, +)
    let count = Double(numbers.count)
    return sum.isFinite ? sum / count : numbers.reduce(0) { $0 + $1 / count }
  }

  /// The middle of numbers in ascending order; of an even count the mean of the two in the middle.
  package static func median(sorted numbers: [Double]) -> Double? {
    guard !numbers.isEmpty else { return nil }
    let middle = numbers.count / 2
    return numbers.count % 2 == 1
      ? numbers[middle] : numbers[middle - 1] / 2 + numbers[middle] / 2
  }
}

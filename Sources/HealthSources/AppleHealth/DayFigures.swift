internal import AppleExport
internal import HealthModel

/// The eight metrics of one day, from its samples (R18, docs/DAYS.md).
struct DayFigures {
  /// Metrics left out have no data.
  private(set) var readings: [Metric: MetricReading] = [:]
  private(set) var notes: [String] = []
  /// What each source adds to the metrics that are sums, the best source first.
  private(set) var shares: [Metric: [SourceShare]] = [:]

  init(
    _ samples: DaySamples, in window: DayWindow, order: [SourcePriority]
  ) throws(ReportingDay.Failure) {
    let span = window.range
    for (metric, kind) in Self.sums {
      let shares = AdditiveTotals.shares(of: samples[kind], in: span, order: order)
      self.shares[metric] = shares
      set(metric, shares.isEmpty ? nil : shares.total)
    }
    for (metric, kind) in Self.means {
      set(metric, SampleMeans.figures(samples[kind].quantities(centredIn: span))?.mean)
    }
    let hours = samples[.appleStandHour].filter { span.contains($0.start) }
    let found = try StandHours.found(hours, in: window.day.timeZoneName)
    let most = StandHours.most(of: span)
    if let found, found > most { notes.append("stand hours: \(found) cut to the day's \(most)") }
    set(.standHours, found.map { min($0, most) })
    if !samples[.sleepAnalysis].isEmpty {
      let sleep = SleepStages(samples.sleep, in: window.night)
      set(.sleepAsleep, sleep.asleepMinutes)
      set(.sleepInBed, sleep.minutes(.inBed))
    }
    for (metric, kind) in Self.sums + Self.means {
      let count = samples.unconvertible(kind).count { metric.takes($0, in: span) }
      guard count > 0 else { continue }
      notes.append("\(metric.rawValue): the unit of \(count) samples can't be converted")
      if readings[metric] == nil { readings[metric] = .unsupported }
    }
    for metric in Metric.allCases where samples.isOverfull(metric.kind) {
      // A part of the samples is no result.
      readings[metric] = .unsupported
      notes.append("\(metric.rawValue): more than \(DaySamples.capacity) samples in one day")
    }
  }

  private mutating func set(_ metric: Metric, _ number: Double?) {
    if let number { readings[metric] = .value(metric.rounded(number)) }
  }

  /// The metrics that are sums over time, with what they are made of.
  static let sums: [(Metric, SampleKind)] = [
    (.steps, .stepCount), (.activeEnergy, .activeEnergyBurned),
    (.exerciseMinutes, .appleExerciseTime),
  ]

  /// The metrics that are means.
  static let means: [(Metric, SampleKind)] = [
    (.restingHeartRate, .restingHeartRate), (.heartRateVariability, .heartRateVariabilitySDNN),
  ]
}

extension Metric {
  /// Whether a sample bears on the metric in a day or night: on a sum wherever it touches it, on a
  /// mean where it has its middle.
  func takes(_ sample: QuantitySample, in span: Range<Int>) -> Bool {
    switch self {
    case .steps, .activeEnergy, .exerciseMinutes: sample.extent.overlaps(span)
    case .standHours: span.contains(sample.start)
    case .restingHeartRate, .heartRateVariability: span.contains(sample.middle)
    case .sleepAsleep, .sleepInBed:
      (sample.start..<sample.end).overlaps(span)
        && (SleepValue(rawValue: Int(sample.quantity)) == .inBed) == (self == .sleepInBed)
    }
  }
}

extension [QuantitySample] {
  /// The quantities of the samples whose middle lies in a stretch.
  func quantities(centredIn span: Range<Int>) -> [Double] {
    compactMap { span.contains($0.middle) ? $0.quantity : nil }
  }
}

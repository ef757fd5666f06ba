internal import AppleExport
internal import HealthModel

/// The wider table of one day, from its samples (docs/DAYS.md).
struct WiderFigures {
  private(set) var numbers: [WiderMetric: Double] = [:]
  private(set) var unsupported: Set<WiderMetric> = []

  init(_ samples: DaySamples, in window: DayWindow, order: [SourcePriority]) {
    let span = window.range
    for (metric, kind) in Self.sharedSums {
      let shares = AdditiveTotals.shares(of: samples[kind], in: span, order: order)
      set(metric, shares.isEmpty ? nil : shares.total)
    }
    for (metric, kind) in Self.plainSums {
      let quantities = samples[kind].quantities(centredIn: span)
      // In the order of size: the same sum whatever the order of the file.
      set(metric, quantities.isEmpty ? nil : quantities.sorted().reduce(0, +))
    }
    for (metric, kind) in Self.means {
      set(metric, SampleMeans.figures(samples[kind].quantities(centredIn: span))?.mean)
    }
    if let pulse = SampleMeans.figures(samples[.heartRate].quantities(centredIn: span)) {
      set(.heartRateMean, pulse.mean)
      set(.heartRateMinimum, pulse.least)
      set(.heartRateMaximum, pulse.greatest)
    }
    let mindful = samples[.mindfulSession].map { ($0.start..<$0.end).clamped(to: span) }
    let minutes = Double(IntervalSet(mindful).count) / 60
    set(.mindfulMinutes, minutes > 0 ? minutes : nil)
    setSleep(SleepStages(samples.sleep, in: window.night))
    markUnsupported(samples, span)
  }

  private mutating func set(_ metric: WiderMetric, _ number: Double?) {
    if let number { numbers[metric] = number.roundedToMillionths }
  }

  private mutating func setSleep(_ sleep: SleepStages) {
    let stages: [(WiderMetric, Double?)] = [
      (.sleepAsleep, sleep.asleepMinutes), (.sleepInBed, sleep.minutes(.inBed)),
      (.sleepCore, sleep.minutes(.core)), (.sleepDeep, sleep.minutes(.deep)),
      (.sleepREM, sleep.minutes(.rem)), (.sleepAwake, sleep.minutes(.awake)),
    ]
    for (metric, minutes) in stages { set(metric, minutes.map { $0 / 60 }) }
  }

  private mutating func markUnsupported(_ samples: DaySamples, _ span: Range<Int>) {
    let pulse: [(WiderMetric, SampleKind)] = [
      (.heartRateMean, .heartRate), (.heartRateMinimum, .heartRate),
      (.heartRateMaximum, .heartRate),
    ]
    for (metric, kind) in Self.sharedSums + Self.plainSums + Self.means + pulse + Self.times {
      if samples.isOverfull(kind) { numbers[metric] = nil }
      guard numbers[metric] == nil else { continue }
      if samples.isOverfull(kind)
        || samples.unconvertible(kind).contains(where: { span.contains($0.middle) })
      {
        unsupported.insert(metric)
      }
    }
  }

  /// What devices measure all the time: several may have seen the same.
  private static let sharedSums: [(WiderMetric, SampleKind)] = [
    (.exerciseTime, .appleExerciseTime), (.moveTime, .appleMoveTime),
    (.distance, .distanceWalkingRunning),
  ]

  /// What somebody entered: one meal after the other.
  private static let plainSums: [(WiderMetric, SampleKind)] = [
    (.carbohydrates, .dietaryCarbohydrates), (.protein, .dietaryProtein),
    (.fat, .dietaryFatTotal), (.fiber, .dietaryFiber), (.dietaryEnergy, .dietaryEnergyConsumed),
  ]

  /// What is told by the times of samples.
  private static let times: [(WiderMetric, SampleKind)] = [
    (.mindfulMinutes, .mindfulSession), (.sleepAsleep, .sleepAnalysis),
    (.sleepInBed, .sleepAnalysis), (.sleepCore, .sleepAnalysis), (.sleepDeep, .sleepAnalysis),
    (.sleepREM, .sleepAnalysis), (.sleepAwake, .sleepAnalysis),
  ]

  private static let means: [(WiderMetric, SampleKind)] = [
    (.bodyFat, .bodyFatPercentage), (.bodyMassIndex, .bodyMassIndex),
    (.heartRateVariability, .heartRateVariabilitySDNN), (.restingHeartRate, .restingHeartRate),
    (.walkingHeartRate, .walkingHeartRateAverage), (.leanMass, .leanBodyMass),
    (.weight, .bodyMass), (.runningSpeed, .runningSpeed), (.vo2Max, .vo2Max),
    (.waist, .waistCircumference),
  ]
}

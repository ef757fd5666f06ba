internal import HealthSamples

/// One sleep sample.
struct SleepSample {
  /// What it says.
  let value: SleepValue
  /// Seconds since 1970.
  let range: Range<Int>
  /// Which of the sources.
  let source: Int
}

/// The sleep of one night from samples: unions of intervals, never sums (R18).
struct SleepStages {
  /// When somebody slept, by stages where there are any.
  private(set) var asleep: IntervalSet
  /// Whether any sample says that somebody slept, even if it only records waking.
  private let tellsOfSleep: Bool
  /// The union of each value's samples, cut at the night's ends.
  private(set) var unions: [SleepValue: IntervalSet] = [:]

  /// Reads the samples of a night, in any order.
  ///
  /// Where one source has stages, these and its Awake beat the unspecified sleep of every source;
  /// Awake also cuts the unspecified sleep of its own source.
  init(_ samples: [SleepSample], in night: Range<Int>) {
    // What lies outside says nothing of this night, not even whether a source knows stages.
    let samples = samples.compactMap { sample in
      let range = sample.range.clamped(to: night)
      return range.isEmpty
        ? nil : SleepSample(value: sample.value, range: range, source: sample.source)
    }
    for (value, own) in Dictionary(grouping: samples, by: \.value) {
      unions[value] = IntervalSet(own.lazy.map(\.range))
    }
    let staged = IntervalSet(samples.lazy.filter { $0.value.isStage }.map(\.range))
    var judged = staged.spans
    var unspecified: [Range<Int>] = []
    for own in Dictionary(grouping: samples, by: \.source).values {
      let awake = IntervalSet(own.lazy.filter { $0.value == .awake }.map(\.range))
      if own.contains(where: { $0.value.isStage }) { judged += awake.spans }
      unspecified +=
        IntervalSet(own.lazy.filter { $0.value == .asleepUnspecified }.map(\.range))
        .subtracting(awake).spans
    }
    asleep = staged.union(IntervalSet(unspecified).subtracting(IntervalSet(judged)))
    tellsOfSleep = samples.contains { $0.value.isStage || $0.value == .asleepUnspecified }
  }

  /// Minutes of a part of the night; nil where no sample has it.
  ///
  /// Asleep is 0 where all of the sleep was waking, and nil where no sample says asleep.
  func minutes(of part: NightPart) -> Double? {
    switch part {
    case .asleep: tellsOfSleep ? Double(asleep.count) / 60 : nil
    case .value(let value): unions[value].flatMap { $0.isEmpty ? nil : Double($0.count) / 60 }
    }
  }
}

extension SleepValue {
  /// True for the stages of sleep that only a tracker can measure.
  fileprivate var isStage: Bool {
    self == .asleepCore || self == .asleepDeep || self == .asleepREM
  }
}

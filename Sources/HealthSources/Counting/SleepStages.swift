/// One sleep sample.
struct SleepSample {
  /// What it says.
  enum Stage: Hashable, CaseIterable {
    case inBed
    /// Asleep without a stage, as phones and old watches write it.
    case unspecified
    case core
    case deep
    case rem
    case awake

    /// True for the stages of sleep that only a tracker can tell.
    var isStaged: Bool { self == .core || self == .deep || self == .rem }
  }

  let stage: Stage
  /// Seconds since 1970.
  let range: Range<Int>
  /// Which of the sources.
  let source: Int
}

/// The sleep of one night from samples: unions of intervals, never sums (R18).
struct SleepStages {
  /// When somebody slept, by stages where there are any.
  private(set) var asleep: IntervalSet
  /// Whether any sample says that somebody slept, be it only where waking was seen.
  private let tellsOfSleep: Bool
  /// The union of each stage's samples, cut at the night's ends.
  private(set) var unions: [SleepSample.Stage: IntervalSet] = [:]

  /// Reads the samples of a night, in any order.
  ///
  /// Where one source has stages, these and its Awake beat the unspecified sleep of every source;
  /// Awake also cuts the unspecified sleep of its own source.
  init(_ samples: [SleepSample], in night: Range<Int>) {
    // What lies outside says nothing of this night, not even whether a source knows stages.
    let samples = samples.compactMap { sample in
      let range = sample.range.clamped(to: night)
      return range.isEmpty
        ? nil : SleepSample(stage: sample.stage, range: range, source: sample.source)
    }
    for (stage, own) in Dictionary(grouping: samples, by: \.stage) {
      unions[stage] = IntervalSet(own.lazy.map(\.range))
    }
    let staged = IntervalSet(samples.lazy.filter { $0.stage.isStaged }.map(\.range))
    var judged = staged.spans
    var unspecified: [Range<Int>] = []
    for own in Dictionary(grouping: samples, by: \.source).values {
      let awake = IntervalSet(own.lazy.filter { $0.stage == .awake }.map(\.range))
      if own.contains(where: { $0.stage.isStaged }) { judged += awake.spans }
      unspecified +=
        IntervalSet(own.lazy.filter { $0.stage == .unspecified }.map(\.range))
        .subtracting(awake).spans
    }
    asleep = staged.union(IntervalSet(unspecified).subtracting(IntervalSet(judged)))
    tellsOfSleep = samples.contains { $0.stage.isStaged || $0.stage == .unspecified }
  }

  /// Minutes asleep; 0 where all of the sleep was waking, nil where no sample says asleep.
  var asleepMinutes: Double? { tellsOfSleep ? Double(asleep.count) / 60 : nil }

  /// Minutes of a stage; nil where no sample has it.
  func minutes(_ stage: SleepSample.Stage) -> Double? {
    guard let union = unions[stage], !union.isEmpty else { return nil }
    return Double(union.count) / 60
  }
}

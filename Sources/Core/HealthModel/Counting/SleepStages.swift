/// One sleep sample.
package struct SleepSample {
  /// What it says.
  package let value: SleepValue
  /// Seconds since 1970.
  package let range: Range<Int>
  /// Which of the sources.
  package let source: Int

  package init(value: SleepValue, range: Range<Int>, source: Int) {
    (self.value, self.range, self.source) = (value, range, source)
  }
}

/// The sleep of one night from samples: unions of intervals, never sums (R18).
package struct SleepStages {
  /// When somebody slept, by stages where there are any.
  package private(set) var asleep: IntervalSet
  /// Whether any sample says that somebody slept, even if it only records waking.
  private let tellsOfSleep: Bool
  /// When which value counts, cut at the night's ends: of stages and waking one at each moment.
  private var parts: [SleepValue: IntervalSet] = [:]

  /// Reads the samples of a night, in any order.
  ///
  /// Where one source has stages, these and its Awake beat the unspecified sleep of every source;
  /// Awake also cuts the unspecified sleep of its own source.
  ///
  /// - Parameter order: which of the sources is better, by their numbers.
  package init(_ samples: [SleepSample], in night: Range<Int>, order: [SourcePriority]) {
    // What lies outside is not part of this night: not even whether a source knows stages.
    let samples = samples.compactMap { sample in
      let range = sample.range.clamped(to: night)
      return range.isEmpty
        ? nil : SleepSample(value: sample.value, range: range, source: sample.source)
    }
    parts = Self.parts(samples, order)
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
  package func minutes(of part: NightPart) -> Double? {
    switch part {
    case .asleep: tellsOfSleep ? Double(asleep.count) / 60 : nil
    case .value(let value): parts[value].flatMap { $0.isEmpty ? nil : Double($0.count) / 60 }
    }
  }

  /// When a value counts, in seconds since 1970; asleep in no stage where only that is known.
  package func spans(of value: SleepValue) -> [Range<Int>] {
    guard value == .asleepUnspecified else { return parts[value]?.spans ?? [] }
    return [SleepValue.asleepCore, .asleepDeep, .asleepREM].reduce(asleep) { rest, stage in
      rest.subtracting(parts[stage] ?? IntervalSet())
    }.spans
  }

  /// When which value counts: of the time in bed the union, of stages and waking what the best
  /// source reports for each moment, sources with stages first. So stages never add up to more than
  /// the time asleep.
  private static func parts(
    _ samples: [SleepSample], _ order: [SourcePriority]
  ) -> [SleepValue: IntervalSet] {
    func union(_ value: SleepValue, _ samples: [SleepSample]) -> IntervalSet {
      IntervalSet(samples.lazy.filter { $0.value == value }.map(\.range))
    }
    var parts = [SleepValue.inBed: union(.inBed, samples)]
    var told = IntervalSet()
    for own in inOrder(samples, order) {
      // Of stages that one source lays over one another, the one that says more.
      for value in [SleepValue.asleepDeep, .asleepREM, .asleepCore, .awake] {
        let new = union(value, own).subtracting(told)
        parts[value, default: IntervalSet()].formUnion(new)
        told.formUnion(new)
      }
    }
    return parts
  }

  /// The samples of each source, the best first: those with stages, then by their order, then by
  /// how long their stages are.
  private static func inOrder(
    _ samples: [SleepSample], _ order: [SourcePriority]
  ) -> [[SleepSample]] {
    Dictionary(grouping: samples, by: \.source).map { source, own in
      let stages = IntervalSet(own.lazy.filter { $0.value.isStage }.map(\.range)).count
      let priority = order.indices.contains(source) ? order[source] : SourcePriority("")
      return (own, stages, priority)
    }
    .sorted { (a: ([SleepSample], Int, SourcePriority), b: ([SleepSample], Int, SourcePriority)) in
      let (first, second) = (a.2, b.2)
      return (a.1 > 0 ? 0 : 1, first.rank, -a.1, first.name) < (
        b.1 > 0 ? 0 : 1, second.rank, -b.1, second.name
      )
    }
    .map(\.0)
  }
}

extension SleepValue {
  /// True for the stages of sleep that only a tracker can measure.
  fileprivate var isStage: Bool {
    self == .asleepCore || self == .asleepDeep || self == .asleepREM
  }
}

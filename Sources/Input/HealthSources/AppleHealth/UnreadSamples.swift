internal import AppleExport
internal import HealthModel

/// Records of an export that can't be read, by day: what the others say of their metric is a part of it, and a
/// part gives no number (R18).
struct UnreadSamples {
  private struct Sample {
    let kind: SampleKind
    let times: QuantitySample
    /// Whether it stands for many, of any moment between its times.
    var isStretch = false
  }

  /// After `sort`, the one that begins first is the last.
  private var waiting: [Sample] = []
  /// Records that have begun and may count on the next day.
  private var open: [Sample] = []
  /// Short ones that are known, by quarter of an hour and kind: in no zone does a day begin within one.
  private var known: Set<Int> = []
  /// Of the kinds of which there are too many: when the first and the last of the others are of.
  private var rest: [SampleKind: Range<Int>] = [:]

  /// Most that are kept: a hostile file must not fill the memory.
  private static let most = 100_000
  private static let quarter = 900

  /// Adds a record. One with times that no sample may have is ignored.
  mutating func add(_ kind: SampleKind, from start: Int64, to end: Int64) {
    let (start, end) = (Int(start), Int(end))
    guard PackedSample.starts.contains(start), end >= start,
      end - start <= QuantitySample.longestStretch
    else { return }
    keep(kind, start, end)
    // A pressure counts with its other half alone.
    switch kind {
    case .bloodPressureSystolic: keep(.bloodPressureDiastolic, start, end)
    case .bloodPressureDiastolic: keep(.bloodPressureSystolic, start, end)
    default: break
    }
  }

  private mutating func keep(_ kind: SampleKind, _ start: Int, _ end: Int) {
    guard waiting.count < Self.most else {
      let range = rest[kind] ?? start..<start + 1
      rest[kind] = min(range.lowerBound, start)..<max(range.upperBound, end)
      return
    }
    let quarter = start.dividedDown(by: Self.quarter)
    let key = quarter << 8 | Int(kind.rawValue) << 1 | (end > start ? 1 : 0)
    if end <= (quarter + 1) * Self.quarter, !known.insert(key).inserted { return }
    let times = QuantitySample(start: start, end: end, quantity: 0, source: 0)
    waiting.append(Sample(kind: kind, times: times))
  }

  mutating func sort() {
    waiting += rest.map { kind, range in
      let times = QuantitySample(
        start: range.lowerBound, end: range.upperBound, quantity: 0, source: 0)
      return Sample(kind: kind, times: times, isStretch: true)
    }
    waiting.sort { $0.times.start > $1.times.start }
  }

  /// The next moment on whose day one bears, from that of the last day on.
  func next(after end: Int?) -> Int? { open.isEmpty ? waiting.last?.times.start : end }

  /// The metrics of a day that have such records. Days must be asked for in order.
  mutating func metrics(of metrics: [CountedMetric], in window: DayWindow) -> Set<DailyMetric> {
    while let last = waiting.last, last.times.start < window.range.upperBound {
      open.append(last)
      waiting.removeLast()
    }
    guard !open.isEmpty else { return [] }
    defer {
      open.removeAll {
        $0.times.end <= window.range.upperBound
          && ($0.kind != .sleepAnalysis || $0.times.end <= window.night.upperBound)
      }
    }
    let touched = metrics.filter { metric in
      open.contains { $0.kind == metric.kind && Self.bears($0, on: metric, in: window) }
    }
    return Set(touched.map(\.metric))
  }

  private static func bears(
    _ sample: Sample, on metric: CountedMetric, in window: DayWindow
  ) -> Bool {
    let span = metric.span(of: window)
    // What kind of sleep it is can't be read.
    var isOfAny = sample.isStretch
    if case .night = metric.aggregation { isOfAny = true }
    if isOfAny { return (sample.times.start..<sample.times.end).overlaps(span) }
    return metric.takes(sample.times, in: span)
  }
}

/// Finds, of the samples of a sorted stream that say the same of the same time, which are entries of
/// their own and which are repeats of another record (R18).
struct AlikeSamples {
  /// What a sample is beside those before it.
  enum Standing {
    case entry
    /// An entry that says the same as the one before it.
    case anotherEntry
    /// The same record again.
    case again
    /// The copy inside a correlation of a record that stands outside it, too.
    case copy
  }

  private var last: PackedSample?
  /// Whether one of them stands outside correlations; those come first.
  private var isOutside = false

  /// Takes the next sample of the stream.
  @inline(__always)
  mutating func take(_ sample: PackedSample) -> Standing {
    defer { last = sample }
    guard let last, sample.saysSame(as: last) else {
      isOutside = !sample.isInCorrelation
      return .entry
    }
    if sample.isInCorrelation, isOutside { return .copy }
    return sample == last ? .again : .anotherEntry
  }
}

/// Readings of a day that say the same as another one: entered twice, or uploaded again by an app (R18).
struct RepeatedReadings {
  private var counts: [Int: Int] = [:]

  /// Two glasses of water are two, but a measurement is seldom made twice in a second, nor the same steps
  /// twice.
  mutating func add(_ sample: PackedSample) {
    if Self.areMeasured[sample.kind] { counts[sample.kind, default: 0] += 1 }
  }

  /// A remark for each kind that some metrics are made of; afterwards there are none.
  mutating func take(of metrics: [CountedMetric]) -> [String] {
    guard !counts.isEmpty else { return [] }
    defer { counts = [:] }
    return SampleKind.allCases.compactMap { kind in
      let names = metrics.filter { $0.kind == kind }.map(\.metric).told.map(\.rawValue)
      guard let count = counts[Int(kind.rawValue)], !names.isEmpty else { return nil }
      return names.joined(separator: ", ") + ": "
        + (count == 1 ? "1 reading repeats" : "\(count.grouped) readings repeat")
        + " one of the same source, time and value; each counts, as in the Health app"
    }
  }

  /// By kind, whether its metrics are of what devices measure, and are neither what people enter nor unions,
  /// which count a repetition once.
  private static let areMeasured = SampleKind.allCases.map { kind in
    DailyMetric.allCases.contains { metric in
      switch metric.aggregation {
      case .sum, .mean, .least, .greatest, .level, .latest, .latestTime: metric.kind == kind
      case .entries, .hours, .duration, .night: false
      }
    }
  }
}

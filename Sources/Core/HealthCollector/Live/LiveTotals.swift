public import HealthModel
import HealthStreams

/// A day's numbers while its samples come (R58): at any moment what a computation from
/// all samples makes of them, and so what a ledger publishes of the same samples.
///
/// Where several devices saw the same, it counts once, as in every day of the project (R18). A sample
/// that was deleted stays deleted, whatever comes later.
///
/// ```swift
/// var totals = try LiveTotals(of: today, timeZoneName: "Europe/Berlin")
/// totals.apply(try await source.changes(of: feed, since: anchor), at: .now)
/// print(totals.number(of: .steps) ?? 0)
/// ```
public struct LiveTotals: Sendable {
  /// The day's date.
  public var date: CalendarDate { window.day.date }
  /// The day's zone, an IANA name.
  public var timeZoneName: String { window.day.timeZoneName }
  /// The day with its boundaries: 23, 24 or 25 hours.
  public var day: ReportingDay { window.day }

  private var window: DayWindow
  private let metrics: [CountedMetric]
  /// Which metrics of a kind are sums, and whether others are made of it.
  private let sums: [SampleKind: [CountedMetric]]
  private let others: Set<SampleKind>

  /// What is known of a sample.
  private enum Known: Equatable, Sendable {
    /// The latest moment, in seconds since 1970, that a sample of which it was said can reach.
    case deleted(until: Int)
    case counts(Counted)
  }

  private struct Counted: Equatable, Sendable {
    let kind: SampleKind
    let start: Int
    let end: Int
    let quantity: Double
    let source: Int
    let isConvertible: Bool

    var sample: QuantitySample {
      QuantitySample(start: start, end: end, quantity: quantity, source: source)
    }
  }

  private var known: [EntryIdentity: Known] = [:]
  private var running: [RunningTotals?]
  /// Samples of which no sum is kept.
  private var rest: [EntryIdentity: Counted] = [:]
  /// How many of these can't be converted. With one, a sum may be that of a part.
  private var uncounted: [SampleKind: Int] = [:]
  /// The numbers of `rest`; nil until they are asked for.
  private var figures: [DailyMetric: MetricReading]?
  private var writers = SampleWriters()

  /// A day without samples.
  ///
  /// - Parameters:
  ///   - date: the date of the day.
  ///   - timeZoneName: its zone, an IANA name.
  ///   - metrics: those that are made.
  /// - Throws: `ReportingDay.Failure` if the zone does not exist, or skipped the date.
  public init(
    of date: CalendarDate, timeZoneName: String,
    metrics: Set<DailyMetric> = Set(DailyMetric.allCases)
  ) throws(ReportingDay.Failure) {
    window = try DayWindow(date, in: timeZoneName)
    let counted = DailyMetric.allCases.filter(metrics.contains).map(CountedMetric.init)
    self.metrics = counted
    sums = Dictionary(grouping: counted.filter { $0.aggregation == .sum }, by: \.kind)
    var others = Set(counted.lazy.filter { $0.aggregation != .sum }.map(\.kind))
    // A pressure counts with its other half alone.
    if !others.isDisjoint(with: [.bloodPressureSystolic, .bloodPressureDiastolic]) {
      others.formUnion([.bloodPressureSystolic, .bloodPressureDiastolic])
    }
    self.others = others
    running = Array(repeating: nil, count: SampleKind.allCases.count)
  }

  /// Counts what a source has found since the last time.
  ///
  /// The changes of one source are applied in its order, each once or more often. Entries that no
  /// metric is made of, and those that lie before the night that ends on the day, change nothing.
  ///
  /// - Parameters:
  ///   - changes: what the source found since the last anchor.
  ///   - feed: what the source was asked for.
  ///   - now: what begins more than 15 minutes later is not counted.
  public mutating func apply(_ changes: SampleChanges, of feed: String = "", at now: Timestamp) {
    for entry in changes.added { apply(entry, feed, now) }
    for entry in changes.deleted { apply(entry, feed, now) }
  }

  private mutating func apply(_ entry: StreamEntry, _ feed: String, _ now: Timestamp) {
    let id = EntryIdentity(entry, device: "", feed: feed)
    let old = known[id]
    // A deletion is final: the sample's own send may be repeated after it.
    if case .deleted? = old { return }
    let end = entry.end.secondsSince1970
    if entry.isDeletion {
      if case .counts(let counted)? = old { remove(counted, id) }
      // Remembered wherever it lies: a late send may say that it lies on this day.
      let latest = max(now.secondsSince1970, end) + TouchedDates.tolerance
      known[id] = .deleted(until: latest + TouchedDates.longestSample)
      return
    }
    let new = counted(entry, feed, now)
    if case .counts(let counted)? = old {
      if counted == new { return }
      remove(counted, id)
      known[id] = nil
    }
    guard let new, end + 60 > window.night.lowerBound else { return }
    known[id] = .counts(new)
    add(new, id)
  }

  private mutating func counted(
    _ entry: StreamEntry, _ feed: String, _ now: Timestamp
  ) -> Counted? {
    guard entry.end.secondsSince1970 + 60 > window.night.lowerBound,
      let entry = CountedEntry(entry, feed: feed, receivedAt: now),
      let sample = try? TypedSample(entry),
      sums[sample.kind] != nil || others.contains(sample.kind)
    else { return nil }
    do throws(LeftOut) {
      let quantity = try sample.kind.checked(
        sample.value, in: sample.unit, from: sample.start, to: sample.end)
      return Counted(
        kind: sample.kind, start: sample.start, end: sample.end,
        quantity: quantity ?? sample.value,
        source: writers.number(of: sample), isConvertible: quantity != nil)
    } catch {
      return nil
    }
  }

  private mutating func add(_ counted: Counted, _ id: EntryIdentity) {
    let hasSum = counted.isConvertible && sums[counted.kind] != nil
    if hasSum {
      let kind = Int(counted.kind.rawValue)
      if running[kind] == nil { running[kind] = RunningTotals(in: window.range) }
      running[kind]?.add(counted.sample, from: writers.order[counted.source])
    }
    if !hasSum || others.contains(counted.kind) {
      rest[id] = counted
      if !counted.isConvertible { uncounted[counted.kind, default: 0] += 1 }
      figures = nil
    }
  }

  private mutating func remove(_ counted: Counted, _ id: EntryIdentity) {
    if counted.isConvertible { running[Int(counted.kind.rawValue)]?.remove(counted.sample) }
    if rest.removeValue(forKey: id) != nil {
      if !counted.isConvertible { uncounted[counted.kind, default: 0] -= 1 }
      figures = nil
    }
  }

  /// Goes on to another day, or to the same one in another zone.
  ///
  /// - Returns: false if the day begins before the samples that are still known. Then nothing is
  ///   known of it: ask the source for everything again.
  /// - Throws: `ReportingDay.Failure`; then nothing has changed.
  public mutating func move(
    to date: CalendarDate, timeZoneName: String
  ) throws(ReportingDay.Failure) -> Bool {
    let next = try DayWindow(date, in: timeZoneName)
    let reaches = next.night.lowerBound >= window.night.lowerBound
    window = next
    running = Array(repeating: nil, count: running.count)
    (rest, uncounted, figures) = ([:], [:], nil)
    guard reaches else {
      known = [:]
      return false
    }
    known = known.filter { _, known in
      switch known {
      case .deleted(let end): end + 60 > next.night.lowerBound
      case .counts(let counted): counted.end + 60 > next.night.lowerBound
      }
    }
    // In the order of time, so that each adds to the end.
    let counts = known.compactMap { id, known -> (EntryIdentity, Counted)? in
      if case .counts(let counted) = known { (id, counted) } else { nil }
    }
    for (id, counted) in counts.sorted(by: { $0.1.start < $1.1.start }) { add(counted, id) }
    return true
  }

  // MARK: - Numbers

  /// How many samples are known.
  public var sampleCount: Int { known.count }

  /// The number of a metric, rounded as it is published; nil without data.
  public mutating func number(of metric: DailyMetric) -> Double? {
    if uncounted[metric.kind] ?? 0 == 0, let total = total(CountedMetric(metric)) { return total }
    return readings[metric]?.number
  }

  /// The number of a sum; nil without samples of it.
  private func total(_ metric: CountedMetric) -> Double? {
    guard metric.aggregation == .sum, sums[metric.kind] != nil else { return nil }
    return running[Int(metric.kind.rawValue)]?.total.map(metric.rounded)
  }

  /// All metrics that have a number, or a reason for having none. Others have no data.
  ///
  /// Sums are at hand. Means, nights and the like are made of their samples again if one of these
  /// has changed.
  public var readings: [DailyMetric: MetricReading] {
    mutating get {
      let made = figures ?? makeFigures()
      figures = made
      var readings = made
      for own in sums.values {
        for metric in own where made[metric.metric] != .unsupported {
          if let total = total(metric) { readings[metric.metric] = .value(total) }
        }
      }
      return readings
    }
  }

  private func makeFigures() -> [DailyMetric: MetricReading] {
    // The zone was looked up when the day began.
    (try? DayFigures(metrics, of: Self.samples(of: rest.values), in: window, order: writers.order))?
      .readings ?? [:]
  }

  /// What the samples say beyond the numbers: each source's own totals, and the newest samples. All are
  /// gone through, so it is for a push and not for each sample.
  package var detail: DayDetail {
    get throws(ReportingDay.Failure) {
      // Those of one source in the order of time.
      let counted = known.values.compactMap { known -> Counted? in
        if case .counts(let counted) = known { counted } else { nil }
      }.sorted { ($0.start, $0.end, $0.quantity) < ($1.start, $1.end, $1.quantity) }
      let samples = Self.samples(of: counted)
      let figures = try DayFigures(metrics, of: samples, in: window, order: writers.order)
      return try DayDetail(figures, of: samples, in: window, order: writers.order) {
        writers.label($0)
      }
    }
  }

  private static func samples(of all: some Collection<Counted>) -> DaySamples {
    var pressures = PressureHalves()
    for counted in all { pressures.add(counted.sample, kind: Int(counted.kind.rawValue)) }
    var samples = DaySamples()
    for counted in all {
      let kind = Int(counted.kind.rawValue)
      if pressures.isPaired(counted.sample, kind: kind) {
        samples.add(counted.sample, kind: kind, isConvertible: counted.isConvertible)
      }
    }
    return samples
  }
}

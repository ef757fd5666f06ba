package import AppleExport
package import HealthLedger
package import HealthModel

/// The days of an export, one after another, the oldest first.
///
/// Holds the samples of one day and those that reach beyond it, however many there are in all.
package struct ExportDays {
  /// The zones whose days these are.
  package let zone: ZoneChoice
  /// Complete once `next` has returned nil.
  package private(set) var tally: ExportTally
  /// Our figures beside Apple's, of the days so far.
  package private(set) var crossCheck = ActivityCrossCheck()

  private let options: ExportOptions
  private let metrics: [CountedMetric]
  private let sources: SourceTable
  private let background: ExportBackground
  private var calendar: ZoneCalendar
  private var stream: SortedSamples<PackedSample>
  /// The next sample of the stream.
  private var head: PackedSample?
  private var alike = AlikeSamples()
  private var repeated = RepeatedReadings()
  private var hasBegun = false
  private var samples = DaySamples()
  private var pressures = PressurePairs()
  private var nextDay: ZoneCalendar.CountedDay?
  private var workouts: WorkoutLine
  private var refused: RefusedSamples
  private var unread: UnreadSamples
  /// Nil once it was passed.
  private var dateToExplain: CalendarDate?

  init(
    samples: SortedSamples<PackedSample>, options: ExportOptions, zone: ZoneChoice,
    sources: SourceTable,
    background: ExportBackground, workouts: WorkoutLine, tally: ExportTally
  ) throws(SourceError) {
    let calendar = try ZoneCalendar(zone.zones)
    (stream, self.options, self.zone, self.sources) = (samples, options, zone, sources)
    metrics = options.counted
    (self.background, self.tally, self.calendar) = (background, tally, calendar)
    (self.workouts, refused, unread) = (workouts, background.refused, background.unread)
    unread.sort()
    dateToExplain = options.explainedDate
  }

  /// The next day that lies within the range and has data, or is to be explained; nil after the
  /// last.
  package mutating func next() throws(LedgerError) -> ExportDay? {
    if !hasBegun { try begin() }
    while let window = try onCalendar({ (days) throws(ReportingDay.Failure) in try days.window() })
    {
      try fill(upTo: window.range.upperBound)
      let day = try onCalendar { (days) throws(ReportingDay.Failure) in try days.take(window) }
      if let day { return day }
    }
    return nil
  }

  /// Runs code on days and nights, and reports its failure as an error of the ledger.
  private mutating func onCalendar<Value>(
    _ body: (inout ExportDays) throws(ReportingDay.Failure) -> Value
  ) throws(LedgerError) -> Value {
    do throws(ReportingDay.Failure) { return try body(&self) } catch { throw LedgerError(error) }
  }

  private mutating func begin() throws(LedgerError) {
    hasBegun = true
    try advance()
  }

  /// The next day that samples can bear on; nil where there is none within the range.
  private mutating func window() throws(ReportingDay.Failure) -> DayWindow? {
    var day = nextDay
    if samples.isEmpty {
      // Days without any sample are passed over at once.
      let unread = unread.next(after: nextDay?.range.lowerBound)
      day = try [head?.start, workouts.nextStart, unread].compactMap { $0 }.min()
        .map { moment throws(ReportingDay.Failure) in try calendar.day(at: moment) }
      if let dateToExplain, day.map({ dateToExplain < $0.date }) ?? true {
        day = try calendar.day(dateToExplain)
      }
    }
    guard let day, options.lastDate.map({ day.date <= $0 }) ?? true else { return nil }
    return try calendar.window(of: day.date)
  }

  /// Takes all samples that begin before a moment.
  private mutating func fill(upTo end: Int) throws(LedgerError) {
    while let sample = head, sample.start < end {
      switch alike.take(sample) {
      case .again: leaveOut(sample, .duplicate)
      case .copy: break
      case .entry: take(sample)
      case .anotherEntry:
        repeated.add(sample)
        take(sample)
      }
      try advance()
      if pressures.isComplete(before: head) { countPressures() }
    }
  }

  private mutating func take(_ sample: PackedSample) {
    if sample.isInCorrelation { tally.count(sample) }
    guard !isAfterExport(sample) else { return leaveOut(sample, .afterExport) }
    // The scan has counted categories that are not known.
    if !sample.isConvertible, !sample.isCategory { tally.leaveOut(.unit) }
    if let sample = pressures.take(sample) { samples.add(sample) }
  }

  /// Counts the blood pressures that begin at one moment, for their other halves have come now.
  private mutating func countPressures() {
    for (sample, isPaired) in pressures.release() {
      if isPaired { samples.add(sample) } else { leaveOut(sample, .unpaired) }
    }
  }

  /// Sleep that ends after the export was made is a guess of the phone's, not a measurement.
  private func isAfterExport(_ sample: PackedSample) -> Bool {
    guard sample.kind == Int(SampleKind.sleepAnalysis.rawValue),
      let exportDate = background.exportDate
    else { return false }
    return sample.quantity.end > exportDate
  }

  private mutating func leaveOut(_ sample: PackedSample, _ reason: LeftOut) {
    tally.leaveOut(reason)
    refused.add(sample, reason)
  }

  /// Counts a day and lets go of its samples; nil where it has no data or is not wanted.
  private mutating func take(_ window: DayWindow) throws(ReportingDay.Failure) -> ExportDay? {
    let day = window.day
    defer {
      samples.drop(endingBy: window.range.upperBound, sleepEndingBy: window.night.upperBound)
    }
    nextDay = try calendar.day(at: window.range.upperBound)
    let workouts = workouts.take(before: window.range.upperBound)
    let unread = unread.metrics(of: metrics, in: window)
    let repeated = repeated.take(of: metrics)
    let isExplained = dateToExplain == day.date
    if let dateToExplain, dateToExplain <= day.date { self.dateToExplain = nil }
    guard options.firstDate.map({ $0 <= day.date }) ?? true else { return nil }
    var figures = try DayFigures(metrics, of: samples, in: window, order: sources.order)
    figures.refuse(unread)
    let found = figures.readings
    let readings = found.sayable
    let comparisons = background.activity.comparisons(of: day.date, with: readings)
    if readings.keys.contains(where: \.isRequired) { crossCheck.add(comparisons, on: day.date) }
    let records = options.wantsRecords ? records(of: window, workouts) : nil
    // Samples that can't be counted don't say what the number is, so a stored one is kept.
    let uncounted = Set(found.lazy.filter { $0.value == .unsupported }.map(\.key))
    guard !readings.isEmpty || !uncounted.isEmpty || isExplained || records != nil else {
      return nil
    }
    let explained = ExplainedDay(
      window: window, samples: samples, wanted: Set(metrics.map(\.metric)), figures: figures,
      sources: sources,
      refused: refused.samples, comparisons: comparisons)
    let notes =
      figures.notes + unread.unreadNotes + repeated + window.notes
      + comparisons.filter { !$0.agrees }.map(\.note)
    return ExportDay(
      readings: DayReadings(
        date: day.date, from: .appleHealthExport, timeZoneName: day.timeZoneName,
        readings: readings, speaksOf: options.metrics.subtracting(uncounted),
        ofWholeDay: options.metrics, notes: notes),
      records: records, explanation: isExplained ? try explained.explanation(zone: zone) : nil)
  }

  /// The workouts and sleep of a day; nil where there are none.
  private func records(of window: DayWindow, _ workouts: [Workout]) -> DayRecords? {
    let sleep = samples.segments(of: window.night, sources)
    guard !workouts.isEmpty || !sleep.isEmpty else { return nil }
    return DayRecords(
      date: window.day.date, timeZoneName: window.day.timeZoneName, workouts: workouts,
      sleep: sleep)
  }

  private mutating func advance() throws(LedgerError) {
    do throws(ExportError) { head = try stream.next() } catch { throw LedgerError(error) }
  }
}

/// What an export says beside its samples and workouts.
struct ExportBackground {
  /// When it was made; seconds since 1970.
  let exportDate: Int?
  let activity: ActivityRecords
  /// Samples that were left out when they were read.
  let refused: RefusedSamples
  /// Records that could not be read.
  let unread: UnreadSamples
}

extension Set<DailyMetric> {
  /// Notes which metrics have records of the day that can't be read.
  fileprivate var unreadNotes: [String] {
    let names = DailyMetric.allCases.filter(contains).told.map(\.rawValue).joined(separator: ", ")
    return isEmpty
      ? []
      : [
        "\(names): a record of the day can't be read, and a part gives no number, so what it had stays"
      ]
  }
}

package struct ExportDay: Hashable, Sendable {
  /// Without any number where the day was yielded for the sake of the other members.
  package let readings: DayReadings
  /// Only where `ExportOptions.wantsRecords`, and there is something in it.
  package let records: DayRecords?
  /// Only of `ExportOptions.explainedDate`.
  package let explanation: DayExplanation?
}

/// Holds back the blood pressures of one moment until their other halves have come.
struct PressurePairs {
  private var held: [PackedSample] = []
  private static let systolic = PressureHalves.systolic
  private static let diastolic = PressureHalves.diastolic

  /// Most that are held: nobody's pressure is taken as often at once.
  private static let most = 10_000

  /// Takes a sample of a sorted stream; returns it if it is not a blood pressure.
  @inline(__always)
  mutating func take(_ sample: PackedSample) -> PackedSample? {
    guard sample.kind == Self.systolic || sample.kind == Self.diastolic else { return sample }
    held.append(sample)
    return nil
  }

  /// Whether all samples are here that begin when those held do; `next` follows in the stream.
  @inline(__always)
  func isComplete(before next: PackedSample?) -> Bool {
    guard let first = held.first else { return false }
    return held.count >= Self.most || next.map { $0.start != first.start } ?? true
  }

  /// The samples that are held, each with whether its other half is here.
  mutating func release() -> [(sample: PackedSample, isPaired: Bool)] {
    var halves = PressureHalves()
    for sample in held { halves.add(sample.quantity, kind: sample.kind) }
    let pairs = held.map { ($0, halves.isPaired($0.quantity, kind: $0.kind)) }
    held.removeAll(keepingCapacity: true)
    return pairs
  }
}

/// What is wanted of an export.
package struct ExportOptions: Hashable, Sendable {
  /// The zones whose days are meant; nil to go by the export (`ZoneChoice`).
  package var zones: ReportingZones?
  /// The zones that the store keeps, where `zones` is nil and the export names none.
  package var keptZones: ReportingZones?
  /// The zone of this machine, where there are none of these.
  package var systemTimeZoneName: String?
  /// Names of sources, the best first; they come before HealthKit's default order, but after what
  /// was typed in by hand.
  package var sourcePriority: [String] = []
  /// Days wanted; nil for no bound on that side.
  package var firstDate: CalendarDate?
  package var lastDate: CalendarDate?
  /// The day to explain, if any.
  package var explainedDate: CalendarDate?
  /// The metrics to make.
  package var metrics = Set(DailyMetric.required)

  /// Makes the workouts and the periods of sleep of each day too.
  package var wantsRecords = false
  /// Samples kept in memory at once, 36 bytes each; further ones go to the spool.
  package var samplesInMemory = 500_000

  package init() {}

  /// The metrics that are made, in the order of the catalogue.
  var counted: [CountedMetric] {
    DailyMetric.allCases.filter(metrics.contains).map(CountedMetric.init)
  }

  /// The kinds of samples that are read.
  var kinds: KindSet {
    var kinds = KindSet(of: metrics)
    // A pressure counts with its other half alone.
    kinds.complete(.bloodPressureSystolic, .bloodPressureDiastolic)
    return kinds
  }
}

/// What was read of an export, and what was left out.
package struct ExportTally: Hashable, Sendable {
  /// Samples within the range of days, by kind.
  package private(set) var samples: [SampleKind: Int] = [:]
  /// How many of them stand in correlations alone.
  package private(set) var onlyInCorrelations = 0
  /// Samples that were left out after reading.
  package private(set) var leftOut: [LeftOut: Int] = [:]
  /// Records that the scan left out.
  package private(set) var skipped: [SkipReason: Int] = [:]
  /// Workouts within the range of days.
  package var workouts = 0
  /// Records that no number is made of, by the type of the record.
  package private(set) var unread: [String: Int] = [:]

  mutating func count(_ kind: SampleKind, _ count: Int) {
    if count > 0 { samples[kind, default: 0] += count }
  }

  /// Counts a sample that stands in a correlation alone.
  mutating func count(_ sample: PackedSample) {
    guard let kind = SampleKind(rawValue: UInt8(sample.kind)) else { return }
    samples[kind, default: 0] += 1
    onlyInCorrelations += 1
  }

  /// Counts records whose type is not read.
  package mutating func addUnread(_ counts: [String: Int]) {
    unread.merge(counts, uniquingKeysWith: +)
  }

  mutating func leaveOut(_ reason: LeftOut, _ count: Int = 1) {
    if count > 0 { leftOut[reason, default: 0] += count }
  }
  mutating func skip(_ reason: SkipReason) { skipped[reason, default: 0] += 1 }
}

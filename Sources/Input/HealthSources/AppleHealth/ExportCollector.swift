package import AppleExport
package import HealthModel

/// Takes what a scan of Apple Health's export finds, in bounded memory whatever the file's size,
/// and turns it into days once the scan has ended.
package struct ExportCollector: ExportSink {
  private let options: ExportOptions
  private let wanted: KindSet
  private let moments: Range<Int>
  private var sorter: SampleSorter<PackedSample>
  private var counts = [Int](repeating: 0, count: SampleKind.allCases.count)
  /// Samples of kinds that no number wanted is made of.
  private var unwanted = [Int](repeating: 0, count: SampleKind.allCases.count)
  private var tally = ExportTally()
  private var refused: RefusedSamples
  private var unread = UnreadSamples()
  private var sources: [ExportSource] = []
  private var zones = ZoneVotes()
  /// How far the samples reach.
  package private(set) var coverage: SampleCoverage
  /// Units of samples that measure something else.
  package private(set) var unknownUnits = UnknownUnits()
  /// That of the phone which made the export.
  package private(set) var locale: String?
  private var exportDate: Int?
  private var activity = ActivityRecords()
  private var workouts: [ExportWorkout] = []

  /// - Parameters:
  ///   - spool: takes the samples beyond `options.samplesInMemory`.
  package init(options: ExportOptions, spool: UnlinkedFile) {
    self.options = options
    (wanted, coverage) = (options.kinds, SampleCoverage(of: options))
    moments = Self.moments(options)
    refused = RefusedSamples(near: options.explainedDate)
    sorter = SampleSorter(file: spool, capacity: options.samplesInMemory)
  }

  /// When the export was made.
  package var exportedAt: Timestamp? { exportDate.map { Timestamp(secondsSince1970: $0) } }

  package mutating func take(_ finding: ExportFinding) throws {
    switch finding {
    case .sample(let sample): try take(sample)
    case .source(let source): sources.append(source)
    case .locale(let locale): self.locale = locale
    case .exportDate(let moment): exportDate = max(exportDate ?? .min, Int(moment))
    case .timeZone(let name, let start, let ofSleep): zones.add(name, at: start, ofSleep: ofSleep)
    case .workout(let workout): take(workout)
    case .summary(let summary): activity.add(summary)
    case .skipped(let reason, _): tally.skip(reason)
    case .unread(let record):
      guard wanted.contains(record.kind), isNear(record.start, record.end) else { return }
      unread.add(record.kind, from: record.start, to: record.end)
    }
  }

  private mutating func take(_ sample: ExportSample) throws {
    coverage.add(sample)
    guard wanted.contains(sample.kind) else {
      if !sample.isInCorrelation { unwanted[Int(sample.kind.rawValue)] += 1 }
      return
    }
    guard isNear(sample.start, sample.end) else {
      // A date that nobody lives on is wrong, whichever dates are wanted.
      if !PackedSample.starts.contains(Int(sample.start)) { leaveOut(sample, .date) }
      return
    }
    // Those inside correlations mostly stand outside, too: the days count the others.
    if !sample.isInCorrelation { counts[Int(sample.kind.rawValue)] += 1 }
    switch PackedSample.packing(sample) {
    case .success(let packed):
      if !packed.isConvertible, !sample.isInCorrelation { note(sample) }
      try sorter.add(packed)
    case .failure(let reason): leaveOut(sample, reason)
    }
  }

  /// Notes a unit that measures something else; those that are not known the scan has counted.
  private mutating func note(_ sample: ExportSample) {
    guard !sample.kind.isCategory, sample.unit != .unknown else { return }
    unknownUnits.add(sample.unit.rawValue, of: sample.kind)
  }

  private mutating func take(_ workout: ExportWorkout) {
    guard options.wantsRecords, workout.start < moments.upperBound,
      max(workout.start, workout.end) >= moments.lowerBound
    else { return }
    guard PackedSample.starts.contains(Int(workout.start)) else { return tally.leaveOut(.date) }
    guard workout.end >= workout.start else { return tally.leaveOut(.endsBeforeStart) }
    guard workouts.count < Self.mostWorkouts else { return tally.leaveOut(.tooManyWorkouts) }
    tally.leaveOut(.workoutUnit, workout.unknownUnits)
    tally.leaveOut(.workoutNumber, workout.invalidNumbers)
    tally.workouts += 1
    workouts.append(workout)
  }

  /// Whether a sample can bear on the days that are wanted.
  private func isNear(_ start: Int64, _ end: Int64) -> Bool {
    Int(start) < moments.upperBound && Int(max(start, end)) >= moments.lowerBound
  }

  /// The days of all that was taken.
  ///
  /// - Throws: `SourceError` where `options.zones` names no time zone.
  package consuming func days() throws(SourceError) -> ExportDays {
    try checkPreferred()
    for kind in SampleKind.allCases {
      tally.count(kind, counts[Int(kind.rawValue)])
      let unread = unwanted[Int(kind.rawValue)]
      if unread > 0 { tally.addUnread([kind.identifier: unread]) }
    }
    let zone = try zones.choice(
      asked: options.zones, kept: options.keptZones, system: options.systemTimeZoneName)
    let workouts = WorkoutLine(workouts, sources)
    tally.leaveOut(.duplicate, workouts.duplicates)
    return try ExportDays(
      samples: sorter.sorted(), options: options, zone: zone,
      sources: SourceTable(sources, preferred: options.sourcePriority),
      background: ExportBackground(
        exportDate: exportDate, activity: activity, refused: refused, unread: unread),
      workouts: workouts, tally: tally)
  }

  /// A name that no source has would change nothing, and nobody would know.
  private func checkPreferred() throws(SourceError) {
    let known = Set(sources.map { SourceName($0.name) })
    for name in options.sourcePriority where !known.contains(SourceName(name)) {
      let names = Set(sources.map(\.name)).sorted()
      let more = names.count > 20 ? ", and \(names.count - 20) more" : ""
      let shown = names.prefix(20).map { "'\($0.prefix(80))'" }.joined(separator: ", ")
      throw SourceError(
        .unknownSource, "no source of the export is named '\(name.prefix(80))'",
        remedy: names.isEmpty
          ? "leave the source out: the export names none"
          : "name one of its sources: \(shown)\(more)")
    }
  }

  private mutating func leaveOut(_ sample: ExportSample, _ reason: LeftOut) {
    guard !sample.isInCorrelation else { return }
    tally.leaveOut(reason)
    if reason == .endsBeforeStart {
      unread.add(sample.kind, from: sample.start, to: sample.start + 1)
      unread.add(sample.kind, from: sample.end - 1, to: sample.end)
    }
    refused.add(
      RefusedSample(
        kind: sample.kind, source: SourceTable.number(sample),
        range: min(sample.start, sample.end)..<max(sample.start, sample.end) + 1, reason: reason))
  }

  /// The moments that can bear on the days wanted, in whatever zone: the night before the first
  /// day begins on the day before, and no zone is further than 16 hours from UTC.
  private static func moments(_ options: ExportOptions) -> Range<Int> {
    let first = options.firstDate.map { ($0.daysSince1970 - 2) * 86_400 } ?? .min
    let last = options.lastDate.map { ($0.daysSince1970 + 2) * 86_400 } ?? .max
    return first..<max(first, last)
  }

  /// More than anybody's; about 10 MB.
  private static var mostWorkouts: Int { 100_000 }
}

/// Some of the kinds; asked of every sample.
struct KindSet: Hashable {
  private var bits: UInt128

  /// The kinds that metrics are made of.
  init(of metrics: Set<DailyMetric>) {
    bits = metrics.reduce(0) { $0 | 1 << UInt128($1.kind.rawValue) }
  }

  func contains(_ kind: SampleKind) -> Bool { bits >> UInt128(kind.rawValue) & 1 == 1 }

  /// Adds the other of two kinds that count together, where one is there.
  mutating func complete(_ one: SampleKind, _ other: SampleKind) {
    for (kind, partner) in [(one, other), (other, one)] where contains(kind) {
      bits |= 1 << UInt128(partner.rawValue)
    }
  }
}

/// How far the samples of an export reach, of the kinds that the metrics wanted are made of.
///
/// Whatever dates are asked for: it distinguishes an empty day of an export from a day beyond it.
package struct SampleCoverage: Hashable, Sendable {
  private var first = Int.max
  private var last = Int.min
  private let kinds: KindSet

  package init(of options: ExportOptions) { kinds = options.kinds }

  package mutating func add(_ sample: ExportSample) {
    let start = Int(sample.start)
    guard kinds.contains(sample.kind), PackedSample.starts.contains(start) else { return }
    first = min(first, start)
    last = max(last, start)
  }

  /// The first and the last date on which a sample begins; nil where there is no sample.
  package func dates(
    in zones: ReportingZones
  ) throws(ReportingDay.Failure) -> ClosedRange<CalendarDate>? {
    guard first <= last else { return nil }
    let start = try zones.date(at: Timestamp(secondsSince1970: first))
    return start...max(start, try zones.date(at: Timestamp(secondsSince1970: last)))
  }
}

/// A sample that was left out, for whoever asks why.
struct RefusedSample {
  let kind: SampleKind
  /// In the source table.
  let source: Int
  /// Seconds since 1970, never empty.
  let range: Range<Int64>
  let reason: LeftOut
}

/// Samples that were left out near the day to explain; none where there is no such day.
struct RefusedSamples {
  private let span: Range<Int64>
  private(set) var samples: [RefusedSample] = []

  /// - Parameter date: the day to explain; two days around it cover it and its night in any zone.
  init(near date: CalendarDate?) {
    let noon = date.map { Int64($0.daysSince1970) * 86_400 + 43_200 }
    span = noon.map { $0 - 3 * 86_400..<$0 + 3 * 86_400 } ?? 0..<0
  }

  mutating func add(_ sample: RefusedSample) {
    // A hostile file must not fill the memory.
    guard samples.count < 10_000, sample.range.overlaps(span) else { return }
    samples.append(sample)
  }

  mutating func add(_ sample: PackedSample, _ reason: LeftOut) {
    guard !span.isEmpty, let kind = SampleKind(rawValue: UInt8(sample.kind)) else { return }
    let quantity = sample.quantity
    add(
      RefusedSample(
        kind: kind, source: quantity.source,
        range: Int64(quantity.start)..<Int64(quantity.end) + 1, reason: reason))
  }
}

/// The sources of an export and their places in the order that decides between them.
///
/// A source has two numbers: one for what it measured, one for what the person typed in.
struct SourceTable {
  let sources: [ExportSource]
  /// By number.
  let order: [SourcePriority]

  init(_ sources: [ExportSource], preferred: [String]) {
    self.sources = sources
    let preferred = preferred.map(SourceName.init)
    order = sources.flatMap { source in
      [false, true].map {
        SourcePriority(
          name: source.name, hardware: source.hardware, isUserEntered: $0, preferred: preferred)
      }
    }
  }

  static func number(_ sample: ExportSample) -> Int {
    Int(sample.source) * 2 + (sample.isUserEntered ? 1 : 0)
  }

  func source(_ number: Int) -> ExportSource { sources[number / 2] }
  func isUserEntered(_ number: Int) -> Bool { number % 2 == 1 }

  /// What the label `source` says of a number (R57).
  func label(_ number: Int) -> String {
    let source = source(number)
    return SourceLabel.text(
      name: source.name, hardware: source.hardware, isUserEntered: isUserEntered(number))
  }
}

extension ExportSource {
  /// The name and, where it is known, the hardware: `Ann's Watch (Watch6,2)`.
  package var label: String { hardware.isEmpty ? name : "\(name) (\(hardware))" }
}

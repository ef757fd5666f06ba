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
  private var exportDate: Int?
  private var activity = ActivityRecords()
  private var workouts: [ExportWorkout] = []

  /// - Parameters:
  ///   - spool: takes the samples beyond `options.samplesInMemory`.
  package init(options: ExportOptions, spool: UnlinkedFile) {
    self.options = options
    wanted = options.kinds
    moments = Self.moments(options)
    refused = RefusedSamples(near: options.explainedDate)
    sorter = SampleSorter(file: spool, capacity: options.samplesInMemory)
  }

  package mutating func take(locale: String) {}

  package mutating func take(exportDate moment: Int64) {
    exportDate = max(exportDate ?? .min, Int(moment))
  }

  package mutating func take(source: ExportSource) { sources.append(source) }

  package mutating func take(timeZone name: String, at start: Int64?, ofSleep: Bool) {
    zones.add(name, at: start, ofSleep: ofSleep)
  }

  package mutating func take(_ sample: ExportSample) throws {
    guard wanted.contains(sample.kind) else {
      if !sample.isInCorrelation { unwanted[Int(sample.kind.rawValue)] += 1 }
      return
    }
    guard isNear(sample.start, sample.end) else { return }
    // Those inside correlations mostly stand outside, too: the days count the others.
    if !sample.isInCorrelation { counts[Int(sample.kind.rawValue)] += 1 }
    switch PackedSample.packing(sample) {
    case .success(let packed): try sorter.add(packed)
    case .failure(let reason): leaveOut(sample, reason)
    }
  }

  package mutating func take(_ workout: ExportWorkout) {
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

  package mutating func take(_ summary: ActivitySummary) { activity.add(summary) }

  package mutating func skip(_ reason: SkipReason, _ kind: SampleKind?) { tally.skip(reason) }

  package mutating func take(unread record: UnreadRecord) {
    guard wanted.contains(record.kind), isNear(record.start, record.end) else { return }
    unread.add(record.kind, from: record.start, to: record.end)
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

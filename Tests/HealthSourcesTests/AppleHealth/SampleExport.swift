import AppleExport
import Foundation
import HealthModel
import HealthSources
import Testing

/// An export made of samples, in place of a file.
struct SampleExport {
  static let watch = ExportSource(name: "Ann\u{2019}s Apple\u{A0}Watch", hardware: "Watch6,2")
  static let phone = ExportSource(name: "Ann\u{2019}s iPhone", hardware: "iPhone14,5")

  private(set) var sources: [ExportSource] = []
  var samples: [ExportSample] = []
  var zones: [String] = []
  /// Zones that records name which begin at a moment.
  var datedZones: [(name: String, start: Int64)] = []
  /// The same of records of sleep.
  var nightZones: [(name: String, start: Int64)] = []
  /// Records whose value can't be read.
  private var unread: [UnreadRecord] = []
  var exportDate: Int64?
  var summaries: [ActivitySummary] = []
  var workouts: [ExportWorkout] = []

  /// Adds a sample; moments are `2024-06-10 08:00:00+02:00`, the seconds may be left out.
  mutating func add(
    _ kind: SampleKind, _ start: String, _ end: String, _ value: Double,
    _ unit: SampleUnit = .none, from source: ExportSource = watch, byHand: Bool = false,
    mark: UInt64 = 0
  ) {
    samples.append(
      ExportSample(
        kind: kind, unit: unit, isUserEntered: byHand, source: number(of: source),
        start: Self.moment(start), end: Self.moment(end), value: value,
        mark: mark))
  }

  mutating func addSleep(
    _ start: String, _ end: String, _ value: SleepValue, from source: ExportSource = watch
  ) {
    add(.sleepAnalysis, start, end, Double(value.rawValue), from: source)
  }

  mutating func addUnread(_ kind: SampleKind, _ start: String, _ end: String) {
    unread.append(
      UnreadRecord(kind: kind, start: Self.moment(start), end: Self.moment(end)))
  }

  /// A record of a moment.
  mutating func addUnread(_ kind: SampleKind, at moment: Int64) {
    unread.append(UnreadRecord(kind: kind, start: moment, end: moment))
  }

  mutating func number(of source: ExportSource) -> UInt16 {
    if let known = sources.firstIndex(of: source) { return UInt16(known) }
    sources.append(source)
    return UInt16(sources.count - 1)
  }

  /// The same with its sources told in the opposite order.
  func reversingSources() -> SampleExport {
    var other = self
    other.sources = sources.reversed()
    for index in other.samples.indices {
      other.samples[index].source = UInt16(sources.count - 1) - samples[index].source
    }
    return other
  }

  static func moment(_ text: String) -> Int64 {
    var text = text.replacing(" ", with: "T")
    if text.count == 22 {
      text.insert(contentsOf: ":00", at: text.index(text.startIndex, offsetBy: 16))
    }
    guard let moment = ReportingDay.LocalMoment(text) else {
      Issue.record("'\(text)' is not a valid time")
      return 0
    }
    return Int64(moment.timestamp.secondsSince1970)
  }

  /// Collects all of it, and the days, with few samples in memory at a time.
  func days(
    _ zone: String? = "Europe/Paris", samplesInMemory: Int = 500_000,
    _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws -> CollectedExport {
    var options = ExportOptions()
    options.zones = try zone.map(CollectedExport.zones)
    options.samplesInMemory = samplesInMemory
    change(&options)
    var collector = ExportCollector(options: options, spool: UnlinkedFile())
    var findings = sources.map { ExportFinding.source($0) }
    findings += samples.map { .sample($0) } + unread.map { .unread($0) }
    findings += zones.map { .timeZone($0, nil, ofSleep: false) }
    findings += datedZones.map { .timeZone($0.name, $0.start, ofSleep: false) }
    findings += nightZones.map { .timeZone($0.name, $0.start, ofSleep: true) }
    findings += summaries.map { .summary($0) } + workouts.map { .workout($0) }
    if let exportDate { findings.append(.exportDate(exportDate)) }
    for finding in findings { try collector.take(finding) }
    return try CollectedExport(collector)
  }
}

/// Everything that comes of an export.
struct CollectedExport {
  let days: [ExportDay]
  let zone: ZoneChoice
  let tally: ExportTally
  let crossCheck: ActivityCrossCheck

  init(_ collector: consuming ExportCollector) throws {
    var stream = try collector.days()
    var days: [ExportDay] = []
    while let day = try stream.next() { days.append(day) }
    self.days = days
    (zone, tally, crossCheck) = (stream.zone, stream.tally, stream.crossCheck)
  }

  /// Reads a file.
  init(
    reading file: URL, zone: String? = nil, samplesInMemory: Int = 500_000,
    _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws {
    var options = ExportOptions()
    options.zones = try zone.map(Self.zones)
    options.samplesInMemory = samplesInMemory
    change(&options)
    var collector = ExportCollector(options: options, spool: UnlinkedFile())
    _ = try ExportReader(path: file.path).read(into: &collector)
    try self.init(collector)
  }

  /// A zone, or several by the dates from which they hold.
  static func zones(_ text: String) throws -> ReportingZones {
    text.contains("@") ? try ReportingZones(parsing: text) : ReportingZones(text)
  }

  /// Readings by date, in words.
  var table: [String: [String: String]] {
    SourceResult(days: days.map(\.readings)).table
  }

  subscript(date: String) -> ExportDay? {
    days.first { $0.readings.date.description == date }
  }

  /// The number of a metric on a date.
  func number(_ metric: DailyMetric, _ date: String) -> Double? {
    self[date]?.readings.readings[metric]?.number
  }
}

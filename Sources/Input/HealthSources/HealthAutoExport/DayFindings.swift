import HealthModel

/// What has been found of each day so far.
struct DayFindings {
  private var readings: [CalendarDate: [DailyMetric: MetricReading]] = [:]
  private var notes: [CalendarDate: [String]] = [:]
  private var ofWholeDay: [CalendarDate: Set<DailyMetric>] = [:]

  /// A number beats an earlier `unsupported`.
  ///
  /// - Parameter isOfWholeDay: whether HealthKit has made it of the whole day.
  mutating func set(
    _ metric: DailyMetric, _ number: Double, on date: CalendarDate, isOfWholeDay: Bool
  ) {
    readings[date, default: [:]][metric] = .value(metric.rounded(number))
    if isOfWholeDay { ofWholeDay[date, default: []].insert(metric) }
  }

  /// Marks days as unsupported unless they have a number; an optional metric is just not there.
  mutating func unsupported(
    _ metric: ExportedMetric, _ dates: Set<CalendarDate>, because reason: String
  ) {
    for date in dates {
      note(date, reason)
      for own in metric.required where readings[date]?[own] == nil {
        readings[date, default: [:]][own] = .unsupported
      }
    }
  }

  /// Takes what was found of a date in later rows.
  mutating func take(_ later: DayFindings, on date: CalendarDate) {
    for text in later.notes[date] ?? [] { note(date, text) }
    for (metric, reading) in later.readings[date] ?? [:] where readings[date]?[metric] == nil {
      readings[date, default: [:]][metric] = reading
      if later.ofWholeDay[date]?.contains(metric) == true {
        ofWholeDay[date, default: []].insert(metric)
      }
    }
  }

  mutating func note(_ date: CalendarDate, _ text: String) {
    if notes[date]?.contains(text) != true { notes[date, default: []].append(text) }
  }

  /// What is said of days, each once.
  var allNotes: [String] { Set(notes.values.joined()).sorted() }

  /// The days, oldest first.
  ///
  /// - Parameter moments: those of the whole input.
  func days(
    in zones: ReportingZones, written: WriteTimes = WriteTimes(), moments: InputMoments? = nil
  ) -> [DayReadings] {
    readings.sorted { $0.key < $1.key }.map { date, readings in
      DayReadings(
        date: date, from: .healthAutoExport, timeZoneName: zones.name(on: date),
        writtenAt: written.moment(of: date), readings: readings, moments: moments,
        ofWholeDay: ofWholeDay[date] ?? [], notes: notes[date] ?? [])
    }
  }
}

/// What payloads hold that nothing is made of: each name with its count, bounded in memory.
struct UnusedMembers {
  private var metrics: [String: Int] = [:]
  private var others: [String: Int] = [:]

  /// How many rows the metrics have that are not read.
  var rowsOfMetrics: Int { metrics.values.reduce(0, +) }

  /// Counts the rows of a metric that is not read.
  mutating func add(metric name: String, rows: Int) {
    NamedCounts.count(rows, of: name, in: &metrics)
  }

  /// Counts the entries of all members beside metrics and workouts, such as `stateOfMind`.
  mutating func add(_ data: JSONValue, _ counts: [String: Int] = [:]) {
    for (name, value) in data.objectValue ?? [:] where name != "metrics" && name != "workouts" {
      guard value != .null else { continue }
      let count = counts[name] ?? value.arrayValue?.count ?? 1
      if count > 0 { NamedCounts.count(count, of: name, in: &others) }
    }
  }

  /// Counts those of a later payload too.
  mutating func take(_ later: UnusedMembers) {
    for (name, rows) in later.metrics { add(metric: name, rows: rows) }
    for (name, entries) in later.others { NamedCounts.count(entries, of: name, in: &others) }
  }

  /// One sentence for the metrics, one for the rest.
  var notes: [String] {
    var notes: [String] = []
    if !metrics.isEmpty {
      let was = metrics.count == 1 ? "metric was" : "metrics were"
      notes.append("\(metrics.count) \(was) not used: \(NamedCounts.list(metrics, "row", "rows"))")
    }
    if !others.isEmpty {
      notes.append("not used beside the metrics: \(NamedCounts.list(others, "entry", "entries"))")
    }
    return notes
  }
}

/// Rows of optional metrics that can't be used: by reason, with their count.
struct LeftOutRows {
  private var reasons: [String: (count: Int, first: String)] = [:]

  /// Most reasons that are kept.
  private static let maximumReasons = 1000

  /// How many rows.
  var count: Int { reasons.values.reduce(0) { $0 + $1.count } }

  /// Counts rows with one reason.
  ///
  /// - Parameter first: the first of them and what is wrong with it, where that is worth reporting.
  mutating func add(_ reason: String, _ count: Int = 1, first: String = "") {
    guard reasons[reason] != nil || reasons.count < Self.maximumReasons else { return }
    reasons[reason, default: (0, first)].count += count
  }

  /// Counts those of a later payload too.
  mutating func take(_ later: LeftOutRows) {
    for (reason, rows) in later.reasons.sorted(by: { $0.key < $1.key }) {
      add(reason, rows.count, first: rows.first)
    }
  }

  /// One sentence a reason.
  var notes: [String] {
    reasons.sorted { $0.key < $1.key }.map { reason, rows in
      let were = rows.count == 1 ? "1 row was" : "\(rows.count) rows were"
      let first = rows.first.isEmpty ? "" : "; the first: \(rows.first)"
      return "\(reason): \(were) left out\(first)"
    }
  }
}

/// How many rows of a payload are in no day, by metric. It holds names of the catalogue and counts, nothing that
/// a client chose and no value, so a log may have it (R54).
package struct LostRows: Hashable, Sendable {
  private var rows: [String: Int] = [:]

  /// Most metrics that are named.
  private static let named = 8
  /// What stands for metrics that the catalogue does not have, for rows without a number, for payloads of rows
  /// that are too long, and for workouts.
  package static let unknown = "unknown metrics"
  static let (empty, coarse, workouts) = ("without a number", "by the week or longer", "workouts")

  package init() {}

  package mutating func add(_ count: Int = 1, of name: String) {
    if count > 0 { rows[name, default: 0] += count }
  }

  /// Counts those of another part of the payload too.
  package mutating func take(_ other: LostRows) { rows.merge(other.rows, uniquingKeysWith: +) }

  /// `step_count 3, unknown metrics 12`; nil where nothing was lost.
  package var words: String? {
    guard !rows.isEmpty else { return nil }
    let sorted = rows.sorted { $0.key < $1.key }
    let names = sorted.prefix(Self.named).map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    return sorted.count > Self.named ? names + " and \(sorted.count - Self.named) more" : names
  }
}

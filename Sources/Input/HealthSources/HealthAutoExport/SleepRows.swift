import HealthModel

/// Reads `sleep_analysis` in its four shapes: samples with a stage, and three kinds of summaries.
struct SleepRows {
  /// Each once, with the place of its last row among all and the last payload that has it.
  private var rows: [SleepSummary: (place: Int, capture: Int)] = [:]
  private var count = 0
  /// Nights of summaries whose unit is unknown.
  private(set) var unconvertible: Set<CalendarDate> = []
  /// Stages that are not known, with how many rows name them.
  private(set) var unknownStages: [String: Int] = [:]
  /// The nights that such rows touch, with what they name. The other rows are only a part of the night.
  private var unknownNights: [CalendarDate: Set<String>] = [:]
  /// What samples say, by id; none unless they are to be kept.
  private(set) var segments: [String: SleepSegment] = [:]
  private let keepsSegments: Bool
  private var sources: [String: Int] = [:]

  /// What says in a summary to which night it belongs, and so stands for a date that it lacks.
  private static let ends = ["sleepEnd", "inBedEnd"]

  init(keepsSegments: Bool) { self.keepsSegments = keepsSegments }

  /// Reads one row; what is wrong with it goes to the reader's problems.
  mutating func add(
    _ row: JSONValue, at place: RowPlace, factor: Double?, reader: inout RowReader,
    kept: inout KeptRows
  ) throws(ReportingDay.Failure) {
    guard let (start, end) = reader.times(of: row, at: place, or: Self.ends) else { return }
    if let value = row["value"], value != .null {
      try addSample(
        row, value: value, start: start, end: end, at: place, reader: &reader, kept: &kept)
    } else {
      try addSummary(row, date: start, at: place, factor: factor, reader: &reader)
    }
  }

  private mutating func addSample(
    _ row: JSONValue, value: JSONValue, start: ExportedDate, end: ExportedDate?,
    at place: RowPlace, reader: inout RowReader, kept: inout KeptRows
  ) throws(ReportingDay.Failure) {
    guard let end else {
      reader.problems.add(
        place.pointer(), "the sleep sample has no 'endDate'", remedy: "export it again as JSON")
      return
    }
    guard let from = reader.moment(of: start, at: place),
      let to = reader.moment(of: end, at: place),
      reader.isInterval(from, to, at: place)
    else { return }
    reader.writeTimes.note(try reader.calendar.night(at: max(from, to - 1)).date)
    guard let stage = value.stringValue.flatMap(SleepValue.init(word:)) else {
      return try addUnknown(value, from..<to, &reader)
    }
    let name = row["source"]?.stringValue ?? ""
    let source = number(of: name)
    guard from < to else { return }
    kept.add(SleepSample(value: stage, range: from..<to, source: source))
    guard keepsSegments else { return }
    let segment = SleepSegment(value: stage, start: Int64(from), end: Int64(to), source: name)
    segments[segment.id] = segment
  }

  private mutating func addUnknown(
    _ value: JSONValue, _ range: Range<Int>, _ reader: inout RowReader
  ) throws(ReportingDay.Failure) {
    let name = String((value.stringValue ?? "not a string").prefix(40))
    NamedCounts.count(1, of: name, in: &unknownStages)
    var moment = range.lowerBound
    repeat {
      let (date, night) = try reader.calendar.night(at: moment)
      if unknownNights[date]?.count ?? 0 < Self.mostNames {
        unknownNights[date, default: []].insert(name)
      }
      moment = max(night.upperBound, moment + 1)
    } while moment < range.upperBound
  }

  /// A sentence for each stage that is not known.
  var stageNotes: [String] {
    unknownStages.sorted { $0.key < $1.key }.map { stage, count in
      let rows = count == 1 ? "1 row" : "\(count) rows"
      return "sleep_analysis: \(rows) of the unknown stage '\(stage)' "
        + (count == 1 ? "was not used" : "were not used")
    }
  }

  /// Notes that a row of a night can't be used.
  mutating func addBroken(_ night: CalendarDate) {
    unknownNights[night] = unknownNights[night] ?? []
  }

  /// The nights whose samples give no number.
  var unknownDates: Set<CalendarDate> { Set(unknownNights.keys) }

  /// Most stages that are named of one night.
  private static let mostNames = 20

  /// Why the samples of a night give no number; nil for a night of which all stages are known.
  func unknown(on night: CalendarDate) -> String? {
    guard let names = unknownNights[night] else { return nil }
    guard !names.isEmpty else {
      return "sleep_analysis: a row can't be used, so this night's samples give no number"
    }
    let listed = names.sorted().map { "'\($0)'" }.joined(separator: ", ")
    return "sleep_analysis: "
      + (names.count == 1 ? "the stage \(listed) is" : "the stages \(listed) are")
      + " not known, so this night's samples give no number"
  }

  /// The sources of the samples, by their numbers.
  var order: [SourcePriority] {
    sources.sorted { $0.value < $1.value }.map { SourcePriority($0.key) }
  }

  /// The summaries in the order of their rows.
  var summaries: [SleepSummary] {
    rows.sorted { $0.value.place < $1.value.place }.map(\.key)
  }

  /// Those of a night in the newest payload that has one, and which payload it is.
  func newest(of night: CalendarDate) -> (summaries: [SleepSummary], capture: Int)? {
    let own = rows.filter { $0.key.night == night }
    guard let newest = own.values.map(\.capture).max() else { return nil }
    let found = own.filter { $0.value.capture == newest }
    return (found.sorted { $0.value.place < $1.value.place }.map(\.key), newest)
  }

  /// Takes those that a later payload has of a night.
  ///
  /// - Returns: the numbers that its sources have here, by those that they have there.
  mutating func take(_ later: SleepRows, on night: CalendarDate, capture: Int) -> [Int] {
    for (summary, found) in later.rows where summary.night == night {
      rows[summary] = (count + found.place, capture)
    }
    count += later.count
    if let names = later.unknownNights[night] { unknownNights[night, default: []].formUnion(names) }
    return later.sources.sorted { $0.value < $1.value }.map { number(of: $0.key) }
  }

  /// About how many bytes of memory it takes.
  var cost: Int { 512 * rows.count }

  private mutating func number(of source: String) -> Int {
    let number = sources[source] ?? sources.count
    sources[source] = number
    return number
  }

  /// The segments in the order of their times.
  var inOrder: [SleepSegment] {
    segments.values.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
  }

  /// How many nights are summaries alone, in words; nil for none.
  func nightsWithoutSegments(in calendar: inout ZoneCalendar) -> String? {
    var nights = Set(rows.keys.map(\.night))
    for segment in segments.values {
      if let night = try? calendar.night(at: Int(segment.start)) { nights.remove(night.date) }
    }
    guard !nights.isEmpty else { return nil }
    let has = nights.count == 1 ? "1 night is a summary" : "\(nights.count) nights are summaries"
    return "sleep_analysis: \(has) without periods of sleep; export it without aggregation"
  }

  private mutating func addSummary(
    _ row: JSONValue, date: ExportedDate, at place: RowPlace, factor: Double?,
    reader: inout RowReader
  ) throws(ReportingDay.Failure) {
    let before = reader.problems.count
    let asleepRange = range(row, "sleepStart", "sleepEnd", at: place, reader: &reader)
    let inBedRange = range(row, "inBedStart", "inBedEnd", at: place, reader: &reader)
    let parts = SleepParts(
      total: reader.optionalNumber(row, at: place, "totalSleep"),
      asleep: reader.optionalNumber(row, at: place, "asleep"),
      core: reader.optionalNumber(row, at: place, "core"),
      deep: reader.optionalNumber(row, at: place, "deep"),
      rem: reader.optionalNumber(row, at: place, "rem"))
    let bed = reader.optionalNumber(row, at: place, "inBed")
    let awake = reader.optionalNumber(row, at: place, "awake")
    guard reader.problems.count == before,
      let night = try night(of: row, date: date, at: place, reader: &reader)
    else { return }
    reader.writeTimes.note(night)
    guard let factor else {
      unconvertible.insert(night)
      return
    }
    let extent = asleepRange.map { Double($0.count) / 60 / factor }
    let asleep = parts.time(extent: extent, minute: 1 / factor)
    // In a row that has both, 0 means that HealthKit had no sample: nobody sleeps without a bed for a night,
    // and a night of two zeros was not recorded.
    let hasBoth = asleep != nil && bed != nil
    let summary = SleepSummary(
      night: night,
      asleep: hasBoth && asleep == 0 ? nil : asleep.map { $0 * factor },
      inBed: hasBoth && bed == 0 ? nil : bed.map { $0 * factor },
      stages: SleepStageMinutes(
        core: parts.core, deep: parts.deep, rem: parts.rem, awake: awake, factor: factor),
      asleepRange: asleepRange, inBedRange: inBedRange ?? asleepRange)
    rows[summary] = (count, reader.capture)
    count += 1
  }

  /// The night that holds the end of sleep, else of the time in bed; a row with neither belongs to
  /// its date, by the date as written where it is a midnight.
  private func night(
    of row: JSONValue, date: ExportedDate, at place: RowPlace, reader: inout RowReader
  ) throws(ReportingDay.Failure) -> CalendarDate? {
    for name in Self.ends {
      if let end = reader.date(row, name, or: name, at: place),
        let moment = reader.moment(of: end, at: place)
      {
        return try reader.calendar.night(at: moment - 1).date
      }
    }
    if date.secondsOfDay == 0 { return date.date }
    guard let moment = reader.moment(of: date, at: place) else { return nil }
    return try reader.calendar.night(at: moment - 1).date
  }

  private func range(
    _ row: JSONValue, _ first: String, _ last: String, at place: RowPlace, reader: inout RowReader
  ) -> Range<Int>? {
    guard let start = reader.date(row, first, or: first, at: place),
      let end = reader.date(row, last, or: last, at: place),
      let from = reader.moment(of: start, at: place), let to = reader.moment(of: end, at: place),
      reader.isInterval(from, to, at: place), from < to
    else { return nil }
    return from..<to
  }
}

extension SleepValue {
  /// The stage that `value` names, in Health Auto Export's or HealthKit's words; nil for another.
  fileprivate init?(word value: String) {
    var word = value.lowercased().filter(\.isLetter)
    for prefix in ["hkcategoryvaluesleepanalysis", "asleep"] where word.hasPrefix(prefix) {
      word.removeFirst(prefix.count)
    }
    switch word {
    case "inbed", "imbett": self = .inBed
    case "", "unspecified": self = .asleepUnspecified
    // Phones write the words in their language; of these, German is known.
    case "core", "kern": self = .asleepCore
    case "deep", "tief": self = .asleepDeep
    case "rem": self = .asleepREM
    case "awake", "wach": self = .awake
    default: return nil
    }
  }
}

extension SleepSegment {
  /// A sample of sleep, which has no id of its own: the same in whatever language it was exported.
  fileprivate init(value: SleepValue, start: Int64, end: Int64, source: String) {
    let identity = SampleIdentity(
      type: SampleKind.sleepAnalysis.identifier, source: source, hardware: "", start: start,
      end: end, value: value.identifier)
    self.init(id: identity.uuid, value: value, start: start, end: end, source: source)
  }
}

extension SleepValue {
  /// HealthKit's word for the value.
  fileprivate var identifier: String {
    "HKCategoryValueSleepAnalysis" + name.prefix(1).uppercased() + name.dropFirst()
  }
}

/// One aggregated sleep row: a whole night, or a nap.
struct SleepSummary: Hashable {
  /// The day in which the night ends.
  let night: CalendarDate
  /// Minutes; nil where the row has no data on it.
  let asleep: Double?
  let inBed: Double?
  let stages: SleepStageMinutes
  /// From falling asleep to waking, and the time in bed; nil where the row does not say.
  let asleepRange: Range<Int>?
  let inBedRange: Range<Int>?
}

/// The minutes of the stages in an aggregated row; nil where HealthKit had no sample of one, for
/// which the app writes 0.
struct SleepStageMinutes: Hashable {
  private var core: Double?
  private var deep: Double?
  private var rem: Double?
  private var awake: Double?

  /// - Parameter factor: the minutes in the unit of the members.
  init(core: Double?, deep: Double?, rem: Double?, awake: Double?, factor: Double) {
    func minutes(_ time: Double?) -> Double? { time.flatMap { $0 > 0 ? $0 * factor : nil } }
    (self.core, self.deep, self.rem) = (minutes(core), minutes(deep), minutes(rem))
    self.awake = minutes(awake)
  }

  /// Whether any stage of sleep is.
  var areKnown: Bool { core != nil || deep != nil || rem != nil }

  subscript(value: SleepValue) -> Double? {
    switch value {
    case .asleepCore: core
    case .asleepDeep: deep
    case .asleepREM: rem
    case .awake: awake
    case .inBed, .asleepUnspecified: nil
    }
  }
}

/// The time asleep in the members of an aggregated row, all in one unit.
struct SleepParts {
  var total: Double?
  var asleep: Double?
  var core: Double?
  var deep: Double?
  var rem: Double?

  /// `totalSleep` where it is given; else the stages and what is asleep without a stage.
  ///
  /// Some versions give the sum of the stages as `asleep`: then the two together exceed `extent`,
  /// the time from falling asleep to waking, and `asleep` alone is the answer.
  ///
  /// - Parameter minute: one minute in the unit of the members.
  func time(extent: Double?, minute: Double) -> Double? {
    let given = [core, deep, rem].compactMap { $0 }
    let stages = given.reduce(0, +)
    let unstaged = asleep ?? 0
    if let total, total > 0 || stages + unstaged == 0 { return total }
    guard !given.isEmpty else { return asleep }
    let isSum =
      stages > 0
      && (extent.map { unstaged >= stages - minute && stages + unstaged > $0 + minute }
        ?? (abs(unstaged - stages) <= minute))
    return isSum ? unstaged : stages + unstaged
  }
}

/// Minutes of sleep by night from aggregated rows, of which successive exports repeat some.
enum SleepSummaries {
  static func minutes(of part: NightPart, _ rows: [SleepSummary]) -> [CalendarDate: Double] {
    switch part {
    case .asleep: merge(asleep(rows).map { ($0.night, $0.asleep, $0.asleepRange) })
    case .value(.inBed): merge(rows.map { ($0.night, $0.inBed, $0.inBedRange) })
    case .value(let value): merge(asleep(rows).map { ($0.night, $0.stages[value], $0.asleepRange) })
    }
  }

  /// The rows whose time asleep counts: as of samples, who has seen stages comes first, so a row without
  /// them does not count beside one with which it overlaps.
  private static func asleep(_ rows: [SleepSummary]) -> [SleepSummary] {
    let staged = rows.filter(\.stages.areKnown).compactMap(\.asleepRange)
    return rows.filter { row in
      guard !row.stages.areKnown, let range = row.asleepRange else { return true }
      return !staged.contains { $0.overlaps(range) }
    }
  }

  /// Rows that overlap are captures of one night: the longest counts (of equal ones the last), and
  /// of the others the part of their time that it leaves uncovered.
  private static func merge(
    _ rows: [(night: CalendarDate, minutes: Double?, range: Range<Int>?)]
  ) -> [CalendarDate: Double] {
    var totals: [CalendarDate: Double] = [:]
    var covered = IntervalSet()
    let timed = rows.enumerated().filter { $0.element.range?.isEmpty == false }
    let longestFirst = timed.sorted { a, b in
      (a.element.range?.count ?? 0, a.offset) > (b.element.range?.count ?? 0, b.offset)
    }
    for (_, row) in longestFirst {
      guard let minutes = row.minutes, let range = row.range else { continue }
      let free = covered.gaps(in: range).reduce(0) { $0 + $1.count }
      guard free > 0 else { continue }
      totals[row.night, default: 0] += minutes * Double(free) / Double(range.count)
      covered = covered.union(IntervalSet([range]))
    }
    let untimed = rows.filter { $0.range?.isEmpty != false }
    var last: [CalendarDate: Double] = [:]
    for row in untimed { if let minutes = row.minutes { last[row.night] = minutes } }
    return totals.merging(last) { timed, _ in timed }
  }
}

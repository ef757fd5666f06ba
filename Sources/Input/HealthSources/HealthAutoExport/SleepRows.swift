import HealthModel

/// Reads `sleep_analysis` in its four shapes: samples with a stage, and three kinds of summaries.
struct SleepRows {
  /// Each once, with the place of its last row among all and the last payload that has it.
  private var rows: [SleepSummary: (place: Int, capture: Int)] = [:]
  private var count = 0
  /// Nights of summaries whose unit is unknown.
  private(set) var unconvertible: Set<CalendarDate> = []
  /// Stages that are not known, with how many rows name them.
  private var unknownStages: [String: Int] = [:]
  /// How many rows name such stages.
  private(set) var unknownRows = 0
  /// What they name, by night.
  private var unknownNames: [CalendarDate: Set<String>] = [:]
  /// By night, the rows that can't be used; those of stages that are not known are among the kept rows.
  var gaps = RowGaps()
  /// The nights of summaries that can't be used, and the payloads that have them: others of the same payload
  /// are a part of the night.
  private var cut: [CalendarDate: Set<Int>] = [:]
  /// What samples say, by id; none unless they are to be kept.
  private(set) var segments: [String: SleepSegment] = [:]
  private let keepsSegments: Bool
  private var sources: [String: Int] = [:]

  /// What says in a summary to which night it belongs, and so stands for a date that it lacks.
  private static let ends = ["sleepEnd", "inBedEnd"]
  /// The times that a summary can have.
  private static let members = ["totalSleep", "asleep", "core", "deep", "rem", "inBed", "awake"]

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
    let name = row["source"]?.stringValue ?? ""
    let source = number(of: name)
    guard let stage = SleepValue(exported: value) else {
      kept.addUnknown(from..<to, source: source, capture: reader.capture)
      let nights = try reader.calendar.nights(touching: from..<to)
      return note(unknown: [Self.name(of: value)], on: nights.map(\.date))
    }
    guard from < to else { return }
    kept.add(
      SleepSample(value: stage, range: from..<to, source: source), capture: reader.capture)
    guard keepsSegments else { return }
    let segment = SleepSegment(value: stage, start: Int64(from), end: Int64(to), source: name)
    segments[segment.id] = segment
  }

  private static func name(of value: JSONValue) -> String {
    value.stringValue ?? value.numberText ?? "not a string"
  }

  /// Notes what a row names that is not known.
  private mutating func note(unknown names: [String], on nights: [CalendarDate]) {
    unknownRows += 1
    let names = names.map { String($0.prefix(40)) }
    for name in names { NamedCounts.count(1, of: name, in: &unknownStages) }
    for night in nights where unknownNames[night]?.count ?? 0 < Self.mostNames {
      unknownNames[night, default: []].formUnion(names)
    }
  }

  /// A sentence for each stage that is not known.
  var stageNotes: [String] {
    unknownStages.sorted { $0.key < $1.key }.map { stage, count in
      let rows = count == 1 ? "1 row" : "\(count) rows"
      return "sleep_analysis: \(rows) of the unknown stage '\(stage)' "
        + (count == 1 ? "was not used" : "were not used")
    }
  }

  /// Notes that a payload has a summary of a night that can't be used.
  mutating func cutSummaries(of night: CalendarDate, in capture: Int) {
    cut[night, default: []].insert(capture)
  }

  /// Most stages of one night that are kept, and that are named.
  private static let (mostNames, mostNamed) = (1000, 20)

  /// Why the samples of a night of which some can't be used give no number.
  func reason(on night: CalendarDate) -> String {
    guard let names = unknownNames[night] else {
      return "sleep_analysis: a row can't be used, so this night's samples give no number"
    }
    var listed = names.sorted().prefix(Self.mostNamed).map { "'\($0)'" }.joined(separator: ", ")
    if names.count > Self.mostNamed { listed += " and \(names.count - Self.mostNamed) more" }
    return "sleep_analysis: "
      + (names.count == 1 ? "the stage \(listed) is" : "the stages \(listed) are")
      + " not known, so this night's samples give no number"
  }

  /// The sources of the samples, by their numbers.
  var order: [SourcePriority] {
    sources.sorted { $0.value < $1.value }.map { SourcePriority($0.key) }
  }

  /// The summaries that count, in the order of their rows.
  var summaries: [SleepSummary] {
    rows.filter { !isCut($0.key, $0.value.capture) }.sorted { $0.value.place < $1.value.place }
      .map(\.key)
  }

  /// Those of a night in the newest payload that has one, and which payload it is.
  func newest(of night: CalendarDate) -> (summaries: [SleepSummary], capture: Int)? {
    let own = rows.filter { $0.key.night == night && !isCut($0.key, $0.value.capture) }
    guard let newest = own.values.map(\.capture).max() else { return nil }
    let found = own.filter { $0.value.capture == newest }
    return (found.sorted { $0.value.place < $1.value.place }.map(\.key), newest)
  }

  private func isCut(_ summary: SleepSummary, _ capture: Int) -> Bool {
    cut[summary.night]?.contains(capture) == true
  }

  /// Takes those that a later payload has of a night.
  ///
  /// - Returns: the numbers that its sources have here, by those that they have there.
  mutating func take(_ later: SleepRows, on night: CalendarDate, capture: Int) -> [Int] {
    for (summary, found) in later.rows where summary.night == night {
      rows[summary] = (count + found.place, capture)
    }
    count += later.count
    gaps.take(later.gaps, on: night, capture: capture)
    if later.cut[night] != nil { cutSummaries(of: night, in: capture) }
    if let names = later.unknownNames[night] { unknownNames[night, default: []].formUnion(names) }
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
    let others = Self.unknownMembers(of: row)
    let given = Self.members.filter { row[$0] != nil }
    guard !given.isEmpty || !others.isEmpty else {
      let names = Self.members.map { "'\($0)'" }.joined(separator: ", ")
      reader.problems.add(
        place.pointer(), "the row has no 'value', and none of \(names)",
        remedy: "export it again as JSON")
      return
    }
    if (parts.total ?? 0) == 0, !others.isEmpty {
      let day = try reader.calendar.day(night)
      let start = reader.rowDates.compactMap(\.moment).min() ?? day.start
      gaps.add(on: night, at: start, in: reader.capture)
      cutSummaries(of: night, in: reader.capture)
      return note(unknown: others, on: [night])
    }
    guard given.contains(where: { row[$0] != .null }) else {
      reader.emptyRows += 1
      return
    }
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

  /// The numbers in a summary that nobody knows, such as stages in the phone's language: without the total they
  /// may be a part of the sleep.
  private static func unknownMembers(of row: JSONValue) -> [String] {
    (row.objectValue ?? [:]).filter { name, value in
      value.numberValue.map { $0 != 0 } == true && name != "qty" && !members.contains(name)
    }.keys.sorted()
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
  /// The stage that a value names, in Health Auto Export's or HealthKit's words, or as HealthKit numbers it; nil
  /// for another.
  fileprivate init?(exported value: JSONValue) {
    guard let text = value.stringValue ?? value.numberText else { return nil }
    var word = text.lowercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "-" }
    if let known = Self.allCases.first(where: { "\($0.rawValue)" == word }) {
      self = known
      return
    }
    let prefix = "hkcategoryvaluesleepanalysis"
    if word.hasPrefix(prefix) { word.removeFirst(prefix.count) }
    if word != "asleep", word.hasPrefix("asleep") { word.removeFirst("asleep".count) }
    switch word {
    case "inbed", "imbett": self = .inBed
    case "asleep", "unspecified": self = .asleepUnspecified
    // Phones write the words in their language; of these, German is known.
    case "core", "kern": self = .asleepCore
    case "deep", "tief": self = .asleepDeep
    case "rem": self = .asleepREM
    case "awake", "wach": self = .awake
    default: return nil
    }
  }
}

extension JSONValue {
  /// A number as people write it; nil for another value.
  fileprivate var numberText: String? {
    numberValue.map { number in Int(exactly: number).map(String.init) ?? "\(number)" }
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

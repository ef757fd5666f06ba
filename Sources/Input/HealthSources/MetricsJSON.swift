import HealthLedger
import HealthModel

/// Reads our own metrics JSON: one day, several days, or a health.v0 revision.
struct MetricsJSON {
  let zones: ReportingZones
  let defaultDate: CalendarDate?
  /// The metrics that are kept; all are checked.
  let wanted: Set<DailyMetric>
  private(set) var problems = ProblemList()

  private static let members = [
    "date", "timezone", "captured_at", "metrics", "status", "metric_status", "metric_units",
    "schema_version", "day", "generated_at", "collector", "sources", "parent", "covers",
    "kept_from", "days",
    "digest",
  ]

  init(
    zones: ReportingZones, defaultDate: CalendarDate?,
    wanted: Set<DailyMetric> = Set(DailyMetric.allCases)
  ) {
    (self.zones, self.defaultDate, self.wanted) = (zones, defaultDate, wanted)
  }

  /// The days of the document; meaningless where `problems` is not empty afterwards.
  mutating func read(_ root: JSONValue) -> SourceResult {
    if let version = root["schema_version"], version.stringValue != "health.v0" {
      problems.add(
        "/schema_version", "only documents of the version \"health.v0\" are understood",
        remedy: "convert the document, or leave schema_version out")
    }
    guard let days = root["days"] else {
      let day = readDay(root, at: "", outer: nil)
      return SourceResult(days: day.map { [$0] } ?? [])
    }
    return SourceResult(days: readDays(days, outer: root))
  }

  private mutating func readDays(_ days: JSONValue, outer: JSONValue) -> [DayReadings] {
    for name in ["date", "metrics", "status", "metric_status"] where outer[name] != nil {
      problems.add(
        "/\(name)", "'\(name)' stands beside 'days'", remedy: "move it into one of the days")
    }
    _ = unknownMembers(outer.objectValue ?? [:], at: "")
    guard let elements = days.arrayValue else {
      problems.add("/days", "'days' is not an array", remedy: "write [{\"date\": ...}, ...]")
      return []
    }
    var found: [CalendarDate: DayReadings] = [:]
    for (index, element) in elements.enumerated() {
      guard let day = readDay(element, at: "/days/\(index)", outer: outer) else { continue }
      if found.updateValue(day, forKey: day.date) != nil {
        problems.add(
          "/days/\(index)/date", "\(day.date) occurs a second time",
          remedy: "give each date once, with all its metrics")
      }
    }
    return found.values.sorted { $0.date < $1.date }
  }

  private mutating func readDay(
    _ value: JSONValue, at pointer: String, outer: JSONValue?
  ) -> DayReadings? {
    guard let members = value.objectValue else {
      problems.add(
        pointer, "a day is not an object", remedy: "write {\"date\": ..., \"metrics\": {...}}")
      return nil
    }
    var notes = unknownMembers(members, at: pointer)
    let date = readDate(members["date"], at: "\(pointer)/date", isOnly: outer == nil)
    let zone = readZone(value, at: pointer) ?? outer.flatMap { readZone($0, at: "") }
    let captured =
      readMoment(members["captured_at"], at: "\(pointer)/captured_at")
      ?? outer.flatMap { readMoment($0["captured_at"], at: "/captured_at") }
    if let date { checkDay(date, zone: zone, at: pointer) }
    // This is not an error: somebody may have corrected a number, after the document was made. A new digest is
    // written.
    var isChanged = false
    if let digest = members["digest"], digest.stringValue != DocumentDigest.text(of: members) {
      isChanged = true
      notes.append(
        "the document is damaged, or was changed after it was written: its digest does not match")
    }
    var reader = MetricMembers(problems: problems)
    let readings = reader.read(members, at: pointer)
    problems = reader.problems
    guard let date else { return nil }
    if reader.covered.isEmpty {
      notes.append("no metric has a number, or a status that says why it has none")
    }
    return DayReadings(
      date: date, from: .metricsJSON, timeZoneName: zone, capturedAt: isChanged ? nil : captured,
      readings: readings.filter { wanted.contains($0.key) },
      speaksOf: reader.covered.intersection(wanted), ofWholeDay: reader.covered, notes: notes)
  }

  /// Reports members that are probably misspelt; gives notes on the others.
  private mutating func unknownMembers(
    _ members: [String: JSONValue], at pointer: String
  ) -> [String] {
    var notes: [String] = []
    for name in members.keys.sorted() where !Self.members.contains(name) {
      let place = "\(pointer)/\(String(name.prefix(64)).pointerToken)"
      if MetricMembers.meant(by: name, exactly: true) != nil {
        problems.add(place, "a metric is outside 'metrics'", remedy: "move it into 'metrics'")
      } else if let meant = Suggestion.nearest(to: name, among: Self.members) {
        problems.add(place, "unknown member", remedy: "did you mean '\(meant)'?")
      } else {
        notes.append("\(place) is not known and was ignored")
      }
    }
    return notes
  }

  private mutating func readDate(
    _ value: JSONValue?, at pointer: @autoclosure () -> String, isOnly: Bool
  ) -> CalendarDate? {
    switch value {
    case .string(let text):
      if let date = CalendarDate(text) { return date }
      problems.add(
        pointer(), "'\(text.prefix(40))' is not a date",
        remedy: "write YYYY-MM-DD, a day that exists")
    case nil, .null:
      if isOnly, let defaultDate { return defaultDate }
      problems.add(
        pointer(), "the date is missing",
        remedy: isOnly ? .input(.nameTheDate) : "add \"date\" to this day")
    default:
      problems.add(pointer(), "the date is not a string", remedy: "write \"YYYY-MM-DD\"")
    }
    return nil
  }

  /// `timezone`, or the zone in a revision's `day`.
  private mutating func readZone(_ value: JSONValue, at pointer: String) -> String? {
    let outer = value["timezone"]
    let zone = outer ?? value["day"]?["timezone"] ?? .null
    var place: String { pointer + (outer == nil ? "/day/timezone" : "/timezone") }
    switch zone {
    case .null: return nil
    case .string(let name):
      if ZoneCalendar(name) != nil { return name }
      problems.add(
        place, "no time zone is named '\(name.prefix(40))'",
        remedy: "write an IANA name such as Europe/Berlin")
    default:
      problems.add(
        place, "the time zone is not a string", remedy: "write an IANA name such as Europe/Berlin")
    }
    return nil
  }

  private mutating func readMoment(
    _ value: JSONValue?, at pointer: @autoclosure () -> String
  ) -> Timestamp? {
    guard let value, value != .null else { return nil }
    if let text = value.stringValue, text.unicodeScalars.contains("T"),
      let date = ExportedDate(text), !date.isBuddhist, let moment = date.moment
    {
      return Timestamp(secondsSince1970: moment)
    }
    problems.add(
      pointer(), "not a moment with an offset", remedy: "write it as 2026-02-08T21:30:00Z")
    return nil
  }

  /// A zone can skip a date; nobody has readings of that day.
  private mutating func checkDay(_ date: CalendarDate, zone: String?, at pointer: String) {
    let zone = zone ?? zones.name(on: date)
    do {
      _ = try ReportingDay(date: date, timeZoneName: zone)
    } catch {
      problems.add(
        "\(pointer)/date", "\(date) does not exist in the time zone \(zone)",
        remedy: "correct the date or the time zone")
    }
  }
}

/// Reads the members `metrics`, `status` (or `metric_status`) and `metric_units` of one day.
struct MetricMembers {
  var problems: ProblemList
  /// The metrics that the day covers: those with a number, or with a status that says why there is
  /// none. A `null` alone takes nothing away (R19).
  private(set) var covered: Set<DailyMetric> = []
  /// Metrics whose number was already reported as wrong.
  private var faulty: Set<DailyMetric> = []

  init(problems: ProblemList) { self.problems = problems }

  /// The metrics that the day names; the others have no data.
  mutating func read(
    _ members: [String: JSONValue], at pointer: String
  ) -> [DailyMetric: MetricReading] {
    let numbers = readNumbers(members["metrics"], at: "\(pointer)/metrics")
    let statuses = readStatuses(members, at: pointer)
    let statusName = Self.statusName(members)
    readUnits(members["metric_units"], at: "\(pointer)/metric_units")
    covered = Set(numbers.lazy.filter { $0.value != nil }.map(\.key))
    covered.formUnion(statuses.keys.filter { isSaid($0, in: members) })
    // Without a status and a wrong number, nothing can contradict anything.
    if statuses.isEmpty, faulty.isEmpty {
      return numbers.mapValues { $0.map(MetricReading.value) ?? .noData }
    }
    var readings: [DailyMetric: MetricReading] = [:]
    // Most days name few of all metrics. The order is for the problems.
    let named = Set(numbers.keys).union(statuses.keys).subtracting(faulty)
    for metric in named.sorted(by: { $0.rawValue < $1.rawValue }) {
      let number = numbers[metric] ?? nil
      let status = statuses[metric]
      // Spelled only for a problem: most days have none.
      var place: String { "\(pointer)/metrics/\(metric.rawValue)" }
      switch (number, status) {
      case (let number?, nil), (let number?, .ok): readings[metric] = .value(number)
      case (nil, .ok):
        problems.add(
          "\(pointer)/\(statusName)/\(metric.rawValue)",
          "the status is 'ok', but the number is missing",
          remedy: "give the number, or the status no_data")
      case (_?, let other?):
        problems.add(
          place, "there is a number although the status is '\(other.rawValue)'",
          remedy: "remove the number, or the status")
      case (nil, let other?):
        if metric.isRequired || other == .noData {
          readings[metric] = MetricReading(reason: other)
        } else {
          problems.add(
            "\(pointer)/\(statusName)/\(metric.rawValue)",
            "only a required metric can be '\(other.rawValue)'", remedy: "leave the metric out")
        }
      case (nil, nil): readings[metric] = .noData
      }
    }
    return readings
  }

  /// Whether a status is what somebody says. A revision has one for each required metric, also for those of
  /// which no source has said anything (R20).
  private func isSaid(_ metric: DailyMetric, in members: [String: JSONValue]) -> Bool {
    members["sources"] == nil
      && members["covers"]?.arrayValue?.contains(.string(metric.rawValue)) ?? true
  }

  /// The metric that a name of another spelling means, in our own or Health Auto Export's words.
  static func meant(by name: String, exactly: Bool = false) -> String? {
    if DailyMetric.named(name) != nil { return name }
    if let metric = ExportedMetric.named(name)?.chief { return metric.rawValue }
    return exactly ? nil : Suggestion.nearest(to: name, among: keys)
  }

  private static let keys = DailyMetric.allCases.map(\.rawValue)

  private mutating func readNumbers(
    _ value: JSONValue?, at pointer: String
  ) -> [DailyMetric: Double?] {
    var numbers: [DailyMetric: Double?] = [:]
    let entries = entries(value, at: pointer, isRequired: true)
    numbers.reserveCapacity(entries.count)
    for (metric, value) in entries {
      let before = problems.count
      defer { if problems.count > before { faulty.insert(metric) } }
      var place: String { "\(pointer)/\(metric.rawValue)" }
      switch value {
      case .null: numbers[metric] = .some(nil)
      // Adding 0 turns -0 into 0.
      case .number(let number) where number >= 0 && number.isFinite: numbers[metric] = number + 0
      case .number(let number):
        problems.add(place, "\(number) is negative", remedy: "give a number of 0 or more, or null")
      case .string(let text):
        problems.add(
          place, "a string, not a number",
          remedy: isNumber(text) ? "write \(text) without quotes" : "give a number or null")
      default:
        problems.add(place, "neither a number nor null", remedy: "give a number or null")
      }
    }
    return numbers
  }

  /// True for text that would be a number without its quotes, and is short enough to repeat.
  private func isNumber(_ text: String) -> Bool {
    text.utf8.count <= 30 && text.allSatisfy { "0123456789.eE+-".contains($0) }
      && Double(text)?.isFinite == true
  }

  private mutating func readStatuses(
    _ members: [String: JSONValue], at pointer: String
  ) -> [DailyMetric: MetricStatus] {
    if members["status"] != nil, members["metric_status"] != nil {
      problems.add(
        "\(pointer)/status", "'status' and 'metric_status' are both given",
        remedy: "keep one of them")
    }
    let name = Self.statusName(members)
    var statuses: [DailyMetric: MetricStatus] = [:]
    for (metric, value) in entries(members[name], at: "\(pointer)/\(name)") {
      if value == .null { continue }
      if let word = value.stringValue, let status = MetricStatus(rawValue: word) {
        statuses[metric] = status
      } else {
        let words = MetricStatus.allCases.map(\.rawValue).joined(separator: ", ")
        problems.add(
          "\(pointer)/\(name)/\(metric.rawValue)", "unknown status",
          remedy: "give one of \(words)")
      }
    }
    return statuses
  }

  private static func statusName(_ members: [String: JSONValue]) -> String {
    members["status"] != nil ? "status" : "metric_status"
  }

  private mutating func readUnits(_ value: JSONValue?, at pointer: String) {
    for (metric, unit) in entries(value, at: pointer)
    where unit.stringValue.map({ SampleUnit(spelling: $0) != metric.unit }) ?? true {
      problems.add(
        "\(pointer)/\(metric.rawValue)",
        "the unit of \(metric.rawValue) is always '\(metric.unitLabel)'",
        remedy: "convert the number, or leave metric_units out")
    }
  }

  /// The members of an object whose names are metrics; reports the others.
  private mutating func entries(
    _ value: JSONValue?, at pointer: String, isRequired: Bool = false
  ) -> [(metric: DailyMetric, value: JSONValue)] {
    guard let members = value?.objectValue else {
      if value != nil || isRequired {
        problems.add(
          pointer, value == nil ? "'metrics' is missing" : "not an object",
          remedy: "write {\"steps\": ...}, with a member for each metric")
      }
      return []
    }
    var entries: [(metric: DailyMetric, value: JSONValue)] = []
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if let metric = DailyMetric.named(name) {
        entries.append((metric, value))
      } else {
        // Problems beyond the most that are spelt out need no remedy, and finding one takes time.
        let meant = problems.isFull ? nil : Self.meant(by: name)
        let remedy: LedgerError.Remedy =
          meant.map { "did you mean '\($0)'?" }
            ?? """
            the metrics are \(DailyMetric.required.map(\.rawValue).joined(separator: ", ")), and \
            optional ones such as weight
            """
        problems.add(
          "\(pointer)/\(String(name.prefix(64)).pointerToken)", "unknown metric",
          remedy: remedy)
      }
    }
    return entries
  }
}

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

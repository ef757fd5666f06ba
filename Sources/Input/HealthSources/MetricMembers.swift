import HealthLedger
internal import HealthModel

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
          "the status is 'ok' but there is no number",
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

import HealthLedger
import HealthModel

/// Reads a call's arguments. For the first wrong one, it says what would be right (R50).
struct ArgumentReader {
  private let arguments: [String: JSONValue]
  private let aliases: [String: String]

  /// - Parameters:
  /// - names: the names of the tool's arguments.
  /// - aliases: older spellings that are accepted, by their current names, but never mentioned.
  /// - Throws: `LedgerError` INVALID_ARGUMENTS for an argument that the tool does not have.
  init(
    _ arguments: [String: JSONValue], names: [String], aliases: [String: String] = [:]
  ) throws(LedgerError) {
    // Programs that send every argument do so for those that they leave out.
    self.arguments = arguments.filter { !$0.value.isLeftOut }
    self.aliases = aliases
    let unknown = arguments.keys.filter { !names.contains($0) && !aliases.values.contains($0) }
    guard let first = unknown.min() else { return }
    throw Self.fault(
      "unknown argument \"\(first.prefix(40))\"", "use only \(names.joined(separator: ", "))")
  }

  /// A required date.
  func day(_ name: String) throws(LedgerError) -> DayWord {
    let other = aliases[name].flatMap { arguments[$0] }
    guard let value = arguments[name] ?? other else {
      throw Self.fault("\(name) is missing", "give \(name): \(DayWord.forms)")
    }
    if let other, other != value {
      throw Self.fault(
        "\(name) is given twice, as \(Self.shown(value)) and as \(Self.shown(other))",
        "give \(name) once")
    }
    guard let day = Self.read(value, as: DayWord.init) else {
      throw Self.fault(
        "\(name) \(Self.shown(value)) is not a valid date", "use \(DayWord.forms)", rule: "R1")
    }
    return day
  }

  /// True if an optional argument is given.
  func has(_ name: String) -> Bool { arguments[name] != nil }

  /// The time zone, if it is given.
  func timeZone() throws(LedgerError) -> String? {
    guard let value = arguments["timezone"] else { return nil }
    guard let text = Self.read(value, as: { $0.hasPrefix("\"") ? nil : $0 }) else {
      throw Self.fault(
        "timezone \(Self.shown(value)) is not a time zone's name",
        "use an IANA name such as Europe/Berlin", rule: "R4")
    }
    return text
  }

  /// The given metrics, in their order; if none are given, the required ones in the order of R9.
  func metrics() throws(LedgerError) -> [DailyMetric] {
    guard let value = arguments["metrics"] else { return DailyMetric.required }
    let names = DailyMetric.required.map(\.rawValue).joined(separator: ", ")
    let remedy: LedgerError.Remedy =
      "use some of \(names), or optional ones that list_metrics names, such as weight"
    guard let elements = (value.encodedOnceMore ?? value).arrayValue, !elements.isEmpty else {
      throw Self.fault("metrics is not a list of metric names", remedy)
    }
    var wanted: [DailyMetric] = []
    for element in elements {
      guard let metric = Self.read(element, as: DailyMetric.init(rawValue:)) else {
        throw Self.fault("unknown metric \(Self.shown(element))", remedy)
      }
      guard !wanted.contains(metric) else {
        throw Self.fault("metrics names \(metric.rawValue) twice", "name each metric once")
      }
      wanted.append(metric)
    }
    return wanted
  }

  /// The given format; by default that of daily objects.
  func format() throws(LedgerError) -> RangeFormat {
    guard let value = arguments["format"] else { return .daily }
    guard let format = Self.read(value, as: RangeFormat.init(rawValue:)) else {
      let formats = RangeFormat.allCases.map(\.rawValue).joined(separator: " or ")
      throw Self.fault("unknown format \(Self.shown(value))", "use \(formats)")
    }
    return format
  }

  /// An optional yes or no; no if it is absent.
  func flag(_ name: String) throws(LedgerError) -> Bool {
    guard let value = arguments[name] else { return false }
    guard case .bool(let flag) = value.encodedOnceMore ?? value else {
      throw Self.fault("\(name) is \(Self.shown(value))", "use true or false")
    }
    return flag
  }

  /// The given length of the periods of a summary, if any.
  func period() throws(LedgerError) -> SummaryPeriod? {
    guard let value = arguments["by"] else { return nil }
    guard let period = Self.read(value, as: SummaryPeriod.init(rawValue:)) else {
      throw Self.fault("by is \(Self.shown(value))", "use week or month, or leave it out")
    }
    return period
  }

  /// What a text means; where it means nothing as it stands, what the text means that it holds as JSON.
  private static func read<Meaning>(
    _ value: JSONValue, as meaning: (String) -> Meaning?
  ) -> Meaning? {
    value.stringValue.flatMap(meaning)
      ?? value.encodedOnceMore.flatMap(\.stringValue).flatMap(meaning)
  }

  static func fault(
    _ message: String, _ remedy: LedgerError.Remedy, rule: String = "R50"
  ) -> LedgerError {
    LedgerError(.invalidArguments, message, rule: rule, remedy: remedy)
  }

  /// A value for an error, shortened.
  private static func shown(_ value: JSONValue) -> String {
    let text = String(decoding: value.canonicalBytes.prefix(200), as: UTF8.self)
    return text.count > 40 ? "\(text.prefix(40))…" : text
  }
}

/// A date as a call gives it.
enum DayWord: Hashable {
  case today
  /// So many days before today.
  case daysAgo(Int)
  case date(CalendarDate)

  static let forms = "YYYY-MM-DD, today, yesterday, or -7d for 7 days ago"
  static let pattern = "^([0-9-]{10}|today|yesterday|-[0-9]{1,4}d)$"

  init?(_ text: String) {
    switch text {
    case "today": self = .today
    case "yesterday": self = .daysAgo(1)
    default:
      let digits = text.utf8.dropFirst().dropLast()
      if text.hasPrefix("-"), text.hasSuffix("d"), (1...4).contains(digits.count),
        digits.allSatisfy({ (0x30...0x39).contains($0) }),
        let days = Int(text.dropFirst().dropLast())
      {
        self = .daysAgo(days)
        return
      }
      guard let date = CalendarDate(text) else { return nil }
      self = .date(date)
    }
  }

  /// The date, if today is `today`.
  func date(today: CalendarDate) -> CalendarDate {
    switch self {
    case .date(let date): date
    case .today: today
    case .daysAgo(let days): today.adding(days: -days) ?? today
    }
  }
}

import HealthLedger
import HealthModel
import HealthSamples

/// Reads a call's arguments, and says of the first that is wrong what would be right (R50).
struct ArgumentReader {
  private let arguments: [String: JSONValue]
  private let aliases: [String: String]

  /// - Parameters:
  ///   - names: what the tool takes.
  ///   - aliases: older spellings that are taken too, by their names, and never mentioned.
  /// - Throws: `LedgerError` INVALID_ARGUMENTS for a name that the tool does not have.
  init(
    _ arguments: [String: JSONValue], names: [String], aliases: [String: String] = [:]
  ) throws(LedgerError) {
    // Programs that fill in every argument write null for those that they leave out.
    self.arguments = arguments.filter { $0.value != .null }
    self.aliases = aliases
    let unknown = arguments.keys.filter { !names.contains($0) && !aliases.values.contains($0) }
    guard let first = unknown.min() else { return }
    throw Self.fault(
      "unknown argument \"\(first.prefix(40))\"", "use only \(names.joined(separator: ", "))")
  }

  /// A date that must be there.
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
    guard let text = value.stringValue, let day = DayWord(text) else {
      throw Self.fault(
        "\(name) \(Self.shown(value)) is not a valid date", "use \(DayWord.forms)", rule: "R1")
    }
    return day
  }

  /// The zone named, else nil.
  func timeZone() throws(LedgerError) -> String? {
    guard let value = arguments["timezone"] else { return nil }
    guard let text = value.stringValue else {
      throw Self.fault(
        "timezone \(Self.shown(value)) is not a time zone's name",
        "use an IANA name such as Europe/Berlin", rule: "R4")
    }
    return text
  }

  /// The metrics named, in their order; where none are, the eight in the order of R9.
  func metrics() throws(LedgerError) -> [DailyMetric] {
    guard let value = arguments["metrics"] else { return DailyMetric.ofV0 }
    let names = DailyMetric.ofV0.map(\.rawValue).joined(separator: ", ")
    let remedy: LedgerError.Remedy =
      "use some of \(names), or further ones of the tool's input schema, such as weight"
    guard let elements = value.arrayValue, !elements.isEmpty else {
      throw Self.fault("metrics is not a list of metric names", remedy)
    }
    var wanted: [DailyMetric] = []
    for element in elements {
      guard let metric = element.stringValue.flatMap(DailyMetric.init(rawValue:)) else {
        throw Self.fault("there is no metric \(Self.shown(element))", remedy)
      }
      guard !wanted.contains(metric) else {
        throw Self.fault("metrics names \(metric.rawValue) twice", "name each metric once")
      }
      wanted.append(metric)
    }
    return wanted
  }

  /// The format named, else that of daily objects.
  func format() throws(LedgerError) -> RangeFormat {
    guard let value = arguments["format"] else { return .daily }
    guard let format = value.stringValue.flatMap(RangeFormat.init(rawValue:)) else {
      let formats = RangeFormat.allCases.map(\.rawValue).joined(separator: " or ")
      throw Self.fault("there is no format \(Self.shown(value))", "use \(formats)")
    }
    return format
  }

  private static func fault(
    _ message: String, _ remedy: LedgerError.Remedy, rule: String = "R50"
  ) -> LedgerError {
    LedgerError(.invalidArguments, message, rule: rule, remedy: remedy)
  }

  /// A value in an error: only so much of it.
  private static func shown(_ value: JSONValue) -> String {
    let text = String(decoding: value.canonicalBytes.prefix(200), as: UTF8.self)
    return text.count > 40 ? "\(text.prefix(40))…" : text
  }
}

/// A date as a call names it.
enum DayWord: Hashable {
  case today
  case yesterday
  case date(CalendarDate)

  static let forms = "YYYY-MM-DD, today or yesterday"

  init?(_ text: String) {
    switch text {
    case "today": self = .today
    case "yesterday": self = .yesterday
    default:
      guard let date = CalendarDate(text) else { return nil }
      self = .date(date)
    }
  }

  /// The date meant where the date is `today`.
  func date(today: CalendarDate) -> CalendarDate {
    switch self {
    case .date(let date): date
    case .today: today
    case .yesterday: today.adding(days: -1) ?? today
    }
  }
}

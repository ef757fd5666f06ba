import HealthLedger
import HealthModel

/// Reads a call's arguments, and says of the first that is wrong what would be right (R50).
struct ArgumentReader {
  private let arguments: [String: JSONValue]

  /// - Throws: `LedgerError` INVALID_ARGUMENTS for a name that the tool does not have.
  init(_ arguments: [String: JSONValue], names: [String]) throws(LedgerError) {
    self.arguments = arguments
    let unknown = arguments.keys.filter { !names.contains($0) }.min()
    guard let unknown else { return }
    throw Self.fault(
      "there is no argument \"\(unknown.prefix(40))\"",
      "use only \(names.joined(separator: ", "))")
  }

  /// A date that must be there.
  func day(_ name: String) throws(LedgerError) -> DayWord {
    guard let value = arguments[name] else {
      throw Self.fault("\(name) is missing", "give \(name): \(DayWord.forms)")
    }
    guard let text = value.stringValue, let day = DayWord(text) else {
      throw Self.fault(
        "\(name) is \(Self.shown(value)), which is no date", "use \(DayWord.forms)", rule: "R1")
    }
    return day
  }

  /// The zone named, else nil.
  func timeZone() throws(LedgerError) -> String? {
    guard let value = arguments["timezone"] else { return nil }
    guard let text = value.stringValue else {
      throw Self.fault(
        "timezone is \(Self.shown(value)), which is no name",
        "use an IANA name such as Europe/Berlin", rule: "R4")
    }
    return text
  }

  /// The metrics named, in the order of R9; all where none are.
  func metrics() throws(LedgerError) -> [Metric] {
    guard let value = arguments["metrics"] else { return Metric.allCases }
    let names = Metric.allCases.map(\.rawValue).joined(separator: ", ")
    guard let elements = value.arrayValue, !elements.isEmpty else {
      throw Self.fault("metrics is no list of names", "use some of \(names)")
    }
    var wanted: Set<Metric> = []
    for element in elements {
      guard let metric = element.stringValue.flatMap(Metric.init(rawValue:)) else {
        throw Self.fault("there is no metric \(Self.shown(element))", "use some of \(names)")
      }
      guard wanted.insert(metric).inserted else {
        throw Self.fault("metrics names \(metric.rawValue) twice", "name each metric once")
      }
    }
    return Metric.allCases.filter(wanted.contains)
  }

  private static func fault(
    _ message: String, _ remedy: String, rule: String = "R50"
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

  static let forms = "YYYY-MM-DD of a day that the calendar has, today or yesterday"

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

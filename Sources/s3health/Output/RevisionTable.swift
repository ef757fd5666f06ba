import HealthLedger
import HealthModel

/// One revision for people: its eight metrics, or why one has no number.
struct RevisionTable {
  let revision: DailyRevision
  let id: RevisionID

  func lines(_ terminal: Terminal) -> [String] {
    let heading = "\(revision.date)  \(revision.day.timeZoneName)  revision \(id)"
    return [terminal.styled(heading, .strong)]
      + Metric.allCases.map { metric in
        let name = "  " + metric.label.padded(to: 24)
        switch revision.readings[metric] ?? .noData {
        case .value(let number):
          return name + Self.text(number).leftPadded(to: 10) + " " + metric.unit
        case let reading:
          return name + terminal.styled("-".leftPadded(to: 10) + " (\(reading.reason))", .faint)
        }
      }
  }

  /// Up to three decimals, without trailing zeros, and thousands parted.
  static func text(_ number: Double) -> String {
    guard abs(number) < 1e12 else { return "\(number)" }
    let thousandths = (number * 1000).rounded()
    var digits = String(Int(abs(thousandths)))
    digits = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    var whole = String(digits.dropLast(3))
    var fraction = String(digits.suffix(3))
    while fraction.hasSuffix("0") { fraction.removeLast() }
    var grouped = ""
    while whole.count > 3 {
      grouped = "," + whole.suffix(3) + grouped
      whole.removeLast(3)
    }
    let sign = thousandths < 0 ? "-" : ""
    return sign + whole + grouped + (fraction.isEmpty ? "" : "." + fraction)
  }
}

extension Metric {
  /// The metric's name for people.
  var label: String {
    switch self {
    case .steps: "steps"
    case .activeEnergy: "active energy"
    case .exerciseMinutes: "exercise"
    case .standHours: "stand hours"
    case .restingHeartRate: "resting heart rate"
    case .heartRateVariability: "heart rate variability"
    case .sleepAsleep: "asleep"
    case .sleepInBed: "in bed"
    }
  }
}

extension MetricReading {
  /// Why there is no number, for people.
  var reason: String {
    switch self {
    case .value: "ok"
    case .noData: "no data"
    case .unauthorized: "not authorised"
    case .unsupported: "not supported"
    }
  }
}

extension String {
  /// The text with blanks before it up to `width` characters.
  func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

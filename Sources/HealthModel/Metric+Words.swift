import HealthSamples

extension Metric {
  /// The metric's name for people.
  package var label: String { daily.label }
}

extension MetricReading {
  /// Why there is no number, for people.
  package var reason: String {
    switch self {
    case .value: "ok"
    case .noData: "no data"
    case .unauthorized: "not authorised"
    case .unsupported: "not supported"
    }
  }
}

extension Double {
  /// Up to three decimals, without trailing zeros, and thousands parted.
  package var grouped: String {
    guard abs(self) < 1e12 else { return description }
    let thousandths = (self * 1000).rounded()
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

public import HealthModel

/// How a dashboard writes numbers and times of day (R58).
///
/// The strings of `enUS` are fixed: `8,537`, `5.2 km`, `387 kcal`,
/// `3:42 PM`. A phone makes one of its own locale's separators.
public struct DashboardFormat: Hashable, Sendable {
  /// Between thousands, such as `,`; empty for none.
  public var groupingSeparator: String
  /// Before the first decimal, such as `.`.
  public var decimalSeparator: String
  /// Whether a time of day is `15:42` and not `3:42 PM`.
  public var has24Hours: Bool

  /// A way of writing numbers and times.
  public init(
    groupingSeparator: String = ",", decimalSeparator: String = ".", has24Hours: Bool = false
  ) {
    self.groupingSeparator = groupingSeparator
    self.decimalSeparator = decimalSeparator
    self.has24Hours = has24Hours
  }

  /// As in the United States.
  public static let enUS = DashboardFormat()

  /// A whole number, such as `8,537`.
  public func count(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place).isMultiple(of: 3) { text += groupingSeparator }
      text.append(digit)
    }
    return text
  }

  /// A number with so many decimals, such as `5.2`. Halves are rounded away from zero.
  ///
  /// Numbers beyond 9e15, and what is not a number, are written as Swift writes them.
  public func decimal(_ number: Double, places: Int) -> String {
    var scale = 1.0
    for _ in 0..<max(0, places) { scale *= 10 }
    let scaled = (number * scale).rounded()
    guard scaled.isFinite, scaled.magnitude < 9e15 else { return "\(number)" }
    let size = Int(scaled.magnitude)
    let whole = count(size / Int(scale))
    let sign = scaled < 0 ? "-" : ""
    guard places > 0 else { return sign + whole }
    let digits = String(size % Int(scale))
    let zeros = String(repeating: "0", count: places - digits.count)
    return sign + whole + decimalSeparator + zeros + digits
  }

  /// A distance in kilometres, such as `5.2 km`.
  public func kilometres(_ kilometres: Double) -> String { decimal(kilometres, places: 1) + " km" }

  /// An energy in kilocalories, such as `387 kcal`.
  public func kilocalories(_ kilocalories: Double) -> String {
    decimal(kilocalories, places: 0) + " kcal"
  }

  /// The time of day that clocks of a zone show, such as `3:42 PM`.
  ///
  /// - Throws: `ReportingDay.Failure.unknownTimeZone`.
  public func time(
    _ moment: Timestamp, timeZoneName: String
  ) throws(ReportingDay.Failure) -> String {
    let offset = try ReportingDay.offsetSeconds(at: moment, timeZoneName: timeZoneName)
    let day = 86_400
    let second = ((moment.secondsSince1970 + offset) % day + day) % day
    let (hour, minute) = (second / 3600, second / 60 % 60)
    let minutes = (minute < 10 ? "0" : "") + String(minute)
    if has24Hours { return (hour < 10 ? "0" : "") + "\(hour):\(minutes)" }
    return "\((hour + 11) % 12 + 1):\(minutes) \(hour < 12 ? "AM" : "PM")"
  }
}

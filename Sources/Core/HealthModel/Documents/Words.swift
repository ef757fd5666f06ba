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

extension DailyMetric {
  /// Whether people read its number as hours and minutes: the parts of a night.
  package var isOfNight: Bool { if case .night = aggregation { true } else { false } }
}

extension Double {
  /// Minutes as people read them: `7 h 12 min`.
  package var asDuration: String {
    guard abs(self) < 1e9 else { return "\(grouped) min" }
    let all = Int(abs(self).rounded())
    let sign = self < 0 && all > 0 ? "−" : ""
    let (hours, rest) = all.quotientAndRemainder(dividingBy: 60)
    if hours == 0 { return "\(sign)\(rest) min" }
    return sign + "\(hours.grouped) h" + (rest > 0 ? " \(rest) min" : "")
  }

  /// At most one decimal, without a trailing zero, and commas between thousands.
  package var groupedToTenths: String {
    // Ten times the greatest numbers is infinite, and a number of this size has no tenths.
    abs(self) < 1e16 ? ((self * 10).rounded() / 10).grouped : grouped
  }

  /// Up to three decimals, without trailing zeros, and commas between thousands.
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

extension Int {
  /// With commas between thousands.
  package var grouped: String {
    let digits = String(magnitude)
    var left = digits.utf8.count
    var text = self < 0 ? "-" : ""
    for digit in digits {
      if left % 3 == 0, left < digits.utf8.count { text.append(",") }
      text.append(digit)
      left -= 1
    }
    return text
  }

  /// A size for people, in decimal units of three digits.
  package var inBytes: String {
    let units = ["B", "kB", "MB", "GB", "TB"]
    var (value, index) = (Double(self), 0)
    while value >= 999.5, index < units.count - 1 {
      value /= 1000
      index += 1
    }
    let hundredths = value < 9.995 && index > 0 ? 100.0 : value < 99.95 && index > 0 ? 10.0 : 1.0
    let rounded = (value * hundredths).rounded() / hundredths
    return "\(rounded.grouped) \(units[index])"
  }
}

extension String {
  /// The text with some of its characters spelled out as `\u{202e}`, so that they are seen and not
  /// obeyed.
  package func spellingOut(_ isSpelledOut: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: isSpelledOut) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if isSpelledOut(scalar) {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The text as messages show it: bounded, so that a hostile document can't flood a log.
  var quoted: String {
    "\"" + prefix(80) + (dropFirst(80).isEmpty ? "\"" : "…\"")
  }
}

extension Int {
  /// With commas between thousands.
  package var grouped: String {
    var text = ""
    for (place, digit) in String(self).reversed().enumerated() {
      if place > 0, place % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
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

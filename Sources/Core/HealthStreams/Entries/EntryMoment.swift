import HealthModel

/// A moment of an entry, to the millisecond, in UTC (R44).
struct EntryMoment: Hashable {
  /// Milliseconds since 1970.
  let milliseconds: Int

  /// Parses `YYYY-MM-DDTHH:MM:SS`, optional fractional seconds, and `Z` or an offset. Digits beyond
  /// milliseconds are cut.
  init?(_ text: String) {
    var bytes = Array(text.utf8)
    guard (20...64).contains(bytes.count) else { return nil }
    var fraction = 0
    if bytes[19] == UInt8(ascii: ".") {
      let digits = bytes[20...].prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      for place in 0..<3 {
        let index = digits.startIndex + place
        fraction = fraction * 10 + (index < digits.endIndex ? Int(digits[index] - 0x30) : 0)
      }
      bytes.removeSubrange(19..<digits.endIndex)
    }
    guard let moment = ReportingDay.LocalMoment(String(decoding: bytes, as: UTF8.self)) else {
      return nil
    }
    // In UTC it must still lie in a year of four digits.
    guard Self.years.contains(moment.timestamp) else { return nil }
    milliseconds = moment.timestamp.secondsSince1970 * 1000 + fraction
  }

  /// The moment of so many milliseconds since 1970.
  init(milliseconds: Int) { self.milliseconds = milliseconds }

  /// The milliseconds of `YYYY-MM-DDTHH:MM:SSZ`, with or without a fraction, and where the text ends
  /// that begins at a place; nil for any other form.
  static func usual(
    _ bytes: Span<UInt8>, from start: Int, to limit: Int
  ) -> (milliseconds: Int, end: Int)? {
    guard start + 20 <= limit, bytes[start + 4] == UInt8(ascii: "-"),
      bytes[start + 7] == UInt8(ascii: "-"), bytes[start + 10] == UInt8(ascii: "T"),
      bytes[start + 13] == UInt8(ascii: ":"), bytes[start + 16] == UInt8(ascii: ":")
    else { return nil }
    var isNumber = true
    func number(_ offset: Int, _ count: Int) -> Int {
      var value = 0
      for place in (start + offset)..<(start + offset + count) {
        let digit = bytes[place] &- 0x30
        if digit > 9 { isNumber = false }
        value = value * 10 + Int(digit)
      }
      return value
    }
    let date = CalendarDate(year: number(0, 4), month: number(5, 2), day: number(8, 2))
    let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
    var (end, fraction) = (start + 19, 0)
    if bytes[end] == UInt8(ascii: ".") {
      end += 1
      var scale = 100
      while end < limit, case let digit = bytes[end] &- 0x30, digit < 10 {
        fraction += Int(digit) * scale
        (end, scale) = (end + 1, scale / 10)
      }
      guard end > start + 20 else { return nil }
    }
    guard end < limit, end - start < 64, bytes[end] == UInt8(ascii: "Z"), isNumber, let date,
      hour < 24, minute < 60, second < 60
    else { return nil }
    let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
    return (seconds * 1000 + fraction, end + 1)
  }

  private static let years =
    Timestamp(secondsSince1970: -62_135_596_800)...Timestamp(secondsSince1970: 253_402_300_799)

  /// The whole second in which the moment lies.
  var timestamp: Timestamp {
    Timestamp(secondsSince1970: milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0))
  }

  /// `YYYY-MM-DDTHH:MM:SS.sssZ`.
  var text: String {
    let rest = milliseconds - timestamp.secondsSince1970 * 1000
    let digits = String(rest)
    let padded = String(repeating: "0", count: 3 - digits.utf8.count) + digits
    return timestamp.description.dropLast() + "." + padded + "Z"
  }
}

/// Rounds the values of samples before they are queued (R44): more digits than a sensor has say
/// nothing and compress badly.
enum ValueNormalisation {
  /// The value as it is queued. Types and units without a rule stay as they are.
  static func normalised(_ value: Double, unit: String, type: String) -> Double {
    guard let digits = fractionDigits(unit: unit, type: type) else { return value }
    return rounded(value, to: digits)
  }

  /// The value rounded to decimal places, halves away from zero.
  ///
  /// A number that would become 0 keeps its digits, because a sample of 0 gives its time to other
  /// sources (R18).
  ///
  /// What is rounded is the shortest decimal text that reads back as the value, because that is what
  /// a person sees: 2.675 gives 2.68, though the double nearest to it is a little less.
  static func rounded(_ value: Double, to digits: Int) -> Double {
    // From 2^53 on a double has no fraction; and below 0.001, its text has an exponent.
    guard value.magnitude >= 0.001, value.magnitude < 9_007_199_254_740_992 else { return value }
    let parts = value.magnitude.description.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let whole = Int(parts[0]) else { return value }
    let fraction = parts[1].utf8.map { Int($0) - 0x30 }
    guard fraction.count > digits else { return value }
    var (scaled, scale) = (whole, 1)
    for digit in fraction.prefix(digits) {
      scaled = scaled * 10 + digit
      scale *= 10
    }
    if fraction[digits] >= 5 { scaled += 1 }
    guard scaled != 0 else { return value }
    let result = Double(scaled) / Double(scale)
    return value < 0 ? -result : result
  }

  /// How many digits the type keeps in this unit; nil for all.
  static func fractionDigits(unit: String, type: String) -> Int? {
    switch (type, unit) {
    case (HealthKitSampling.heartRate, "bpm"), (HealthKitSampling.heartRate, "count/min"),
      (HealthKitSampling.restingHeartRate, "bpm"),
      (HealthKitSampling.restingHeartRate, "count/min"), (HealthKitSampling.stepCount, "count"):
      0
    case (HealthKitSampling.activeEnergy, "kcal"), (HealthKitSampling.activeEnergy, "Cal"),
      (HealthKitSampling.heartRateVariability, "ms"):
      1
    case (HealthKitSampling.distance, "m"): 2
    default: nil
    }
  }
}

/// The form of a UUID as text.
enum UUIDText {
  /// The UUID in lower case; nil if the text is not one.
  static func lowercased(_ text: String) -> String? {
    let lower = text.lowercased()
    guard lower.utf8.count == 36 else { return nil }
    for (place, byte) in lower.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "-"): guard [8, 13, 18, 23].contains(place) else { return nil }
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"):
        guard ![8, 13, 18, 23].contains(place) else { return nil }
      default: return nil
      }
    }
    return lower
  }

  /// The UUID of a number, in lower case.
  static func text(_ value: UInt128) -> String {
    var text: [UInt8] = []
    for place in 0..<32 {
      if [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
      let digit = UInt8(truncatingIfNeeded: value >> (124 - 4 * UInt128(place))) & 15
      text.append(digit + (digit < 10 ? 0x30 : 0x61 - 10))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The number that a UUID of ASCII in any case spells; nil if the bytes are not one.
  static func value(_ text: Span<UInt8>) -> UInt128? {
    guard text.count == 36, [8, 13, 18, 23].allSatisfy({ text[$0] == UInt8(ascii: "-") }) else {
      return nil
    }
    var digits = UInt8(0)
    func number(_ places: Range<Int>) -> UInt64 {
      var value = UInt64(0)
      for place in places {
        // The digits are random, so the processor could not predict branches.
        let (number, letter) = (
          text[place] &- UInt8(ascii: "0"), (text[place] | 0x20) &- UInt8(ascii: "a")
        )
        let digit = number < 10 ? number : letter < 6 ? letter &+ 10 : 0xFF
        digits |= digit
        value = value << 4 | UInt64(digit & 15)
      }
      return value
    }
    let high = number(0..<8) << 32 | number(9..<13) << 16 | number(14..<18)
    let low = number(19..<23) << 48 | number(24..<36)
    return digits < 16 ? UInt128(high) << 64 | UInt128(low) : nil
  }
}

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

internal import HealthModel

/// Reads the dates of exports: `2024-06-15 20:30:00 +0200`, and iOS 8's `20150616071916-0700`.
///
/// Exact in the proleptic Gregorian calendar for the years 1 to 9999; what is not a date, such as
/// 30 February or 24:00, is refused. Successive records mostly share their day and offset, so both
/// are remembered.
struct DateReading {
  /// The eight digits of a day as `spaced` gathers them, here those of 1970-01-01.
  private var dayDigits: UInt64 = 0x3130_3130_3037_3931
  private var daySeconds: Int64 = 0
  /// The five bytes of an offset, here `+0000`.
  private var offsetDigits: UInt64 = 0x30_3030_302B
  private var offsetSeconds: Int64 = 0

  /// Seconds that the last date read is ahead of UTC.
  var offset: Int64 { offsetSeconds }

  /// Seconds since 1970; nil if the text is not a date.
  @inline(__always)
  mutating func seconds(_ text: RawText) -> Int64? {
    guard let start = text.start else { return nil }
    return switch text.count {
    case 25: spaced(start)
    case 19: compact(start)
    default: nil
    }
  }

  /// The date that a text begins with whose time can't be read: seconds from 1970 to its midnight, had it no
  /// offset.
  func day(_ text: RawText) -> Int64? {
    guard let start = text.start, text.count >= 10, start[4] == dash, start[7] == dash else {
      return nil
    }
    return day(year: start, month: start + 5, day: start + 8)
  }

  @inline(__always)
  private mutating func spaced(_ start: Place) -> Int64? {
    guard
      start[4] == dash, start[7] == dash, start[10] == space, start[13] == colon,
      start[16] == colon, start[19] == space
    else { return nil }
    // "YYYY-MM-" without its dashes leaves room for "DD".
    let head = ByteSearch.word(at: start)
    let digits =
      head & 0x00FF_FF00_FFFF_FFFF | UInt64(start[8]) << 32 | UInt64(start[9]) << 56
    if digits != dayDigits {
      guard let seconds = day(year: start, month: start + 5, day: start + 8) else { return nil }
      (dayDigits, daySeconds) = (digits, seconds)
    }
    return time(
      daySeconds, hour: start + 11, minute: start + 14, second: start + 17, offset: start + 20)
  }

  private mutating func compact(_ start: Place) -> Int64? {
    guard let seconds = day(year: start, month: start + 4, day: start + 6) else { return nil }
    return time(
      seconds, hour: start + 8, minute: start + 10, second: start + 12, offset: start + 14)
  }

  private func day(year: Place, month: Place, day: Place) -> Int64? {
    guard let century = pair(year), let rest = pair(year + 2), let month = pair(month),
      let day = pair(day),
      let date = CalendarDate(
        year: Int(century * 100 + rest), month: Int(month), day: Int(day))
    else { return nil }
    return Int64(date.daysSince1970) * 86_400
  }

  @inline(__always)
  private mutating func time(
    _ day: Int64, hour: Place, minute: Place, second: Place, offset: Place
  ) -> Int64? {
    guard let hour = pair(hour), let minute = pair(minute), let second = pair(second),
      hour < 24, minute < 60, second < 60, let shift = shift(offset)
    else { return nil }
    return day + hour * 3600 + minute * 60 + second - shift
  }

  /// Seconds that `+HHMM` is ahead of UTC.
  @inline(__always)
  private mutating func shift(_ place: Place) -> Int64? {
    let digits =
      UInt64(place[0]) | UInt64(place[1]) << 8 | UInt64(place[2]) << 16 | UInt64(place[3]) << 24
      | UInt64(place[4]) << 32
    if digits == offsetDigits { return offsetSeconds }
    guard place[0] == UInt8(ascii: "+") || place[0] == dash, let hours = pair(place + 1),
      let minutes = pair(place + 3), hours < 24, minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    (offsetDigits, offsetSeconds) = (digits, place[0] == dash ? -seconds : seconds)
    return offsetSeconds
  }

  /// Two digits as a number.
  @inline(__always)
  private func pair(_ place: Place) -> Int64? {
    let (tens, ones) = (place[0] &- 0x30, place[1] &- 0x30)
    return tens <= 9 && ones <= 9 ? Int64(tens) * 10 + Int64(ones) : nil
  }

  private var dash: UInt8 { UInt8(ascii: "-") }
  private var colon: UInt8 { UInt8(ascii: ":") }
  private var space: UInt8 { UInt8(ascii: " ") }
}

/// Reads decimal numbers as the nearest double.
enum DecimalReading {
  /// The number that `[+-]digits[.digits][e[+-]digits]` says, correctly rounded.
  ///
  /// Nil for anything else: blanks, a decimal comma, `nan`, hexadecimal digits, what no finite
  /// double is near to.
  @inline(__always)
  static func number(_ text: RawText) -> Double? {
    guard let start = text.start, text.count > 0 else { return nil }
    let end = start + text.count
    var place = start
    let isNegative = place.pointee == UInt8(ascii: "-")
    if isNegative || place.pointee == UInt8(ascii: "+") { place += 1 }
    var mantissa: UInt64 = 0
    let integer = place
    while place < end, let digit = digit(place) {
      mantissa = mantissa &* 10 &+ digit
      place += 1
    }
    var digits = place - integer
    var fraction = 0
    if place < end, place.pointee == UInt8(ascii: ".") {
      place += 1
      let from = place
      while place < end, let digit = digit(place) {
        mantissa = mantissa &* 10 &+ digit
        place += 1
      }
      fraction = place - from
      digits += fraction
    }
    guard digits > 0 else { return nil }
    // A mantissa and a power of ten that are exact give the nearest double in one division.
    guard place == end, digits <= 19, mantissa <= 1 << 53, fraction <= 22 else {
      return slowly(text, after: place)
    }
    let magnitude = Double(mantissa) / powersOfTen[fraction]
    return isNegative ? -magnitude : magnitude
  }

  /// The same by the standard library, whose reading is correctly rounded in every case.
  private static func slowly(_ text: RawText, after digits: Place) -> Double? {
    guard let start = text.start, text.count <= longest else { return nil }
    let end = start + text.count
    var place = digits
    if place < end {
      guard place.pointee | 0x20 == UInt8(ascii: "e") else { return nil }
      place += 1
      if place < end, place.pointee == UInt8(ascii: "-") || place.pointee == UInt8(ascii: "+") {
        place += 1
      }
      guard place < end else { return nil }
      while place < end {
        guard digit(place) != nil else { return nil }
        place += 1
      }
    }
    guard let number = Double(String(decoding: text.bytes, as: UTF8.self)), number.isFinite else {
      return nil
    }
    return number
  }

  /// No program writes a number of more bytes.
  private static var longest: Int { 4096 }

  @inline(__always)
  private static func digit(_ place: Place) -> UInt64? {
    let digit = place.pointee &- 0x30
    return digit <= 9 ? UInt64(digit) : nil
  }

  /// The powers of ten that a double holds exactly.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

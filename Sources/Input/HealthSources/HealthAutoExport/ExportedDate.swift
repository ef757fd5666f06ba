internal import HealthModel

/// A date as Health Auto Export writes it, with the phone's UTC offset at the time of the export.
///
/// Forms: `2024-06-10 08:00:00 +0200`; with the 12-hour clock `2024-06-10 8:00:00 am +0200`, in
/// either case and with U+202F, U+00A0 or a blank before am and pm; ISO 8601 with `T`, fractional
/// seconds (dropped), `+02:00` and `Z`; a date alone. Years 1900 to 2199.
struct ExportedDate {
  /// The date as written, whatever the zone.
  let date: CalendarDate
  /// Seconds after midnight as written.
  let secondsOfDay: Int
  /// Seconds since 1970; nil for a date alone.
  let moment: Int?
  /// Seconds east of UTC; nil for a date alone.
  let offset: Int?
  /// Whether it ends in `Z`: then the offset does not show the zone in which it was written.
  let isUTC: Bool

  /// The years that are taken.
  static let years = 1900...2199

  /// Whether a text begins with a date of a year that is not taken.
  static func isBeyondYears(_ text: String) -> Bool {
    CalendarDate(String(decoding: text.utf8.prefix(10), as: UTF8.self))
      .map { !years.contains($0.year) } ?? false
  }

  /// Nil for any other form, a date that does not exist, or a time without an offset.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    guard rest.count <= 48, rest.count >= 10,
      let date = CalendarDate(String(decoding: rest.prefix(10), as: UTF8.self)),
      Self.years.contains(date.year)
    else { return nil }
    rest = rest.dropFirst(10)
    self.date = date
    if rest.isEmpty {
      (secondsOfDay, moment, offset, isUTC) = (0, nil, nil, false)
      return
    }
    guard Self.skipBlanks(&rest) || Self.take(UInt8(ascii: "T"), &rest),
      let clock = Self.clock(&rest), let offset = Self.offset(&rest), rest.isEmpty
    else { return nil }
    secondsOfDay = clock
    isUTC = text.utf8.last == UInt8(ascii: "Z")
    self.offset = offset
    moment = date.daysSince1970 * 86_400 + clock - offset
  }

  /// Notes its offset. One in UTC (`Z`) does not show the zone in which it was written.
  func note(in offsets: inout WrittenOffsets) {
    guard let moment, let offset, !isUTC else { return }
    offsets.note(offset, at: moment)
  }

  /// The whole clock, am and pm included, in seconds after midnight.
  private static func clock(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard var hour = number(&rest, digits: 1...2), take(UInt8(ascii: ":"), &rest),
      let minute = number(&rest, digits: 2...2), minute < 60
    else { return nil }
    var second = 0
    if take(UInt8(ascii: ":"), &rest) {
      guard let given = number(&rest, digits: 2...2), given < 60 else { return nil }
      second = given
      if take(UInt8(ascii: "."), &rest) {
        guard number(&rest, digits: 1...9) != nil else { return nil }
      }
    }
    skipBlanks(&rest)
    if let isAfternoon = meridiem(&rest) {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
      skipBlanks(&rest)
    }
    return hour < 24 ? hour * 3600 + minute * 60 + second : nil
  }

  /// True for pm, false for am, nil where neither stands; `a.m.` and `p. m.` are taken too.
  private static func meridiem(_ rest: inout ArraySlice<UInt8>) -> Bool? {
    guard let letter = rest.first.map({ $0 | 0x20 }),
      letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p")
    else { return nil }
    rest = rest.dropFirst()
    _ = take(UInt8(ascii: "."), &rest)
    skipBlanks(&rest)
    guard take(UInt8(ascii: "m"), &rest) || take(UInt8(ascii: "M"), &rest) else { return nil }
    _ = take(UInt8(ascii: "."), &rest)
    return letter == UInt8(ascii: "p")
  }

  /// `+HHMM`, `+HH:MM` or `Z`, in seconds.
  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
    if take(UInt8(ascii: "Z"), &rest) { return 0 }
    let isWest = take(UInt8(ascii: "-"), &rest)
    guard isWest || take(UInt8(ascii: "+"), &rest), let hour = number(&rest, digits: 2...2) else {
      return nil
    }
    _ = take(UInt8(ascii: ":"), &rest)
    guard let minute = number(&rest, digits: 2...2), hour <= 18, minute < 60 else { return nil }
    return (hour * 3600 + minute * 60) * (isWest ? -1 : 1)
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
    var value = 0
    var count = 0
    while count < digits.upperBound, let byte = rest.first,
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    {
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      count += 1
      rest = rest.dropFirst()
    }
    return count >= digits.lowerBound ? value : nil
  }

  private static func take(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == byte else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Blanks, no-break spaces (U+00A0) and narrow ones (U+202F); true if there was any.
  @discardableResult
  private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) -> Bool {
    let before = rest.count
    while true {
      if rest.first == 0x20 {
        rest = rest.dropFirst()
      } else if rest.starts(with: [0xE2, 0x80, 0xAF]) {
        rest = rest.dropFirst(3)
      } else if rest.starts(with: [0xC2, 0xA0]) {
        rest = rest.dropFirst(2)
      } else {
        return rest.count < before
      }
    }
  }
}

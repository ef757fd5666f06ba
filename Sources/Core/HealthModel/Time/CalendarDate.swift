import ContentDigests

/// A date of the proleptic Gregorian calendar, without time or zone (SPEC R1).
///
/// Years 0001 to 9999. Ordered by age. Arithmetic is on whole days and never looks at a clock.
public struct CalendarDate: Hashable, Comparable, Sendable {
  /// 1 to 9999.
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to the length of the month.
  public let day: Int

  /// The date with these parts, or nil where the calendar has no such date.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.length(ofMonth: month, year: year)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Parses exactly `YYYY-MM-DD` (ASCII digits); nil for anything else.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = Digits.value(bytes[0..<4]), let month = Digits.value(bytes[5..<7]),
      let day = Digits.value(bytes[8..<10])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The date `days` after 1970-01-01 (negative: before), or nil outside the years 0001 to 9999.
  public init?(daysSince1970 days: Int) {
    guard (-719_162...2_932_896).contains(days) else { return nil }
    let (year, month, day) = CivilCalendar.date(daysSince1970: days)
    self.init(year: year, month: month, day: day)
  }

  /// Whole days since 1970-01-01; negative before it.
  public var daysSince1970: Int {
    CivilCalendar.daysSince1970(year: year, month: month, day: day)
  }

  /// The date `days` later (negative: earlier), or nil outside the years 0001 to 9999.
  public func adding(days: Int) -> CalendarDate? {
    CalendarDate(daysSince1970: daysSince1970 + days)
  }

  /// Whether the date has begun somewhere at a moment: its midnight at UTC+14, the zone that is
  /// furthest ahead, is not later. One that has not is still to come wherever a person may be.
  public func hasBegun(at moment: Timestamp) -> Bool {
    daysSince1970 * 86_400 - 14 * 3600 <= moment.secondsSince1970
  }

  /// Whether nobody who lives has data of the date: it is a mistyped one, or a wrong clock's.
  public var isBeforeLivingMemory: Bool { year < 1900 }

  /// Days from this date to `other`; negative if `other` is older.
  public func days(until other: CalendarDate) -> Int {
    other.daysSince1970 - daysSince1970
  }

  /// The older date is the lesser.
  public static func < (a: CalendarDate, b: CalendarDate) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension CalendarDate: CustomStringConvertible {
  /// `YYYY-MM-DD`.
  public var description: String { parts(joinedBy: "-") }

  /// Year, month and day in four, two and two digits, with a separator between them.
  package func parts(joinedBy separator: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(10)
    append(joinedBy: separator, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes year, month and day in four, two and two digits, with a separator between them.
  func append(joinedBy separator: String, to bytes: inout [UInt8]) {
    Digits.append(year, width: 4, to: &bytes)
    bytes.append(contentsOf: separator.utf8)
    Digits.append(month, width: 2, to: &bytes)
    bytes.append(contentsOf: separator.utf8)
    Digits.append(day, width: 2, to: &bytes)
  }
}

/// Dates in runs of neighbours: how a person reads thousands of them.
package struct DateRuns: Hashable, Sendable {
  /// Dates that follow one another.
  package struct Run: Hashable, Sendable {
    package let first: CalendarDate
    package fileprivate(set) var last: CalendarDate

    /// How many dates.
    package var count: Int { first.days(until: last) + 1 }
  }

  /// Oldest first.
  package private(set) var runs: [Run] = []

  package init() {}

  /// The runs of dates in ascending order.
  package init(_ dates: some Sequence<CalendarDate>) {
    for date in dates { add(date) }
  }

  /// Adds a date that is not older than the last one.
  package mutating func add(_ date: CalendarDate) {
    if let run = runs.last, (0...1).contains(run.last.days(until: date)) {
      runs[runs.count - 1].last = date
    } else {
      runs.append(Run(first: date, last: date))
    }
  }
}

/// Fixed-width decimal digits, as dates and revision ids spell them.
enum Digits {
  /// The value of ASCII digits; nil if empty or if any byte is another character.
  static func value(_ bytes: some Collection<UInt8>) -> Int? {
    guard !bytes.isEmpty, bytes.count <= 18 else { return nil }
    var value = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// Writes a value of 0 or more in decimal, with zeros before it up to `width` characters.
  static func append(_ value: Int, width: Int, to bytes: inout [UInt8]) {
    if value >= 100 || width > 2 {
      append(value / 100, width: width - 2, to: &bytes)
    }
    if value >= 10 || width > 1 { bytes.append(UInt8(ascii: "0") + UInt8(value / 10 % 10)) }
    bytes.append(UInt8(ascii: "0") + UInt8(value % 10))
  }

  /// Writes a time of day as `HH`, `MM` and `SS` with a separator between them.
  static func append(
    secondsSinceMidnight seconds: Int, joinedBy separator: String, to bytes: inout [UInt8]
  ) {
    append(seconds / 3600, width: 2, to: &bytes)
    bytes.append(contentsOf: separator.utf8)
    append(seconds / 60 % 60, width: 2, to: &bytes)
    bytes.append(contentsOf: separator.utf8)
    append(seconds % 60, width: 2, to: &bytes)
  }
}

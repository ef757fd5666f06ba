/// A moment in whole seconds since 1970-01-01T00:00:00Z, leap seconds not counted (SPEC R2).
///
/// The only time that ids, pointers and `generated_at` know. Ordered by age.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  public let secondsSince1970: Int

  /// The moment this many seconds after 1970-01-01T00:00:00Z.
  public init(secondsSince1970: Int) {
    self.secondsSince1970 = secondsSince1970
  }

  /// Parses `YYYY-MM-DDTHH:MM:SSZ`, with optional fractional seconds, which are dropped.
  ///
  /// Nil for another form, an offset other than `Z`, a date that does not exist, or a leap second.
  public init?(_ text: some StringProtocol) {
    var bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 30, bytes.removeLast() == UInt8(ascii: "Z") else {
      return nil
    }
    if bytes.count > 19 {
      guard bytes[19] == UInt8(ascii: "."), Digits.value(bytes[20...]) != nil else { return nil }
    }
    guard bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"),
      let date = CalendarDate(String(decoding: bytes[0..<10], as: UTF8.self)),
      let clock = Self.clock(bytes[11..<13], bytes[14..<16], bytes[17..<19])
    else { return nil }
    self.init(secondsSince1970: date.daysSince1970 * 86_400 + clock)
  }

  /// The moment `seconds` later; negative: earlier.
  public func adding(seconds: Int) -> Timestamp {
    Timestamp(secondsSince1970: secondsSince1970 + seconds)
  }

  /// The earlier moment is the lesser.
  public static func < (a: Timestamp, b: Timestamp) -> Bool {
    a.secondsSince1970 < b.secondsSince1970
  }

  /// Seconds since midnight, or nil if any part is out of range.
  static func clock(
    _ hour: some Collection<UInt8>, _ minute: some Collection<UInt8>,
    _ second: some Collection<UInt8>
  ) -> Int? {
    guard let hour = Digits.value(hour), let minute = Digits.value(minute),
      let second = Digits.value(second), hour < 24, minute < 60, second < 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// 9999-12-31T23:59:59Z.
  package static let last = Timestamp(secondsSince1970: 253_402_300_799)

  /// The UTC date; years are clamped to 0001...9999.
  package var utcDate: CalendarDate { utc.date }

  /// The UTC date and the seconds since its midnight; years are clamped to 0001...9999.
  var utc: (date: CalendarDate, seconds: Int) {
    let bounded = min(max(secondsSince1970, -62_135_596_800), Self.last.secondsSince1970)
    let days = bounded >= 0 ? bounded / 86_400 : -((-bounded + 86_399) / 86_400)
    guard let date = CalendarDate(daysSince1970: days) else {
      preconditionFailure("a clamped timestamp lies within the calendar")
    }
    return (date, bounded - days * 86_400)
  }
}

extension Timestamp: CustomStringConvertible {
  /// `YYYY-MM-DDTHH:MM:SSZ`.
  public var description: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20)
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the description.
  func append(to bytes: inout [UInt8]) {
    appendWithoutZone(to: &bytes)
    bytes.append(UInt8(ascii: "Z"))
  }

  /// Writes `YYYY-MM-DDTHH:MM:SS`.
  func appendWithoutZone(to bytes: inout [UInt8]) {
    let (date, seconds) = utc
    date.append(joinedBy: "-", to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    Digits.append(secondsSinceMidnight: seconds, joinedBy: ":", to: &bytes)
  }
}

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

extension ReportingDay {
  /// A moment with the UTC offset that holds there in the zone (R3).
  public struct LocalMoment: Hashable, Sendable, CustomStringConvertible {
    /// The moment.
    public let timestamp: Timestamp
    /// Seconds east of UTC.
    public let offsetSeconds: Int

    /// The moment as clocks `offsetSeconds` east of UTC show it.
    public init(timestamp: Timestamp, offsetSeconds: Int) {
      (self.timestamp, self.offsetSeconds) = (timestamp, offsetSeconds)
    }

    /// Parses `YYYY-MM-DDTHH:MM:SS` and an offset: `+HH:MM`, `-HH:MM`, with `:SS` for the odd
    /// offsets of before 1972, or `Z`, which is `+00:00`.
    ///
    /// Nil for another form, `-00:00` (RFC 3339: offset not known), or a date that does not exist.
    public init?(_ text: some StringProtocol) {
      let bytes = Array(text.utf8)
      guard bytes.count >= 20,
        let local = Timestamp(String(decoding: bytes[0..<19], as: UTF8.self) + "Z"),
        let offset = Self.offset(bytes[19...])
      else { return nil }
      self.init(timestamp: local.adding(seconds: -offset), offsetSeconds: offset)
    }

    /// Parses what a reader understands beyond R3 (R41): fractional seconds, which are dropped;
    /// offsets `+HHMM` and `+HH`; and `-00:00` or `-00:00:00`, which is UTC by a clock of unknown
    /// zone.
    init?(lenient text: some StringProtocol) {
      let bytes = Array(text.utf8)
      guard (20...64).contains(bytes.count) else { return nil }
      var rest = bytes[19...]
      if rest.first == UInt8(ascii: ".") {
        let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        rest = rest.dropFirst(1 + digits.count)
      }
      var offset = String(decoding: rest, as: UTF8.self)
      switch rest.count {
      case 3: offset += ":00"
      case 5: offset.insert(":", at: offset.index(offset.startIndex, offsetBy: 3))
      default: break
      }
      if ["-00:00", "-00:00:00"].contains(offset) { offset = "Z" }
      self.init(String(decoding: bytes[..<19], as: UTF8.self) + offset)
    }

    /// The time of day that clocks at this offset show: `07:30`.
    var clock: String { String(description.dropFirst(11).prefix(5)) }

    /// The date that clocks at this offset show.
    var localDate: CalendarDate { timestamp.adding(seconds: offsetSeconds).utc.date }

    /// The moment, or the last second that a document can name if it is later: no date follows
    /// 9999-12-31 (R1).
    var nameable: LocalMoment {
      let last = Timestamp.last.adding(seconds: -offsetSeconds)
      return timestamp <= last ? self : LocalMoment(timestamp: last, offsetSeconds: offsetSeconds)
    }

    /// `YYYY-MM-DDTHH:MM:SS+HH:MM`.
    public var description: String {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(28)
      append(to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes the description.
    func append(to bytes: inout [UInt8]) {
      timestamp.adding(seconds: offsetSeconds).appendWithoutZone(to: &bytes)
      bytes.append(offsetSeconds < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
      let size = Int(offsetSeconds.magnitude)
      Digits.append(secondsSinceMidnight: size, joinedBy: ":", to: &bytes)
      if size % 60 == 0 { bytes.removeLast(3) }
    }

    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
      let text = String(decoding: bytes, as: UTF8.self)
      if text == "Z" { return 0 }
      let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
      guard (2...3).contains(parts.count), parts.allSatisfy({ $0.utf8.count == 2 }),
        let size = Timestamp.clock(
          parts[0].utf8, parts[1].utf8, parts.count == 3 ? Array(parts[2].utf8) : [0x30, 0x30])
      else { return nil }
      switch text.first {
      case "+": return size
      case "-": return size == 0 ? nil : -size
      default: return nil
      }
    }
  }
}

/// A moment in microseconds, UTC: what tables keep, and what the order of receipts goes by.
package struct PreciseMoment: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  package let microseconds: Int

  package init(microseconds: Int) { self.microseconds = microseconds }

  /// - Parameter secondsSince1970: at most a few thousand years from 1970.
  package init(secondsSince1970: Int64) { microseconds = Int(secondsSince1970) * 1_000_000 }

  package init(_ timestamp: Timestamp) {
    self.init(secondsSince1970: Int64(timestamp.secondsSince1970))
  }

  /// Parses `YYYY-MM-DDTHH:MM:SSZ` with up to 9 decimals of a second, of which six are kept, as
  /// PostgreSQL keeps them. Nil for anything else.
  package init?(_ text: String) {
    guard let whole = Timestamp(text) else { return nil }
    var fraction = 0
    let bytes = Array(text.utf8.dropLast())
    if bytes.count > 19 {
      for place in 0..<6 {
        let digit = place + 20 < bytes.count ? Int(bytes[place + 20]) - 48 : 0
        fraction = fraction * 10 + digit
      }
    }
    microseconds = whole.secondsSince1970 * 1_000_000 + fraction
  }

  /// The moment this much later; negative: earlier.
  package func adding(microseconds more: Int) -> PreciseMoment {
    PreciseMoment(microseconds: microseconds + more)
  }

  /// The same moment, the fraction of its second cut.
  package var timestamp: Timestamp { parts.second }

  package static func < (a: PreciseMoment, b: PreciseMoment) -> Bool {
    a.microseconds < b.microseconds
  }

  /// The whole second, and the microseconds in it.
  private var parts: (second: Timestamp, rest: Int) {
    let (second, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return rest < 0
      ? (Timestamp(secondsSince1970: second - 1), rest + 1_000_000)
      : (Timestamp(secondsSince1970: second), rest)
  }
}

extension PreciseMoment: CustomStringConvertible {
  /// `YYYY-MM-DDTHH:MM:SSZ`, with as many decimals as are needed.
  package var description: String {
    let (second, rest) = parts
    guard rest > 0 else { return "\(second)" }
    var decimals = String(rest)
    decimals = String(repeating: "0", count: 6 - decimals.utf8.count) + decimals
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(second)".dropLast() + ".\(decimals)Z"
  }
}

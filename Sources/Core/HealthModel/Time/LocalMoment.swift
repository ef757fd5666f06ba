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

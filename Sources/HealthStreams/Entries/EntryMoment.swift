import HealthModel

/// A moment of an entry, to the millisecond, in UTC (ST-2).
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

  private static let years =
    Timestamp(secondsSince1970: -62_135_596_800)...Timestamp(secondsSince1970: 253_402_300_799)

  /// The whole second in which the moment lies.
  var timestamp: Timestamp {
    Timestamp(secondsSince1970: Int((Double(milliseconds) / 1000).rounded(.down)))
  }

  /// `YYYY-MM-DDTHH:MM:SS.sssZ`.
  var text: String {
    let rest = milliseconds - timestamp.secondsSince1970 * 1000
    let digits = String(rest)
    let padded = String(repeating: "0", count: 3 - digits.utf8.count) + digits
    return timestamp.description.dropLast() + "." + padded + "Z"
  }
}

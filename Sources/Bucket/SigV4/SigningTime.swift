import ContentDigests

/// A time as signatures write it: `20150830T123600Z`, UTC.
struct SigningTime: Hashable, Sendable {
  let timestamp: String

  /// `20150830`.
  var date: Substring { timestamp.prefix(8) }

  init(secondsSince1970: Int) {
    let (quotient, remainder) = secondsSince1970.quotientAndRemainder(dividingBy: 86400)
    let (days, second) =
      remainder < 0 ? (quotient - 1, remainder + 86400) : (quotient, remainder)
    let (year, month, day) = CivilCalendar.date(daysSince1970: days)
    var digits: [UInt8] = []
    digits.reserveCapacity(16)
    func append(_ value: Int, width: Int) {
      var divisor = width == 4 ? 1000 : 10
      while divisor > 0 {
        digits.append(UInt8(truncatingIfNeeded: 0x30 + value / divisor % 10))
        divisor /= 10
      }
    }
    append(year, width: 4)
    append(month, width: 2)
    append(day, width: 2)
    digits.append(UInt8(ascii: "T"))
    append(second / 3600, width: 2)
    append(second / 60 % 60, width: 2)
    append(second % 60, width: 2)
    digits.append(UInt8(ascii: "Z"))
    timestamp = String(decoding: digits, as: UTF8.self)
  }
}

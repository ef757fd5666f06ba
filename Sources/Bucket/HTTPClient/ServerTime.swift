import ContentDigests

/// Parses the time formats of HTTP and of S3 servers, as seconds since 1970.
package enum ServerTime {
  /// `Sat, 21 Nov 2026 07:33:59 GMT`, as in `Date` and `Last-Modified`; nil if it is anything else.
  package static func http(_ text: String) -> Int? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[0].count == 4, parts[0].last == ",", parts[5] == "GMT",
      let day = number(parts[1], 2),
      let month = months.firstIndex(of: String(parts[2])).map({ $0 + 1 }),
      let year = number(parts[3], 4)
    else { return nil }
    let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false)
    guard clock.count == 3, let hour = number(clock[0], 2), let minute = number(clock[1], 2),
      let second = number(clock[2], 2)
    else { return nil }
    return seconds(year, month, day, hour, minute, second)
  }

  /// `2026-11-21T07:33:59.123Z`, as in listings. Fractions of a second are dropped.
  package static func iso8601(_ text: String) -> Int? {
    let bytes = Substring(text)
    guard bytes.utf8.count >= 20, bytes.hasSuffix("Z") else { return nil }
    let whole = bytes.prefix(19)
    let rest = bytes.dropFirst(19).dropLast()
    guard rest.isEmpty || (rest.first == "." && rest.dropFirst().allSatisfy(\.isNumber)),
      let split = whole.firstIndex(of: "T")
    else { return nil }
    let date = whole[..<split].split(separator: "-", omittingEmptySubsequences: false)
    let clock = whole[whole.index(after: split)...]
      .split(separator: ":", omittingEmptySubsequences: false)
    guard date.count == 3, clock.count == 3, let year = number(date[0], 4),
      let month = number(date[1], 2), let day = number(date[2], 2),
      let hour = number(clock[0], 2), let minute = number(clock[1], 2),
      let second = number(clock[2], 2)
    else { return nil }
    return seconds(year, month, day, hour, minute, second)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ text: Substring, _ digits: Int) -> Int? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  private static func seconds(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int
  ) -> Int? {
    guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let days = CivilCalendar.daysSince1970(year: year, month: month, day: day)
    return days * 86_400 + hour * 3600 + minute * 60 + second
  }
}

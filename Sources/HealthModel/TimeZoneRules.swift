import Foundation
import Synchronization

/// The UTC offsets of one zone of the time zone database that Foundation carries (R4).
struct TimeZoneRules: Sendable {
  private let zone: TimeZone

  /// The rules of the zone that the database knows by exactly this name; nil for any other text.
  init?(named name: String) {
    // Beyond ASCII two spellings can be equal strings (K and the Kelvin sign): not in names.
    guard name.utf8.count <= 64, name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    if let known = Self.known.withLock({ $0[name] }) {
      self.zone = known
      return
    }
    guard Self.isDatabaseName(name), let zone = TimeZone(identifier: name) else { return nil }
    // Only real names are kept, so hostile documents can't grow the table.
    Self.known.withLock { $0[name] = zone }
    self.zone = zone
  }

  /// Seconds east of UTC that hold at a moment.
  func offset(at seconds: Int) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
  }

  /// The first moment at which the zone's clocks show this local midnight or later.
  ///
  /// It is the first occurrence of a midnight that comes twice, and the end of the gap for one
  /// that never comes.
  func start(of date: CalendarDate) -> Int {
    start(ofDay: date.daysSince1970)
  }

  func start(ofDay day: Int) -> Int {
    let midnight = day * 86_400
    // No zone ever was further than this from UTC, so the moment lies between these two.
    var low = midnight - Self.widestOffset
    let last = midnight + Self.widestOffset
    while low < last {
      let high = min(low + 3600, last)
      if let moment = first(notBefore: midnight, from: low, to: high) { return moment }
      low = high
    }
    return last
  }

  /// The first moment of `low...high` that shows at least `local`, if there is one.
  private func first(notBefore local: Int, from low: Int, to high: Int) -> Int? {
    let offset = self.offset(at: low)
    if low + offset >= local { return low }
    if self.offset(at: high) == offset {
      return high + offset >= local ? local - offset : nil
    }
    let change = firstChange(after: low, upTo: high, from: offset)
    if change - 1 + offset >= local { return local - offset }
    if change + self.offset(at: change) >= local { return change }
    return change < high ? first(notBefore: local, from: change, to: high) : nil
  }

  /// The moment in `low+1...high` at which the offset stops being `offset`.
  private func firstChange(after low: Int, upTo high: Int, from offset: Int) -> Int {
    var (low, high) = (low, high)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if self.offset(at: middle) == offset { low = middle } else { high = middle }
    }
    return high
  }

  /// Seconds; the widest local mean times are just under 16 hours from UTC.
  private static let widestOffset = 57_600

  private static let known = Mutex<[String: TimeZone]>([:])

  /// Foundation also takes `GMT+5`, `PST` and its like, which the database does not have.
  private static func isDatabaseName(_ name: String) -> Bool {
    if namesWithoutArea.contains(name) { return true }
    return name.contains("/") && !name.hasPrefix("SystemV/") && name != "Etc/Unknown"
  }

  private static let namesWithoutArea: Set<String> = [
    "CET", "CST6CDT", "Cuba", "EET", "EST", "EST5EDT", "Egypt", "Eire", "Factory", "GB", "GB-Eire",
    "GMT", "GMT+0", "GMT-0", "GMT0", "Greenwich", "HST", "Hongkong", "Iceland", "Iran", "Israel",
    "Jamaica", "Japan", "Kwajalein", "Libya", "MET", "MST", "MST7MDT", "NZ", "NZ-CHAT", "Navajo",
    "PRC", "PST8PDT", "Poland", "Portugal", "ROC", "ROK", "Singapore", "Turkey", "UCT", "UTC",
    "Universal", "W-SU", "WET", "Zulu",
  ]
}

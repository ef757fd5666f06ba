package import HealthModel

/// Rows that were written at another offset from UTC than the zones of the days have (R19, R55).
package struct OffsetMisfit: Hashable, Sendable {
  /// Seconds east of UTC, as written.
  package let offset: Int
  /// The first date as written that has it.
  package let date: CalendarDate
  /// The zone of the days at that moment.
  package let timeZoneName: String
  /// Its seconds east of UTC then.
  package let own: Int
  /// Zones that have the offsets of all rows, of many that do.
  package fileprivate(set) var fitting: [String] = []
}

extension OffsetMisfit {
  /// The words where nobody set a zone.
  ///
  /// - Parameter isKept: whether the zones are the store's, and not this machine's.
  package func unset(isKept: Bool = false) -> String {
    "\(isKept ? "the one that the store keeps" : "this machine's") does not fit: \(self)"
      + (fitting.isEmpty ? "" : "; \(fitting.formatted) would fit, among others")
  }
}

extension [String] {
  /// `a, b or c`.
  fileprivate var formatted: String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " or \(self[count - 1])"
  }
}

extension OffsetMisfit: CustomStringConvertible {
  /// `rows are written at UTC+08:00 (the first on 2026-11-20), where UTC was at UTC+00:00`.
  package var description: String {
    "rows are written at \(UTCOffset.text(offset)) (the first on \(date)), where \(timeZoneName) was at "
      + UTCOffset.text(own)
  }
}

/// An offset from UTC for people.
package enum UTCOffset {
  /// `UTC+05:30`.
  package static func text(_ seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    let (hour, minute) = (minutes / 60, minutes % 60)
    return "UTC" + (seconds < 0 ? "-" : "+") + (hour < 10 ? "0" : "") + "\(hour):"
      + (minute < 10 ? "0" : "") + "\(minute)"
  }
}

/// The offsets that the dates of one payload were written with, against the zones of the days (R19).
///
/// An offset does not name a zone: `+08:00` is Singapore, Perth and Manila. But it can show that a zone is
/// not the one in which somebody lived.
struct WrittenOffsets {
  private struct Key: Hashable {
    let offset: Int
    /// Days since 1970, UTC.
    let day: Int
  }

  private var seen: [Key: ClosedRange<Int>] = [:]
  /// Rows mostly follow one another.
  private var last: (key: Key, moments: ClosedRange<Int>)?

  /// Most days that are looked at: hostile dates must not fill the memory.
  private static let mostDays = 100_000

  /// Notes that a moment was written with an offset.
  mutating func note(_ offset: Int, at moment: Int) {
    let key = Key(offset: offset, day: moment.dividedDown(by: 86_400))
    if let last, last.key == key, last.moments.contains(moment) { return }
    guard let known = seen[key] else {
      if seen.count < Self.mostDays { seen[key] = moment...moment }
      last = (key, moment...moment)
      return
    }
    let wider = min(known.lowerBound, moment)...max(known.upperBound, moment)
    seen[key] = wider
    last = (key, wider)
  }

  /// The first date whose offset the zones do not have at its moment, if there is one; forgets all.
  ///
  /// A payload with one offset alone fits if the zones have it at its newest moment: it may have been
  /// written with the offset of that moment throughout.
  mutating func takeMisfit(in zones: ReportingZones) throws(ReportingDay.Failure) -> OffsetMisfit? {
    defer { (seen, last) = ([:], nil) }
    let sorted = seen.sorted { ($0.key.day, $0.key.offset) < ($1.key.day, $1.key.offset) }
    guard var misfit = try Self.misfit(of: sorted, in: zones) else { return nil }
    // A payload of decades is judged by some of its days.
    let some = stride(from: 0, to: sorted.count, by: sorted.count / Self.mostCompared + 1)
      .map { sorted[$0] }
    for name in Self.wellKnown where misfit.fitting.count < Self.mostFitting {
      if try Self.misfit(of: some, in: ReportingZones(name)) == nil { misfit.fitting.append(name) }
    }
    return misfit
  }

  private static let (mostCompared, mostFitting) = (400, 4)

  /// Zones of cities, those where most people live first: what is proposed where a zone is missing.
  private static let wellKnown = [
    "Asia/Shanghai", "Asia/Kolkata", "Europe/Berlin", "America/New_York", "Europe/London",
    "America/Los_Angeles", "America/Chicago", "Asia/Tokyo", "America/Sao_Paulo", "Africa/Lagos",
    "Europe/Paris", "Asia/Singapore", "Asia/Jakarta", "Africa/Cairo", "Africa/Johannesburg",
    "Europe/Istanbul", "Europe/Moscow", "Asia/Dubai", "Asia/Karachi", "Asia/Dhaka", "Asia/Bangkok",
    "Asia/Manila", "Asia/Seoul", "Australia/Perth", "Australia/Sydney", "Australia/Brisbane",
    "Australia/Adelaide", "Australia/Darwin", "Pacific/Auckland", "America/Denver",
    "America/Phoenix", "America/Mexico_City", "America/Bogota", "America/Caracas",
    "America/Halifax", "America/St_Johns", "America/Santiago", "America/Anchorage",
    "Pacific/Honolulu", "Europe/Athens", "Europe/Lisbon", "Asia/Jerusalem", "Asia/Tehran",
    "Asia/Kabul", "Asia/Kathmandu", "Asia/Yangon", "Africa/Nairobi", "Africa/Casablanca",
    "Atlantic/Azores", "Pacific/Fiji", "Pacific/Noumea", "Pacific/Guam", "Pacific/Apia",
  ]

  private static func misfit(
    of sorted: [(key: Key, value: ClosedRange<Int>)], in zones: ReportingZones
  ) throws(ReportingDay.Failure) -> OffsetMisfit? {
    var misfit: OffsetMisfit?
    var newest: (moment: Int, fits: Bool)?
    for (key, moments) in sorted {
      for moment in Set([moments.lowerBound, moments.upperBound]).sorted() {
        let found = try self.misfit(key.offset, at: moment, in: zones)
        if misfit == nil { misfit = found }
        if newest.map({ $0.moment < moment }) ?? true { newest = (moment, found == nil) }
      }
    }
    let isOneOffset = Set(sorted.map(\.key.offset)).count == 1
    return isOneOffset && newest?.fits == true ? nil : misfit
  }

  private static func misfit(
    _ offset: Int, at moment: Int, in zones: ReportingZones
  ) throws(ReportingDay.Failure) -> OffsetMisfit? {
    let instant = Timestamp(secondsSince1970: moment)
    let name = zones.name(on: try zones.date(at: instant))
    let own = try ReportingDay.offsetSeconds(at: instant, timeZoneName: name)
    guard own != offset else { return nil }
    return OffsetMisfit(
      offset: offset, date: instant.adding(seconds: offset).utcDate, timeZoneName: name, own: own)
  }
}

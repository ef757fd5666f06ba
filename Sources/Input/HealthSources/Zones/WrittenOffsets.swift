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
/// An offset does not name a zone: `+08:00` is Singapore, Perth and Manila. But it can tell that a zone is
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
    var misfit: OffsetMisfit?
    var newest: (moment: Int, fits: Bool)?
    let sorted = seen.sorted { ($0.key.day, $0.key.offset) < ($1.key.day, $1.key.offset) }
    for (key, moments) in sorted {
      for moment in Set([moments.lowerBound, moments.upperBound]).sorted() {
        let found = try Self.misfit(key.offset, at: moment, in: zones)
        if misfit == nil { misfit = found }
        if newest.map({ $0.moment < moment }) ?? true { newest = (moment, found == nil) }
      }
    }
    let isOneOffset = Set(seen.keys.map(\.offset)).count == 1
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

package import HealthLedger
package import HealthModel

/// The time zones of a person's days: one, or one for each period of their life (R4).
///
/// Each date has one zone. Where it changes, the days of two dates overlap or leave a gap; a moment
/// belongs to the first date whose day ends after it, so that every moment counts, and once.
package struct ReportingZones: Hashable, Sendable {
  /// One zone from a date on, up to the next period.
  package struct Period: Hashable, Sendable {
    /// Nil for the first period, which has no beginning.
    package let from: CalendarDate?
    /// IANA name.
    package let name: String

    package init(from: CalendarDate?, name: String) { (self.from, self.name) = (from, name) }
  }

  /// Oldest first, at least one; neighbours differ in name.
  package let periods: [Period]

  /// One zone for all dates.
  package init(_ name: String) { periods = [Period(from: nil, name: name)] }

  /// Zones by period, in any order of the dates.
  ///
  /// - Throws: `LedgerError` unless exactly one of them has no first date and no two have the same.
  package init(_ periods: [Period]) throws(LedgerError) {
    let first = periods.filter { $0.from == nil }
    guard first.count <= 1 else {
      throw Self.unclear("the time zone \(first[1].name) has no first date")
    }
    guard let first = first.first else {
      throw Self.unclear("no time zone is given for the time before the first date")
    }
    let later = periods.compactMap { period in period.from.map { ($0, period.name) } }
      .sorted { $0.0 < $1.0 }
    for (one, next) in zip(later, later.dropFirst()) where one.0 == next.0 {
      throw LedgerError(
        .invalidArguments, "two time zones begin on \(one.0)", rule: "R4",
        remedy: "give each date one zone")
    }
    var sorted = [first]
    for (from, name) in later where name != sorted.last?.name {
      sorted.append(Period(from: from, name: name))
    }
    self.periods = sorted
  }

  /// Whether both give the same days: UTC has several names.
  package func isSame(as other: ReportingZones) -> Bool {
    func known(_ zones: ReportingZones) -> [Period] {
      zones.periods.map { period in
        Period(from: period.from, name: Self.namesOfUTC.contains(period.name) ? "UTC" : period.name)
      }
    }
    return known(self) == known(other)
  }

  private static let namesOfUTC: Set<String> = [
    "UTC", "Etc/UTC", "UCT", "Etc/UCT", "Zulu", "Etc/Zulu", "Universal", "Etc/Universal",
  ]

  /// The zone of a date.
  package func name(on date: CalendarDate) -> String {
    (periods.last { $0.from.map { $0 <= date } ?? true } ?? periods[0]).name
  }

  /// The zone at a moment.
  package func name(at moment: Timestamp) -> String {
    (try? date(at: moment)).map { name(on: $0) } ?? periods[0].name
  }

  /// The day of a date, in the date's own zone.
  package func day(_ date: CalendarDate) throws(ReportingDay.Failure) -> ReportingDay {
    try ReportingDay(date: date, timeZoneName: name(on: date))
  }

  /// The date to which a moment belongs: the first whose day ends after it.
  package func date(at moment: Timestamp) throws(ReportingDay.Failure) -> CalendarDate {
    var first = try ReportingDay.date(at: moment, timeZoneName: periods[0].name)
    guard periods.count > 1 else { return first }
    for period in periods.dropFirst() {
      first = min(first, try ReportingDay.date(at: moment, timeZoneName: period.name))
    }
    while true {
      let end = try end(of: first)
      guard end <= moment.secondsSince1970, let next = first.adding(days: 1) else { return first }
      first = next
    }
  }

  /// The moments that belong to a day (R4): its own, without those of an earlier date, and those in a gap
  /// before it. If the zone does not change, this is the day itself.
  package func moments(of day: ReportingDay) -> Range<Timestamp> {
    let (start, end) = (day.start.timestamp, day.end.timestamp)
    guard periods.count > 1 else { return start..<max(start, end) }
    // Offsets differ by little more than a day, so no date before these two ends later.
    let ends = [-1, -2].compactMap { day.date.adding(days: $0).flatMap { try? self.end(of: $0) } }
    let first = ends.max().map { Timestamp(secondsSince1970: $0) } ?? start
    return min(first, max(start, end))..<max(start, end)
  }

  /// The moments that count for a day, and the night that ends on it (R18). If the database lacks a zone,
  /// the night is the day itself.
  package func window(of day: ReportingDay) -> DayWindow {
    if var calendar = try? ZoneCalendar(self), let window = try? calendar.window(of: day.date) {
      return window
    }
    let moments = moments(of: day)
    let range = moments.lowerBound.secondsSince1970..<moments.upperBound.secondsSince1970
    return DayWindow(day: day, range: range, night: range)
  }

  /// Where the day of a date ends; a date that its zone skipped ends where it would begin.
  func end(of date: CalendarDate) throws(ReportingDay.Failure) -> Int {
    do {
      return try day(date).end.timestamp.secondsSince1970
    } catch {
      guard case .skippedDate = error, let next = date.adding(days: 1) else { throw error }
      return try day(next).start.timestamp.secondsSince1970
    }
  }
}

extension ReportingZones {
  /// The zones that a text names: `Europe/Paris`, or `Europe/Paris, America/New_York@2024-03-02`.
  package init(parsing text: String) throws(LedgerError) {
    var periods: [Period] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        .map { word in
          let start = word.drop { $0 == " " || $0 == "\t" }
          let end = start.lastIndex { $0 != " " && $0 != "\t" }
          return end.map { String(start[...$0]) } ?? ""
        }
      let name = words[0]
      guard Self.isKnown(name) else {
        throw LedgerError(ReportingDay.Failure.unknownTimeZone(name))
      }
      var from: CalendarDate?
      if words.count > 1 {
        guard let date = CalendarDate(words[1]) else {
          throw Self.unclear(
            "\"\(words[1].prefix(40))\" is not a valid first date of a time zone", rule: "R1")
        }
        from = date
      }
      periods.append(Period(from: from, name: name))
    }
    try self.init(periods)
  }

  private static func unclear(_ message: String, rule: String = "R4") -> LedgerError {
    LedgerError(
      .invalidArguments, message, rule: rule,
      remedy: .text(
        "write the first zone alone and each further one with its first day, as in "
          + "Europe/Paris, America/New_York@2024-03-02"))
  }

  /// Whether the time zone database has the name.
  package static func isKnown(_ name: String) -> Bool { ZoneCalendar(name) != nil }
}

extension ReportingZones: CustomStringConvertible {
  /// The text that `init(parsing:)` reads.
  package var description: String {
    periods.map { period in period.from.map { "\(period.name)@\($0)" } ?? period.name }
      .joined(separator: ", ")
  }
}

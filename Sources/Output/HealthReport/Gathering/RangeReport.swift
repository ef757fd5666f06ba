package import HealthLedger
package import HealthModel

/// What a range of dates holds, gathered from the verdicts of one verification (R35); its page is
/// a function of this value alone.
///
/// Memory grows with the range by about 200 bytes a day and 16 for each of its numbers, and not
/// with what is wrong.
package struct RangeReport: Sendable {
  /// As a person names the store; no secret.
  package let storeName: String
  package let range: DateRange
  /// When the report was made, by this machine's clock.
  package let madeAt: Timestamp
  /// The date on which it was made, where the person is.
  package let today: CalendarDate
  /// The program and its version.
  package let maker: String

  /// In which units the person likes to read it.
  package var units = PersonalUnits.stored

  /// In order of date; whole once there is one for each date of the range.
  package private(set) var days: [ReportDay] = []
  /// The days directly before the range, as far as they were read: what the range is compared
  /// with, and what its first means over several days need.
  package private(set) var before: [ReportDay] = []
  package private(set) var findings = FindingDigest()
  package private(set) var zones = OriginDigest()
  package private(set) var collectors = OriginDigest()
  /// The newest day that has a number.
  package private(set) var newest: Newest?

  /// The newest day that has a number, and when that was written.
  package struct Newest: Hashable, Sendable {
    package let date: CalendarDate
    package let generatedAt: Timestamp
    package let capturedAt: Timestamp?
  }

  /// Days before a range that its first mean over 30 days needs.
  package static let leadDays = 29

  package init(
    storeName: String, range: DateRange, madeAt: Timestamp, today: CalendarDate, maker: String
  ) {
    (self.storeName, self.range, self.madeAt, self.maker) = (storeName, range, madeAt, maker)
    self.today = today
    days.reserveCapacity(range.count)
  }

  /// The range with the days before it that its report needs: as many as it has, and no fewer than
  /// `leadDays`; fewer only where the calendar begins.
  package static func span(of range: DateRange) -> DateRange {
    var count = max(range.count, leadDays)
    while count > 0 {
      if let from = range.from.adding(days: -count),
        let span = try? DateRange(from: from, to: range.to, maximumDays: .max)
      {
        return span
      }
      count -= 1
    }
    return range
  }

  /// Adds the next date of the range's span: of the days before the range their numbers alone
  /// count.
  package mutating func add(_ verdict: DayVerdict) {
    // Today may have no data yet, which is not a fault.
    let findings = verdict.findings.filter {
      verdict.date < today || $0.code != FindingCode.missingDate.rawValue
    }
    let day = ReportDay(verdict, findings, at: madeAt)
    guard verdict.date >= range.from else {
      before.append(day)
      return
    }
    days.append(day)
    self.findings.add(findings)
    guard let revision = verdict.latest?.revision else { return }
    zones.add(revision.day.timeZoneName)
    collectors.add(
      revision.collector.map { "\($0.collectorID) on \($0.deviceID)" } ?? "not named by two UUIDs")
    guard day.hasNumber else { return }
    newest = Newest(
      date: revision.date, generatedAt: revision.generatedAt, capturedAt: revision.capturedAt)
  }

  /// Adds the next date of the range's span, of which only the numbers are wanted.
  package mutating func add(_ day: ReportDay) {
    if day.date < range.from { before.append(day) } else { days.append(day) }
  }

  /// Adds what was found outside the days.
  package mutating func add(_ more: [Finding]) { findings.add(more) }

  /// True where every date of the range was added, and of the days before it none between two
  /// others is left out: only then is there a page (R33).
  package var isWhole: Bool {
    guard days.map(\.date) == range.dates else { return false }
    return before.reversed().enumerated().allSatisfy { place, day in
      day.date.days(until: range.from) == place + 1
    }
  }

  package func count(_ coverage: DayCoverage) -> Int { days.count { $0.coverage == coverage } }

  /// Days of which at least one metric has a number.
  package var daysWithNumbers: Int { days.count(where: \.hasNumber) }

  /// Days from the newest day that has a number until today; negative where that is yet to come.
  package var daysSinceNewest: Int? { newest.map { $0.date.days(until: today) } }

  /// Seconds since the newest day that has a number was written; negative where this machine's
  /// clock is behind.
  package var age: Int? {
    newest.map { madeAt.secondsSince1970 - $0.generatedAt.secondsSince1970 }
  }

  /// Missing dates in runs of neighbours.
  var missingRuns: [DateRuns.Run] {
    DateRuns(days.lazy.filter { $0.coverage == .missing }.map(\.date)).runs
  }
}

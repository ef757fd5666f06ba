package import HealthLedger
package import HealthModel

/// What a range of dates holds, gathered from the verdicts of one verification (R35); its page is
/// a function of this value alone.
///
/// Memory grows with the range by about 200 bytes a day, and not with what is wrong.
package struct RangeReport: Sendable {
  /// As a person names the store; no secret.
  package let storeName: String
  package let range: DateRange
  /// When the report was made, by this machine's clock.
  package let madeAt: Timestamp
  /// The program and its version.
  package let maker: String

  /// In order of date; whole once there is one for each date of the range.
  package private(set) var days: [ReportDay] = []
  package private(set) var findings = FindingDigest()
  package private(set) var zones = OriginDigest()
  package private(set) var collectors = OriginDigest()
  /// The resolved revision that was made last.
  package private(set) var newest: Newest?

  /// The revision that was made last.
  package struct Newest: Hashable, Sendable {
    package let date: CalendarDate
    package let generatedAt: Timestamp
    package let capturedAt: Timestamp?
  }

  package init(storeName: String, range: DateRange, madeAt: Timestamp, maker: String) {
    (self.storeName, self.range, self.madeAt, self.maker) = (storeName, range, madeAt, maker)
    days.reserveCapacity(range.count)
  }

  /// Adds the next date of the range.
  package mutating func add(_ verdict: DayVerdict) {
    days.append(ReportDay(verdict))
    findings.add(verdict.findings)
    guard let revision = verdict.latest?.revision else { return }
    zones.add(revision.day.timeZoneName)
    collectors.add(
      revision.collector.map { "\($0.collectorID) on \($0.deviceID)" } ?? "not named by two UUIDs")
    if let newest, newest.generatedAt > revision.generatedAt { return }
    newest = Newest(
      date: revision.date, generatedAt: revision.generatedAt, capturedAt: revision.capturedAt)
  }

  /// Adds what was found outside the days.
  package mutating func add(_ more: [Finding]) { findings.add(more) }

  /// True where every date of the range was added: only then is there a page (R33).
  package var isWhole: Bool { days.map(\.date) == range.dates }

  package func count(_ coverage: DayCoverage) -> Int { days.count { $0.coverage == coverage } }

  /// Days of which at least one metric has a number.
  package var daysWithNumbers: Int {
    days.count { $0.readings.contains { $0.number != nil } }
  }

  /// Seconds between the newest revision and the making of the report; negative where this
  /// machine's clock is behind.
  package var age: Int? {
    newest.map { madeAt.secondsSince1970 - $0.generatedAt.secondsSince1970 }
  }

  /// Missing dates in runs of neighbours.
  var missingRuns: [DateRuns.Run] {
    DateRuns(days.lazy.filter { $0.coverage == .missing }.map(\.date)).runs
  }
}

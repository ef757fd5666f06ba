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

/// What a date of the range has, in one word: the verdict of R35, and for a sound day how many of
/// its metrics have a number (R10).
package enum DayCoverage: String, CaseIterable, Hashable, Sendable {
  /// Every metric that the collector supports has a number.
  case complete
  /// Some metrics have a number, and others could have one; or numbers are of a part of the day.
  case partial
  /// A revision without any number.
  case noData = "no_data"
  /// A revision that readers are answered with, and an error beside it.
  case faulty
  /// Revisions, none of them valid.
  case invalid
  /// No revision.
  case missing

  package init(_ verdict: DayVerdict) {
    switch verdict.status {
    case .missing: self = .missing
    case .invalid: self = .invalid
    case .faulty: self = .faulty
    case .ok:
      let readings = (verdict.latest?.revision.readings ?? [:]).values
      if readings.allSatisfy({ $0.number == nil }) {
        self = .noData
      } else {
        let lacksSome = readings.contains { $0 == .noData || $0 == .unauthorized }
        self = lacksSome || verdict.has(.partial) ? .partial : .complete
      }
    }
  }

  /// The word for people.
  var label: String {
    switch self {
    case .complete: "complete"
    case .partial: "partial"
    case .noData: "no data"
    case .faulty: "faulty"
    case .invalid: "no valid revision"
    case .missing: "missing"
    }
  }

  /// What the word means.
  var meaning: String {
    switch self {
    case .complete: "every metric has a number"
    case .partial: "some metrics have none, or are of a part of the day"
    case .noData: "published, without any number"
    case .faulty: "readable, with an error beside"
    case .invalid: "its revisions are all broken"
    case .missing: "nothing was published"
    }
  }
}

/// How many days came from where: time zones, or collectors. Names are anybody's, so both their
/// length and their number are bounded.
package struct OriginDigest: Sendable {
  /// Most names that are shown.
  static let maximumNames = 50
  /// Most scalars of a name.
  static let maximumLength = 120

  private var days: [String: Int] = [:]
  /// Days of names beyond the most that are shown.
  package private(set) var others = 0

  mutating func add(_ name: String) {
    let bounded = name.bounded(to: Self.maximumLength)
    if days.count < Self.maximumNames || days[bounded] != nil {
      days[bounded, default: 0] += 1
    } else {
      others += 1
    }
  }

  /// The most frequent first.
  package var ordered: [(name: String, days: Int)] {
    days.map { (name: $0.key, days: $0.value) }.sorted {
      ($1.days, $0.name) < ($0.days, $1.name)
    }
  }
}

extension String {
  /// The first scalars of the text, and an ellipsis where there are more.
  func bounded(to count: Int) -> String {
    guard
      let end = unicodeScalars.index(
        unicodeScalars.startIndex, offsetBy: count, limitedBy: unicodeScalars.endIndex),
      end < unicodeScalars.endIndex
    else { return self }
    return String(unicodeScalars[..<end]) + "…"
  }
}

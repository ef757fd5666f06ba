package import HealthLedger
package import HealthModel

/// What a person wants of the hub's pages.
package struct DashboardSettings: Hashable, Sendable {
  /// As a person names the store; no secret.
  package let storeName: String
  /// What stands above the pages; nil for a plain word.
  package var title: String?
  /// What to reach in a day, in the units of documents.
  package var goals: [DailyMetric: Double] = [:]
  package var units = PersonalUnits.stored
  package let commands: StartCommands
  /// Whether a time zone that is set takes effect at once; else the server has to be started again.
  package var takesZoneAtOnce = false
  /// Nil if the person has a time zone.
  package var missingZone: MissingZone?

  package init(storeName: String, commands: StartCommands) {
    (self.storeName, self.commands) = (storeName, commands)
  }
}

/// That a person has no time zone, so that the machine's stands in (R43).
package struct MissingZone: Hashable, Sendable {
  let machine: String
  /// What was posted and waits for a zone.
  let rows: String?
  /// A zone that fits those rows.
  let fitting: String?

  package init(machine: String, rows: String?, fitting: String?) {
    (self.machine, self.rows, self.fitting) = (machine, rows, fitting)
  }
}

/// The newest sample of the heart rate, or the latest value of another metric.
package struct Pulse: Hashable, Sendable {
  package let value: Double
  package let at: Timestamp

  package init(value: Double, at: Timestamp) { (self.value, self.at) = (value, at) }
}

/// What the dashboard shows of a store (R59); its parts are functions of this value alone.
package struct DashboardContent: Sendable {
  package let settings: DashboardSettings
  package let today: CalendarDate
  /// Nil where no sample of today is known.
  package let pulse: Pulse?
  /// The first of these dates that has data; nil if none has. If these are not all dates, an earlier one may
  /// have data too.
  package let first: CalendarDate?
  /// One complete report for each range up to today.
  package let reports: [DashboardSpan: RangeReport]

  /// - Parameters:
  ///   - spans: the ranges to make.
  ///   - verdicts: by date, at least those of `range(upTo:_:)` of the longest of them.
  /// - Throws: `LedgerError` if a range can't be made, or a date is not among the verdicts: a part is
  ///   never shown as the whole (R33).
  package init(
    _ settings: DashboardSettings, today: CalendarDate, madeAt: Timestamp,
    spans: [DashboardSpan] = DashboardSpan.allCases,
    verdicts: [CalendarDate: DayVerdict], pulse: Pulse? = nil
  ) throws(LedgerError) {
    (self.settings, self.today, self.pulse) = (settings, today, pulse)
    first = verdicts.lazy.filter { $0.value.status != .missing }.map(\.key).min()
    var reports: [DashboardSpan: RangeReport] = [:]
    for span in spans {
      var range = try span.range(upTo: today)
      // A year that begins before the first day would be mostly empty.
      if span == .year, let first, let week = today.adding(days: -6) {
        range = try DateRange(from: max(range.from, min(first, week)), to: today)
      }
      var report = RangeReport(
        storeName: settings.storeName, range: range, madeAt: madeAt, today: today,
        maker: "s3healthd")
      report.units = settings.units
      let lead = range.from.adding(days: -Self.leadDays(span)) ?? range.from
      for date in try DateRange(from: lead, to: today, maximumDays: .max).dates {
        if let verdict = verdicts[date] { report.add(verdict) }
      }
      guard report.isWhole else {
        throw LedgerError(
          .internal, "the dashboard has \(report.days.count) of \(range.count) days", rule: "R33",
          remedy: "please report this as a fault of the program")
      }
      reports[span] = report
    }
    self.reports = reports
  }

  /// Days before a span that its means and its comparison need.
  private static func leadDays(_ span: DashboardSpan) -> Int {
    max(span.days, RangeReport.leadDays)
  }

  /// Whether all ranges are there.
  package var isWhole: Bool { reports.count == DashboardSpan.allCases.count }

  /// The dates whose verdicts the ranges up to a span need.
  package static func range(
    upTo today: CalendarDate, _ span: DashboardSpan = .year
  ) throws(LedgerError) -> DateRange {
    let days = span.days + leadDays(span)
    return try DateRange(
      from: today.adding(days: 1 - days) ?? today, to: today, maximumDays: days)
  }

  /// The last days, today last: what the cards of today compare with.
  var recent: [ReportDay] {
    (reports[.week]?.before.suffix(1) ?? []) + (reports[.week]?.days ?? [])
  }

  /// The latest value of a metric today; nil without one, and where it is doubtful.
  func latest(of metric: DailyMetric) -> Pulse? {
    guard let day = recent.last, day.date == today, let latest = day.latest[metric],
      let at = latest.at, !metric.isDoubtful(latest.value)
    else { return nil }
    return Pulse(value: latest.value, at: at)
  }
}

/// How far back the trends go.
package enum DashboardSpan: String, CaseIterable, Hashable, Sendable {
  case week
  case month
  case year

  package var days: Int {
    switch self {
    case .week: 7
    case .month: 30
    case .year: 366
    }
  }

  func range(upTo today: CalendarDate) throws(LedgerError) -> DateRange {
    try DateRange(from: today.adding(days: 1 - days) ?? today, to: today)
  }
}

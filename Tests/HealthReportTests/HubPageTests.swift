import HealthLedger
import HealthModel
import StoreTesting
import TestSupport
import Testing

@testable import HealthReport

/// The hub's pages of a day and of a metric, and their addresses.
@Suite(.process) struct HubPageTests {
  private static let frame = PageFrame(user: .init(name: "me", formKey: "0"), title: nil)

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `R59: an address is one of the pages or none, and is written anew`() throws {
    let date = try #require(CalendarDate("2026-02-08"))
    for place in [
      .today(), .today(.year), .status, .day(date), .metric(.steps),
      .metric(.weight, .all, to: date),
    ] as [PagePlace] {
      let parts = place.address.split(separator: "?", maxSplits: 1)
      let query =
        parts.count < 2
        ? []
        : parts[1].split(separator: "&").map {
          $0.split(separator: "=").map(String.init)
        }
      let members = Dictionary(uniqueKeysWithValues: query.map { ($0[0], $0[1]) })
      #expect(PagePlace(String(parts[0]), members) == place)
    }
    for other in [
      "", "//evil.example", "https://evil.example/", "/day/2026-02-30", "/day/", "/metric/none",
      "/day/2026-02-08/", "/day//evil.example", "/sign-out", "/\\evil.example",
    ] {
      #expect(PagePlace(other, [:]) == nil, "\(other)")
    }
  }

  @Test func `R59: a number is shown in the units that a person likes, and a table too`() throws {
    let units = try #require(PersonalUnits("lb, MI,°F , kJ,mmol/L"))
    func text(_ metric: DailyMetric, _ value: Double) -> String {
      PersonUnit(metric, greatest: value, in: units).text(value)
    }
    #expect(text(.weight, 71.214002) == "157.0 lb")
    #expect(text(.distance, 1609.344) == "1.00 mi")
    #expect(text(.bodyTemperature, 37) == "98.6 °F")
    #expect(text(.activeEnergy, 100) == "418 kJ")
    #expect(text(.bloodGlucose, 100) == "5.6 mmol/L")
    #expect(text(.walkingSpeed, 8.04672) == "5.00 mph")
    #expect(text(.steps, 100) == "100 steps" && text(.fat, 12) == "12.0 g")
    #expect(PersonUnit(.bodyTemperature, greatest: 38, in: units).change(1) == "+1.8")
    #expect(units.cell(71.214002, of: .weight) == "157" && units.cell(8432, of: .steps) == "8,432")
    #expect(PersonalUnits("parsec") == nil && PersonalUnits("") == .stored)
    let scale = AxisScale(
      36...38, PersonUnit(.bodyTemperature, greatest: 38, in: units), isFromZero: false)
    #expect(scale.ticks.first?.label == "96" && scale.ticks.last?.label == "102")
  }

  @Test func `R59: a day shows its night, heart, workouts, numbers and what revisions changed`()
    async throws
  {
    let sample = SampleRange()
    try await sample.publish(
      "2026-02-08", SampleRange.all(8000, except: [.sleepAsleep: .value(60)]))
    let first = try #require(try await sample.ledger.resolve(sample.date("2026-02-08")).latest)
    let verdict = try await sample.ledger.verify(sample.date("2026-02-08"), known: nil)
    let day = first.revision.day
    var content = DayContent(
      verdict, today: try sample.date("2026-02-11"), madeAt: SampleRange.madeAt,
      settings: DashboardSettings(storeName: "s", commands: .sample))
    let changed = String(decoding: first.body, as: UTF8.self)
      .replacingOccurrences(of: #""steps":8000"#, with: #""steps":9000"#)
    content.revisionCount = 1
    content.revisions = [
      .init(
        id: first.id, madeAt: "<now>",
        difference: RevisionDifference(
          from: try JSONValue(parsing: first.body), to: try JSONValue(parsing: Array(changed.utf8)))
      )
    ]
    let start = day.start.timestamp.secondsSince1970
    var course = DayCourse(day)
    course.heart = [(start + 60, 50), (start + 120, 70), (start + 3600, 90)].map {
      DayCourse.Beat(at: $0, $1)
    }
    course.sleep = [(.asleepDeep, start - 3600..<start), (.awake, start..<start + 600)]
    course.workouts = [
      Workout(
        id: "a", activity: "<b>Run", start: Int64(start + 7200), end: Int64(start + 9000),
        source: "", figures: [.distance: 5000])
    ]
    content.course = course
    let page = text(DayPage(content).bytes(in: Self.frame))
    #expect(page.contains("From 23:00 to 00:10: Asleep 1 h, Awake 10 min, Deep 1 h"), "\(page)")
    #expect(page.contains("<li><b>Asleep 1 h</b></li>"), "what was slept leads, without waking")
    #expect(page.contains("Heart rate over the day: lowest 50 bpm, highest 90 bpm"))
    #expect(page.contains("&lt;b&gt;Run") && !page.contains("<b>Run"))
    #expect(page.contains("02:00 to 02:30") && page.contains("30 min, 5.00 km"))
    #expect(page.contains("Steps: 8,000 steps → 9,000 steps (+1,000)"))
    #expect(page.contains(#"href="/day/2026-02-07""#) && page.contains(#"href="/day/2026-02-09""#))
    #expect(page.contains("<b>8,000 steps</b>"))
    #expect(!page.contains("data-events"), "a day that is over stands still")
  }

  @Test func `R59: a night that could not be read as a whole has no total on its page`()
    async throws
  {
    let sample = SampleRange()
    try await sample.publish(
      "2026-02-08", SampleRange.all(8000, except: [.sleepAsleep: .unsupported]))
    let verdict = try await sample.ledger.verify(sample.date("2026-02-08"), known: nil)
    var content = DayContent(
      verdict, today: try sample.date("2026-02-11"), madeAt: SampleRange.madeAt,
      settings: DashboardSettings(storeName: "s", commands: .sample))
    let day = try #require(verdict.latest).revision.day
    var course = DayCourse(day)
    let start = day.start.timestamp.secondsSince1970
    course.sleep = [(.asleepREM, start - 5400..<start)]
    content.course = course
    let page = text(DayPage(content).bytes(in: Self.frame))
    #expect(page.contains("<li><b>Asleep: not known; what could be read is shown</b></li>"))
    #expect(page.contains("REM 1 h 30 min") && !page.contains("Asleep 1 h"), "\(page)")
  }

  @Test func `R59: a number of a day opens to its sources, without a script`() async throws {
    let sample = SampleRange()
    try await sample.publish("2026-02-08", SampleRange.all(8000))
    try await sample.publish(
      "2026-02-08", [.steps: .value(3000), .sleepAsleep: .noData], source: .healthAutoExport,
      capturedAt: sample.moment("2026-02-08T07:12:00Z"))
    let verdict = try await sample.ledger.verify(sample.date("2026-02-08"), known: nil)
    let content = DayContent(
      verdict, today: try sample.date("2026-02-11"), madeAt: SampleRange.madeAt,
      settings: DashboardSettings(storeName: "s", commands: .sample))
    let page = text(DayPage(content).bytes(in: Self.frame))
    let (shown, other) = ("<code>healthkit</code>", "<code>health_auto_export</code>")
    #expect(
      page.contains(
        "<td><details><summary><b>8,000 steps</b></summary><ul>"
          + "<li>8,000 steps from \(shown), all of the day, read 2026-02-11T00:00:00Z</li>"
          + "<li>Not shown: 3,000 steps from \(other), the day until 08:12, "
          + "read 2026-02-08T07:12:00Z</li></ul></details></td>"), "\(page)")
    #expect(page.contains("<li>Not shown: no data from \(other), the night until 08:12, read "))
  }

  @Test(arguments: [false, true])
  func `R33, R59: the page of a day says what was captured before its end`(hasWeight: Bool)
    async throws
  {
    let sample = SampleRange()
    try await sample.publish(
      "2026-02-08", SampleRange.all(8000), capturedAt: sample.moment("2026-02-08T07:00:00Z"))
    if hasWeight { try await sample.publish("2026-02-08", [.weight: .value(71)]) }
    let verdict = try await sample.ledger.verify(sample.date("2026-02-08"), known: nil)
    let content = DayContent(
      verdict, today: try sample.date("2026-02-11"), madeAt: SampleRange.madeAt,
      settings: DashboardSettings(storeName: "s", commands: .sample))
    let page = text(DayPage(content).bytes(in: Self.frame))
    #expect(page.contains("; captured at 08:00; ") == !hasWeight, "\(page)")
    #expect(page.contains("<b>8,000 steps</b><small> captured at 08:00</small>") == hasWeight)
    #expect(!page.contains("71 kg</b><small>"))
  }

  @Test func `R59: a day that is not over is hollow, and in no scale of a metric's page`()
    async throws
  {
    let sample = SampleRange()
    for day in 5...10 {
      try await sample.publish("2026-02-\(day < 10 ? "0" : "")\(day)", SampleRange.all(4000))
    }
    try await sample.publish("2026-02-11", SampleRange.all(90_000))
    let report = try await sample.report("2026-02-05", "2026-02-11")
    let page = text(
      try MetricPage(.steps, .week, to: nil, report: report).bytes(in: Self.frame))
    #expect(page.contains(#"class="part""#) && page.contains("90,000 so far"))
    #expect(page.contains(">4,000</text>") && !page.contains(">100,000</text>"))
    #expect(page.contains("Previous week") && !page.contains("Next week"))
    #expect(page.contains(#"href="/metric/steps?span=week&amp;to=2026-02-04""#))
    #expect(page.contains(#"<tr data-place="6">"#))
    let past = text(
      try MetricPage(
        .steps, .week, to: try sample.date("2026-02-08"),
        report: try await sample.report("2026-02-02", "2026-02-08")
      ).bytes(in: Self.frame))
    #expect(past.contains("Next week") && !past.contains(#"class="part""#))
  }

  /// What the dashboard shows of 2026-02-11.
  private func today(_ sample: SampleRange) async throws -> DashboardContent {
    let today = try sample.date("2026-02-11")
    var verdicts: [CalendarDate: DayVerdict] = [:]
    try await sample.ledger.verify(DashboardContent.range(upTo: today)) { verdicts[$0.date] = $0 }
    return try DashboardContent(
      DashboardSettings(storeName: "s", commands: .sample), today: today,
      madeAt: SampleRange.madeAt,
      verdicts: verdicts, pulse: Pulse(value: 61.4, at: SampleRange.published))
  }

  @Test(arguments: [false, true])
  func `R43, R59: a missing time zone is shown with the command that sets it`(
    isAtOnce: Bool
  ) async throws {
    let sample = SampleRange()
    let today = try sample.date("2026-02-11")
    func page(isEmpty: Bool, _ missing: MissingZone?) async throws -> String {
      if !isEmpty { try await sample.publish("2026-02-08", SampleRange.all(8000)) }
      var verdicts: [CalendarDate: DayVerdict] = [:]
      try await sample.ledger.verify(DashboardContent.range(upTo: today)) { verdicts[$0.date] = $0 }
      var settings = DashboardSettings(storeName: "s", commands: .sample)
      (settings.takesZoneAtOnce, settings.missingZone) = (isAtOnce, missing)
      return text(
        TodayPart(
          try DashboardContent(
            settings, today: today, madeAt: SampleRange.madeAt, verdicts: verdicts)
        ).part.bytes)
    }
    let rows = "this machine's does not fit: rows are written at UTC+08:00"
    let waiting = MissingZone(machine: "UTC", rows: rows, fitting: "Asia/Singapore")
    let first = try await page(isEmpty: true, waiting)
    #expect(first.contains("Data is stored and waits") && first.contains("UTC+08:00"), "\(first)")
    #expect(first.contains("<code>set-it --timezone Asia/Singapore</code>"))
    #expect(first.contains("start the server again") != isAtOnce)
    #expect(first.contains("No data yet"))
    let later = try await page(isEmpty: false, MissingZone(machine: "UTC", rows: nil, fitting: nil))
    #expect(later.contains("in UTC.") && later.contains("timezone NAME</code>"))
    #expect(try await !page(isEmpty: false, nil).contains("missing-zone"))
  }

  @Test func `R59: a latest value stands with its time, beside the mean`()
    async throws
  {
    let sample = SampleRange()
    let weighed: [DailyMetric: Double] = [
      .weight: 69.6, .weightLatest: 69, .weightLatestTime: 1145, .restingHeartRateLatest: 58,
      .restingHeartRateLatestTime: 420,
    ]
    for date in ["2026-02-08", "2026-02-11"] {
      try await sample.publish(date, SampleRange.all(60), optional: weighed)
    }
    let content = DayContent(
      try await sample.ledger.verify(sample.date("2026-02-08"), known: nil),
      today: try sample.date("2026-02-11"), madeAt: SampleRange.madeAt,
      settings: DashboardSettings(storeName: "s", commands: .sample))
    let day = text(DayPage(content).bytes(in: Self.frame))
    #expect(day.contains(">Latest weight, 19:05</a>") && day.contains("<b>69.0 kg</b>"))
    #expect(day.contains(">Latest resting heart rate, 07:00</a>"))
    #expect(day.contains(#"href="/metric/weight"#) && !day.contains("/metric/weight_latest"))
    #expect(!day.contains("Time of latest"))
    let now = text(TodayPart(try await today(sample)).part.bytes)
    #expect(now.contains(">Latest weight</a>") && now.contains("<dd>69.0 kg</dd>"))
    #expect(now.contains("<b>58</b> <small>bpm <time"))
    let report = try await sample.report("2026-02-05", "2026-02-11")
    let page = text(
      try MetricPage(.weightLatest, .week, to: nil, report: report).bytes(in: Self.frame))
    #expect(page.contains("69.6") && !page.contains("No number"))
  }

  @Test func `R59: a store without data says how the first comes, and one with data does not`()
    async throws
  {
    let sample = SampleRange()
    let empty = text(TodayPart(try await today(sample)).part.bytes)
    #expect(empty.contains("add --app health-auto-export --url <"))
    #expect(empty.contains("import-it") && empty.contains("add laptop"))
    try await sample.publish("2026-01-20", SampleRange.all())
    let content = try await today(sample)
    let page = text(TodayPart(content).part.bytes)
    #expect(!page.contains("add --app"))
    #expect(page.contains("<b>61</b> <small>bpm <time"), "the newest pulse, with its moment")
    #expect(content.reports[.year]?.range.from == (try sample.date("2026-01-20")))
    #expect(content.reports[.month]?.range.count == 30)
  }
}

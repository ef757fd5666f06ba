import Foundation
import HealthModel
import Testing

@testable import HealthCollector
@testable import HealthLedger

/// What becomes of samples and of other collectors' revisions (R49).
@Suite(.unit) struct DerivedFiguresTests {
  private func day() throws -> ReportingDay {
    try ReportingDay(date: try #require(CalendarDate("2026-03-02")), timeZoneName: "UTC")
  }

  private func other(
    _ readings: [DailyMetric: MetricReading], at moment: String, published: String? = nil,
    covers: MetricCoverage? = nil, words: Set<DailyMetric>? = nil
  ) throws -> DerivedFigures.Other {
    let captured = try #require(Timestamp(moment))
    let written = try published.map { try #require(Timestamp($0)) } ?? captured
    let draft = DayDraft(
      day: try day(), collector: Collector(collectorID: UUID(), deviceID: UUID()),
      readings: readings, covers: covers, capturedAt: captured)
    return DerivedFigures.Other(
      id: RevisionID(at: written, entropy: 1), revision: draft.revision(at: written), words: words)
  }

  private func figures(
    _ readings: [DailyMetric: MetricReading], _ others: [DerivedFigures.Other],
    whole: [DailyMetric: Timestamp] = [:], payloads: PayloadNumbers = PayloadNumbers()
  ) throws -> DerivedFigures {
    DerivedFigures(
      readings: readings, whole: whole, payloads: payloads, others: others, day: try day())
  }

  private func row(
    _ metric: DailyMetric, _ number: Double, at moment: String
  ) throws -> PayloadNumbers {
    var payloads = PayloadNumbers()
    payloads.dayRows[metric] = CapturedNumber(
      number, capturedAt: try #require(Timestamp(moment)))
    return payloads
  }

  @Test func `a sum comes from the source that read after the day, and is never added up (R49)`()
    throws
  {
    let complete = try other([.steps: .value(12_000)], at: "2026-03-03T08:00:00Z")
    #expect(try figures([.steps: .value(40)], [complete]).readings[.steps] == .value(12_000))
    #expect(try figures([.steps: .value(13_000)], [complete]).readings[.steps] == .value(12_000))
    let newer = try other([.steps: .value(11_900)], at: "2026-03-04T08:00:00Z")
    #expect(try figures([:], [complete, newer]).readings[.steps] == .value(11_900))
  }

  @Test func `of an unfinished day the larger sum counts (R49)`() throws {
    let morning = try other([.steps: .value(3000)], at: "2026-03-02T23:59:59Z")
    #expect(try figures([.steps: .value(40)], [morning]).readings[.steps] == .value(3000))
    #expect(try figures([.steps: .value(4000)], [morning]).readings[.steps] == .value(4000))
  }

  @Test func `a clock that is ahead does not make an unfinished day complete (R20, R49)`() throws {
    let ahead = try #require(Timestamp("2026-03-09T08:00:00Z"))
    let written = try #require(Timestamp("2026-03-02T12:00:00Z"))
    let draft = DayDraft(
      day: try day(), collector: Collector(collectorID: UUID(), deviceID: UUID()),
      readings: [.steps: .value(3000)], capturedAt: ahead)
    let other = DerivedFigures.Other(
      id: RevisionID(at: written, entropy: 1), revision: draft.revision(at: written))
    #expect(try figures([.steps: .value(4000)], [other]).readings[.steps] == .value(4000))
  }

  /// A night's summary in the morning: six hours, five of them in stages.
  private func summary() throws -> PayloadNumbers {
    var payloads = PayloadNumbers()
    let minutes: [DailyMetric: Double] = [
      .sleepAsleep: 360, .sleepCore: 180, .sleepDeep: 60, .sleepREM: 60, .sleepAwake: 30,
      .sleepInBed: 400,
    ]
    for (metric, minutes) in minutes {
      payloads.dayRows[metric] = try row(metric, minutes, at: "2026-03-02T08:00:00Z")
        .dayRows[metric]
    }
    return payloads
  }

  @Test
  func `stages of a summary are not mixed with those of samples that stopped early (R18, R55)`()
    throws
  {
    let samples: [DailyMetric: MetricReading] = [
      .sleepAsleep: .value(180), .sleepCore: .value(120), .sleepDeep: .value(60),
    ]
    let night = try figures(samples, [], payloads: summary())
    #expect(night.readings == samples.merging([.sleepInBed: .value(400)]) { $1 })
  }

  @Test
  func
    `stages of a summary that come to more than the sleep of the samples do not count (R18, R55)`()
    throws
  {
    let short = try figures([.sleepAsleep: .value(290)], [], payloads: summary())
    #expect(short.readings == [.sleepAsleep: .value(290), .sleepInBed: .value(400)])
    // Samples of a whole night, from a tracker without stages.
    let long = try figures([.sleepAsleep: .value(350)], [], payloads: summary())
    #expect(long.readings[.sleepREM] == .value(60) && long.readings[.sleepAwake] == .value(30))
    // Without samples, everything comes from the summary.
    let alone = try figures([:], [], payloads: summary())
    #expect(alone.readings[.sleepAsleep] == .value(360) && alone.readings[.sleepREM] == .value(60))
  }

  @Test func `a payload's stages do not count if an export shows less sleep (R55)`() throws {
    var rows = PayloadNumbers()
    rows.raw = [.sleepAsleep: 300, .sleepCore: 180, .sleepDeep: 60, .sleepREM: 60, .sleepAwake: 20]
    let stages: [DailyMetric] = [.sleepCore, .sleepDeep, .sleepREM, .sleepAwake]
    func night(
      _ readings: [DailyMetric: MetricReading], _ payloads: PayloadNumbers
    ) throws -> [Double?] {
      let export = try other(readings, at: "2026-03-03T08:00:00Z", covers: .everything)
      let found = try figures([:], [export], payloads: payloads).readings
      #expect(found[.sleepAsleep] == readings[.sleepAsleep])
      return stages.map { found[$0]?.number }
    }
    #expect(try night([.sleepAsleep: .value(290)], rows) == [nil, nil, nil, nil])
    #expect(
      try night([.sleepAsleep: .value(400), .sleepCore: .value(400)], rows) == [400, nil, nil, nil])
    #expect(try night([.sleepAsleep: .value(310)], rows) == [180, 60, 60, 20])
    #expect(try night([.sleepAsleep: .value(300)], rows) == [180, 60, 60, 20])
    // The same for a summary of the night.
    #expect(try night([.sleepAsleep: .value(290)], summary()) == [nil, nil, nil, nil])
  }

  @Test func `of means, extremes and sleep the samples count first (R49)`() throws {
    let complete = try other(
      [.restingHeartRate: .value(60), .sleepAsleep: .value(400), .heartRateMaximum: .value(180)],
      at: "2026-03-03T08:00:00Z")
    let made = try figures([.restingHeartRate: .value(51)], [complete])
    #expect(made.readings[.restingHeartRate] == .value(51))
    #expect(made.readings[.sleepAsleep] == .value(400))
    #expect(made.readings[.heartRateMaximum] == .value(180))
    #expect(
      try figures([.heartRateMaximum: .value(150)], [complete]).readings[.heartRateMaximum]
        == .value(150))
  }

  @Test func `an export made after the day comes before samples that stopped early (R49)`() throws {
    let metrics: [DailyMetric] = [.restingHeartRate, .sleepAsleep, .heartRateMaximum, .weight]
    let whole = Dictionary(uniqueKeysWithValues: metrics.map { ($0, MetricReading.value(60)) })
    let part = whole.mapValues { _ in MetricReading.value(31) }
    let export = try other(whole, at: "2026-03-03T08:00:00Z", covers: .everything)
    #expect(try figures(part, [export]).readings == whole)
    let unfinished = try other(whole, at: "2026-03-02T23:59:59Z", covers: .everything)
    #expect(try figures(part, [unfinished]).readings == part)
    // A later correction of one metric still counts.
    let corrected = try other([.weight: .value(59)], at: "2026-03-04T08:00:00Z")
    // Where the export's collector made it, its last word on that metric is the correction.
    let rest = try other(
      whole, at: "2026-03-03T08:00:00Z", covers: .everything,
      words: Set(DailyMetric.allCases).subtracting([.weight]))
    for export in [export, rest] {
      let made = try figures(part, [export, corrected]).readings
      #expect(made[.weight] == .value(59) && made[.sleepAsleep] == .value(60))
    }
  }

  @Test func `all samples of a later export correct what an earlier export said (R49)`() throws {
    let export = try other(
      [.weight: .value(700), .restingHeartRate: .value(60), .steps: .value(12_000)],
      at: "2026-03-03T08:00:00Z", covers: .everything)
    func made(_ own: [DailyMetric: Double], at moment: String) throws -> [DailyMetric: Double] {
      let moment = try #require(Timestamp(moment))
      let whole = Dictionary(
        uniqueKeysWithValues: [.weight, .restingHeartRate, .steps].map {
          (metric: DailyMetric) in (metric, moment)
        })
      return try figures(own.mapValues { .value($0) }, [export], whole: whole).readings
        .compactMapValues(\.number)
    }
    let said: [DailyMetric: Double] = [.weight: 700, .restingHeartRate: 60, .steps: 12_000]
    let more: [DailyMetric: Double] = [.weight: 70, .restingHeartRate: 61, .steps: 12_500]
    #expect(try made(more, at: "2026-03-04T08:00:00Z") == more)
    // Samples of the same export were rounded before they were sent (R44).
    #expect(try made(more, at: "2026-03-03T08:00:00Z") == said)
    // A mean whose samples were deleted is gone. The samples of a sum may not have arrived yet.
    #expect(
      try made([.steps: 11_000], at: "2026-03-04T08:00:00Z") == [.steps: 12_000])
  }

  @Test func `a row of the day that is newer than all samples and has more counts (R55)`() throws {
    let moment = try #require(Timestamp("2026-03-03T08:00:00Z"))
    func steps(_ number: Double, at row: String) throws -> MetricReading? {
      try figures(
        [.steps: .value(12_000)], [], whole: [.steps: moment],
        payloads: self.row(.steps, number, at: row)
      ).readings[.steps]
    }
    #expect(try steps(12_400, at: "2026-03-03T08:00:01Z") == .value(12_400))
    #expect(try steps(12_400, at: "2026-03-03T07:59:59Z") == .value(12_000))
    #expect(try steps(11_000, at: "2026-03-04T08:00:00Z") == .value(12_000))
  }

  @Test func `rows of hours do not replace the means of an export made after the day (R55)`() throws
  {
    var payloads = PayloadNumbers()
    payloads.raw = [.restingHeartRate: 51, .steps: 15_000]
    let export = try other(
      [.restingHeartRate: .value(60), .steps: .value(12_000)], at: "2026-03-03T08:00:00Z",
      covers: .everything)
    let made = try figures([:], [export], payloads: payloads).readings
    #expect(made == [.restingHeartRate: .value(60), .steps: .value(12_000)])
  }

  @Test func `a row of the day that has more than an earlier export counts (R55)`() throws {
    let export = try other(
      [.steps: .value(12_000)], at: "2026-03-03T08:00:00Z", covers: .everything)
    func steps(_ number: Double, at moment: String) throws -> MetricReading? {
      try figures([:], [export], payloads: try row(.steps, number, at: moment)).readings[.steps]
    }
    // A watch was out of reach until noon.
    #expect(try steps(12_400, at: "2026-03-03T12:00:00Z") == .value(12_400))
    // A smaller number may have waited in a queue; a larger one may include what was deleted since.
    #expect(try steps(9000, at: "2026-03-03T12:00:00Z") == .value(12_000))
    #expect(try steps(12_400, at: "2026-03-03T07:00:00Z") == .value(12_000))
  }

  @Test func `an export that kept one newer number still counts as complete (R20, R49)`() throws {
    let kept = try other(
      [.steps: .value(12_500), .weight: .value(80)], at: "2026-03-03T08:00:00Z",
      covers: .metrics(Set(DailyMetric.allCases).subtracting([.steps])))
    #expect(try figures([.weight: .value(71)], [kept]).readings[.weight] == .value(80))
    let payload = try other(
      [.weight: .value(80)], at: "2026-03-03T08:00:00Z", covers: .metrics([.weight]))
    #expect(try figures([.weight: .value(71)], [payload]).readings[.weight] == .value(71))
  }

  @Test(arguments: [DailyMetric.steps, .weight])
  func `a row of the day does not count if a later export has no data for it (R55)`(
    metric: DailyMetric
  ) throws {
    let export = try other(
      [.standHours: .value(9)], at: "2026-03-03T08:00:00Z", covers: .everything)
    let deleted = try row(metric, 70, at: "2026-03-03T07:00:00Z")
    #expect(try figures([:], [export], payloads: deleted).readings[metric] == nil)
    let late = try row(metric, 70, at: "2026-03-03T09:00:00Z")
    #expect(try figures([:], [export], payloads: late).readings[metric] == .value(70))
    // An export of the unfinished day proves nothing.
    let morning = try other(
      [.standHours: .value(3)], at: "2026-03-02T08:00:00Z", covers: .everything)
    let before = try row(metric, 70, at: "2026-03-02T07:00:00Z")
    #expect(try figures([:], [morning], payloads: before).readings[metric] == .value(70))
  }

  @Test func `a number counts before a reason for a missing one (R49)`() throws {
    let denied = try other(
      [.steps: .unauthorized, .standHours: .unauthorized], at: "2026-03-03T08:00:00Z")
    let made = try figures([.steps: .value(40), .exerciseMinutes: .unsupported], [denied])
    #expect(made.readings[.steps] == .value(40))
    #expect(made.readings[.standHours] == .unauthorized)
    #expect(made.readings[.exerciseMinutes] == .unsupported)
    #expect(made.readings[.activeEnergy] == nil)
  }

  @Test
  func `data that was read before the day's end is not complete, whenever it is published (R49)`()
    throws
  {
    let evening = try other(
      [.steps: .value(3000)], at: "2026-03-02T20:00:00Z", published: "2026-03-03T08:00:00Z")
    #expect(try figures([.steps: .value(4000)], [evening]).readings[.steps] == .value(4000))
    let last = try other([.steps: .value(3000)], at: "2026-03-03T00:00:00Z")
    #expect(try figures([.steps: .value(4000)], [last]).readings[.steps] == .value(3000))
  }

  @Test(arguments: [DailyMetric.steps, .weight])
  func `of two revisions of the whole day the newer one counts (R49)`(
    metric: DailyMetric
  ) throws {
    let newest = try other(
      [metric: .value(70)], at: "2026-03-03T08:00:00Z", published: "2026-03-05T08:00:00Z")
    let other = try other([metric: .value(71)], at: "2026-03-04T08:00:00Z")
    for others in [[newest, other], [other, newest]] {
      #expect(try figures([:], others).readings[metric] == .value(70))
    }
  }

  @Test func `a number that its collector has replaced does not count (R20, R49)`() throws {
    let old = try other(
      [.steps: .value(15_000), .weight: .value(70)], at: "2026-03-03T08:00:00Z", words: [.weight])
    #expect(try figures([:], [old]).readings == [.weight: .value(70)])
  }

  @Test func `a day that is not over has the largest sum that any source gives (R49, R55)`() throws
  {
    let others = try [
      other([.steps: .value(3000)], at: "2026-03-02T10:00:00Z"),
      other([.steps: .value(2000)], at: "2026-03-02T12:00:00Z"),
    ]
    #expect(try figures([.steps: .value(40)], others).readings[.steps] == .value(3000))
    var payloads = try row(.steps, 3500, at: "2026-03-02T23:00:00Z")
    #expect(try figures([:], others, payloads: payloads).readings[.steps] == .value(3500))
    #expect(
      try figures([.steps: .value(3600)], others, payloads: payloads).readings[.steps]
        == .value(3600))
    payloads.raw[.steps] = 3700
    #expect(
      try figures([.steps: .value(3600)], others, payloads: payloads).readings[.steps]
        == .value(3700))
  }

  @Test func `a mean comes from the first source that has one, in the order of R55`() throws {
    func made(_ own: Double?, _ raw: Double?, row: String?, _ others: [DerivedFigures.Other])
      throws -> Double?
    {
      var payloads = try row.map { try self.row(.restingHeartRate, 64, at: $0) } ?? PayloadNumbers()
      payloads.raw[.restingHeartRate] = raw
      let readings = own.map { [DailyMetric.restingHeartRate: MetricReading.value($0)] } ?? [:]
      return try figures(readings, others, payloads: payloads).readings[.restingHeartRate]?.number
    }
    let late = try other([.restingHeartRate: .value(63)], at: "2026-03-03T08:00:00Z")
    let early = try other([.restingHeartRate: .value(65)], at: "2026-03-02T08:00:00Z")
    let before = try other([.restingHeartRate: .value(66)], at: "2026-03-02T07:00:00Z")
    let (whole, soFar) = ("2026-03-03T07:00:00Z", "2026-03-02T07:00:00Z")
    #expect(try made(61, 62, row: whole, [late]) == 61)
    #expect(try made(nil, 62, row: whole, [late]) == 62)
    #expect(try made(nil, nil, row: whole, [late]) == 63)
    #expect(try made(nil, nil, row: whole, [early]) == 64)
    #expect(try made(nil, nil, row: soFar, [early, before]) == 65)
    #expect(try made(nil, nil, row: soFar, []) == 64)
  }

  @Test func `only the newest export takes a row back, where it says that there is no data (R55)`()
    throws
  {
    let first = try other([.standHours: .value(9)], at: "2026-03-03T08:00:00Z", covers: .everything)
    let second = try other(
      [.standHours: .value(9)], at: "2026-03-03T10:00:00Z", covers: .everything)
    func steps(_ exports: [DerivedFigures.Other], at moment: String) throws -> MetricReading? {
      try figures([:], exports, payloads: row(.steps, 70, at: moment)).readings[.steps]
    }
    #expect(try steps([first, second], at: "2026-03-03T09:00:00Z") == nil)
    #expect(try steps([first], at: "2026-03-03T08:00:00Z") == nil)
    // About a number that it only kept, or could not read, an export says nothing.
    let kept = try other(
      [.steps: .value(60)], at: "2026-03-03T10:00:00Z",
      covers: .metrics(Set(DailyMetric.allCases).subtracting([.steps])))
    #expect(try steps([kept], at: "2026-03-03T09:00:00Z") == .value(70))
    let unread = try other(
      [.steps: .unsupported], at: "2026-03-03T10:00:00Z", covers: .everything)
    #expect(try steps([unread], at: "2026-03-03T09:00:00Z") == .value(70))
  }

  @Test func `samples of a later export do not take back an app's number (R49)`() throws {
    let app = try other([.weight: .value(70)], at: "2026-03-03T08:00:00Z")
    let later = try #require(Timestamp("2026-03-04T08:00:00Z"))
    #expect(try figures([:], [app], whole: [.weight: later]).readings[.weight] == .value(70))
  }

  @Test func `a payload's stages count beside samples of sleep that are as long (R18, R55)`()
    throws
  {
    func rem(_ samples: [DailyMetric: MetricReading], _ payloads: PayloadNumbers) throws -> Double?
    {
      try figures(samples, [], payloads: payloads).readings[.sleepREM]?.number
    }
    #expect(try rem([.sleepAsleep: .value(300)], summary()) == 60)
    #expect(try rem([.sleepAsleep: .value(350), .sleepCore: .value(120)], summary()) == nil)
    var rows = PayloadNumbers()
    rows.raw = [.sleepCore: 180, .sleepDeep: 60, .sleepREM: 60]
    #expect(try rem([.sleepAsleep: .value(300)], rows) == 60)
    #expect(try rem([.sleepAsleep: .value(290)], rows) == nil)
    // The sleep is an export's; the samples have less.
    let export = try other(
      [.sleepAsleep: .value(400)], at: "2026-03-03T08:00:00Z", covers: .everything)
    let night = try figures([.sleepAsleep: .value(180)], [export], payloads: rows).readings
    #expect(night[.sleepAsleep] == .value(400) && night[.sleepREM] == .value(60))
  }

  @Test func `a required metric in a form that can't be used is unsupported (R42, R55)`() throws {
    var payloads = PayloadNumbers()
    payloads.unsupported = [.steps, .exerciseMinutes, .weight]
    let made = try figures([.steps: .value(40)], [], payloads: payloads).readings
    #expect(made == [.steps: .value(40), .exerciseMinutes: .unsupported])
  }
}

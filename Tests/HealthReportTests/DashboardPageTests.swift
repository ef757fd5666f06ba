import Foundation
import HealthLedger
import HealthModel
import StoreTesting
import TestSupport
import Testing

@testable import HealthReport

/// The parts of the dashboard, made of real verdicts.
@Suite(.process) struct DashboardPageTests {
  private static let today = "2026-02-11"

  private struct Markup: Decodable {
    let tags: [String]
    let text: String
  }

  private func markup(_ pages: [[UInt8]]) async throws -> [Markup] {
    let question = ["pages": pages.map { String(decoding: $0, as: UTF8.self) }]
    let output = try await PeerPython.run(
      "page_markup.py", input: Array(try JSONEncoder().encode(question)))
    return try JSONDecoder().decode([Markup].self, from: Data(output))
  }

  private func content(
    _ sample: SampleRange, goal: Int = 10_000, storeName: String = "/home/ann/store"
  ) async throws -> DashboardContent {
    let today = try sample.date(Self.today)
    var verdicts: [CalendarDate: DayVerdict] = [:]
    try await sample.ledger.verify(DashboardContent.range(upTo: today)) { verdicts[$0.date] = $0 }
    var settings = DashboardSettings(storeName: storeName, commands: .sample)
    settings.goals = [.steps: Double(goal)]
    settings.title = storeName
    return try DashboardContent(
      settings, today: today, madeAt: SampleRange.madeAt, verdicts: verdicts)
  }

  private func text(_ part: HTMLPart) -> String { String(decoding: part.bytes, as: UTF8.self) }

  /// The page of today and that of the status, one after the other.
  private func page(
    _ content: DashboardContent, _ status: DashboardStatus, user: String = "me"
  ) throws -> [UInt8] {
    let frame = PageFrame(
      user: .init(name: user, formKey: "0123"), title: content.settings.title, event: "a-1")
    return DashboardPage(
      span: .month, today: TodayPart(content).part,
      trends: try #require(TrendsPart(content, .month)).part
    ).bytes(in: frame)
      + StatusPage(
        storeName: content.settings.storeName, coverage: try #require(CoveragePart(content)).part,
        status: StatusPart(status).part
      ).bytes(in: frame)
  }

  private func status(_ word: String = "phone") -> DashboardStatus {
    var status = DashboardStatus(since: SampleRange.madeAt)
    status.senders = [
      .init(name: word, endpoints: word, postedAt: nil),
      .init(name: "b", endpoints: "ingest", postedAt: SampleRange.madeAt),
    ]
    status.pushes = [
      .init(gateway: word, instance: word, lastSuccess: nil, failures: 3),
      .init(gateway: "b", instance: word, lastSuccess: SampleRange.madeAt, failures: 0),
    ]
    status.obstacle = word
    status.log = [.init(at: SampleRange.madeAt, text: word, isFailure: true)]
    return status
  }

  @Test(arguments: [
    (40.0, "0 % of 10,000 steps"), (6312, "63 % of 10,000 steps"), (9999, "99 % of 10,000 steps"),
    (10_000, "Goal reached! 100 % of 10,000 steps"),
    (25_010, "Goal reached! 250 % of 10,000 steps"),
  ])
  func `R59: the ring says how much of the goal is done, and never 100 per cent before it`(
    steps: Double, words: String
  ) async throws {
    let sample = SampleRange()
    try await sample.publish(Self.today, [.steps: .value(steps)])
    let part = text(TodayPart(try await content(sample)).part)
    #expect(part.contains(">\(words)<"), "\(part)")
    #expect(part.contains("Last updated"))
  }

  @Test
  func `R59: no data is never a 0: neither of today, nor of a day in the bars, nor in a mean`()
    async throws
  {
    let sample = SampleRange()
    try await sample.publish("2026-02-10", [.steps: .value(500), .restingHeartRate: .unauthorized])
    try await sample.publish("2026-02-08", [.steps: .value(100)])
    // What verification doubts, such as a 0 that stands for no data, is not a number either.
    try await sample.publish("2026-02-07", [.steps: .value(0)])
    let none = text(TodayPart(try await content(sample)).part)
    #expect(none.contains("Nothing has been published for today yet."))
    #expect(none.contains("no number of steps today") && none.contains("nothing published yet"))
    #expect(!none.contains("0 %"))
    #expect(none.contains("2026-02-09: no number; 2026-02-10: 500 steps; 2026-02-11: no number"))
    #expect(none.contains("Yesterday 500 steps</span> <span>Mean of 2 days 300 steps"))
    // Only the two days with a number have a bar, and none is today's.
    #expect(none.components(separatedBy: #"<rect class="then""#).count == 3)
    #expect(!none.contains(#"class="now""#))

    try await sample.publish(
      Self.today, [.steps: .value(0), .restingHeartRate: .unauthorized, .standHours: .unsupported])
    let some = text(TodayPart(try await content(sample)).part)
    for reason in [
      "not allowed to be read", "not measured here", "no data yet", "a doubtful number",
    ] {
      #expect(some.contains(reason), "\(reason)")
    }
    #expect(!some.contains("<b>0</b>"))
  }

  @Test func `R33, R59: a day captured before its end is hollow, says so, and is in no mean`()
    async throws
  {
    let sample = SampleRange()
    try await sample.publish(
      "2026-02-10", [.steps: .value(500)], capturedAt: sample.moment("2026-02-10T07:00:00Z"))
    try await sample.publish("2026-02-09", [.steps: .value(100)])
    let part = text(TodayPart(try await content(sample)).part)
    #expect(
      part.contains("Yesterday 500 steps captured at 08:00</span> <span>Mean of 1 day 100 steps"))
    #expect(part.contains("2026-02-09: 100 steps; 2026-02-10: 500 steps captured at 08:00; "))
    #expect(part.components(separatedBy: #"<rect class="then""#).count == 2)
    #expect(part.components(separatedBy: #"<rect class="now""#).count == 2)
  }

  @Test func `R59: what the day has beside the usual metrics is listed`() async throws {
    let sample = SampleRange()
    try await sample.publish(
      Self.today, SampleRange.all(), optional: [.weight: 71.5, .distance: 5240])
    let part = text(TodayPart(try await content(sample)).part)
    #expect(part.contains("Weight</a></dt><dd>71.5 kg</dd>"), "\(part)")
    #expect(part.contains("<b>5.24</b> <small>km</small>"))
    #expect(!part.contains("Distance on foot</a></dt>"))
  }

  @Test func `R59, R60: a day that is not what was written says so wherever its numbers stand`()
    async throws
  {
    let sample = SampleRange()
    let date = try sample.date("2026-02-09")
    try await sample.publish("2026-02-09", SampleRange.all(8432))
    try await sample.publish("2026-02-10", SampleRange.all(8432))
    func parts() async throws -> [String] {
      let content = try await content(sample)
      return [
        text(TodayPart(content).part), text(try #require(TrendsPart(content, .week)).part),
        text(try #require(CoveragePart(content)).part),
        String(
          decoding: try ReportPage(try await sample.report("2026-02-01", "2026-02-10")).bytes,
          as: UTF8.self),
      ]
    }
    for part in try await parts() { #expect(!part.contains("Damaged")) }
    let id = try #require(try await sample.ledger.resolve(date).latest?.id)
    let key = sample.ledger.layout.revisionKey(date, id)
    let object = try #require(try await sample.store.get(key, limit: .max))
    let changed = String(decoding: object.body, as: UTF8.self)
      .replacingOccurrences(of: "8432", with: "9432")
    _ = try await sample.store.put(key, Array(changed.utf8), if: .matches(object.etag))
    for part in try await parts() { #expect(part.contains("Damaged: 2026-02-09. "), "\(part)") }
  }

  @Test func `R33, R59: a dashboard without all of its days is refused`() async throws {
    let today = try #require(CalendarDate(Self.today))
    #expect(throws: LedgerError.self) {
      try DashboardContent(
        DashboardSettings(storeName: "s", commands: .sample), today: today,
        madeAt: SampleRange.madeAt, verdicts: [:])
    }
    #expect(try DashboardContent.range(upTo: today).count == 732)
  }

  @Test func `R59: the cards of a span are those of the report, and the other spans are links`()
    async throws
  {
    let sample = SampleRange()
    for day in 1...11 {
      try await sample.publish(
        "2026-02-\(day < 10 ? "0" : "")\(day)", SampleRange.all(Double(day)),
        optional: [.walkingSpeed: 4])
    }
    let content = try await content(sample)
    let week = text(try #require(TrendsPart(content, .week)).part)
    // The last seven days are 5 to 11, of which the last is not over.
    #expect(week.contains("Steps</a></h3><p class=\"last\"><b>7.5</b>"), "\(week)")
    #expect(week.contains("2026-02-05 to 2026-02-11"))
    #expect(week.contains("<summary>1 other metric</summary>"))
    let read = try await markup([page(content, status())])
    let spans = read[0].tags.filter { $0.hasPrefix("a href=/?span=") }
    #expect(
      spans
        == ["week", "month aria", "year"].map {
          "a href=/?span="
            + ($0.hasSuffix("aria") ? "month#trends-title aria-current" : "\($0)#trends-title")
        })
    #expect(read[0].tags.contains("script src=/dashboard.js defer"))
    #expect(read[0].tags.count { $0.hasPrefix("script") || $0.hasPrefix("style") } == 2)
    #expect(read[0].tags.count { $0.hasPrefix("h1") } == 2)
  }

  @Test func `R59: hostile names are text in the pages, and their markup stays the same`()
    async throws
  {
    let sample = SampleRange()
    try await sample.publish(Self.today, SampleRange.all())
    let plain = try page(try await content(sample, storeName: "x"), status("x"), user: "x")
    var random = SplitMix64(seed: 59)
    let names = (0..<60).map { _ in HostileTextTests.text(&random) }
    var pages = [plain]
    for name in names {
      let content = try await content(sample, storeName: name)
      pages.append(try page(content, status(name), user: name))
    }
    let read = try await markup(pages)
    for (name, markup) in zip(names, read.dropFirst()) {
      #expect(markup.tags == read[0].tags)
      // Line ends of a browser's reader are all newlines.
      #expect(markup.text.components(separatedBy: name.visible).count >= 6, "\(name.visible)")
    }
  }

  @Test func `R59: the sign-in page says what is wrong, and has no script`() async throws {
    let notices: [SignInPage.Notice?] = [
      nil, .unknownToken, .wrongScope, .tooManyAttempts(seconds: 1), .unavailable, .signedOut,
    ]
    let read = try await markup(notices.map { SignInPage($0).bytes })
    #expect(read.allSatisfy { $0.tags.allSatisfy { !$0.hasPrefix("script") } })
    #expect(read[0].tags.allSatisfy { !$0.contains("notice") })
    #expect(read.dropFirst().allSatisfy { $0.tags.contains { $0.contains(" role") } })
    #expect(read[3].text.contains("Try again in 1 second."))
  }
}

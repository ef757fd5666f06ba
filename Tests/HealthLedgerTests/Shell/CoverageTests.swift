import Foundation
import HealthModel
import TestSupport
import Testing

@testable import HealthLedger

/// What a source does not cover stays, and equal days are one revision, whoever collected them (R20).
@Suite(.unit) struct CoverageTests {
  private let bench = LedgerBench()

  /// What a source says of a few metrics.
  private func draft(
    _ readings: [DailyMetric: MetricReading] = [:], _ optional: [DailyMetric: Double] = [:],
    covers: MetricCoverage? = nil, by collector: Collector = Sample.collector,
    capturedAt: Timestamp = Sample.noon
  ) throws -> DayDraft {
    DayDraft(
      day: try ReportingDay(date: Sample.date(), timeZoneName: "Europe/Berlin"),
      collector: collector, readings: readings.with(optional), covers: covers,
      capturedAt: capturedAt)
  }

  private func other() -> Collector { Collector(collectorID: UUID(), deviceID: UUID()) }

  private func latest() async throws -> DailyRevision {
    try #require(try await bench.ledger.resolve(Sample.date()).latest?.revision)
  }

  private func count() async throws -> Int {
    try await bench.ledger.history(Sample.date()).count
  }

  /// Publishes as a bulk publish does; the metrics that the day kept.
  private func kept(_ draft: DayDraft) async throws -> [DailyMetric] {
    try await published(draft).kept
  }

  private func published(_ draft: DayDraft) async throws -> EarlierNumbers {
    var found = EarlierNumbers()
    try await bench.ledger.publish([draft]) { _, result in
      if case .done(_, _, let earlier) = result { found = earlier }
    }
    return found
  }

  @Test
  func `R20 a payload with steps alone keeps the energy, the sleep and the weight of the day`()
    async throws
  {
    _ = try await bench.ledger.publish(
      try draft(
        [
          .steps: .value(5000), .activeEnergy: .value(300), .sleepAsleep: .value(400),
          .standHours: .unauthorized,
        ],
        [.weight: 80], covers: .everything, by: other()))
    let first = try #require(try await bench.ledger.resolve(Sample.date()).latest?.id)
    #expect(
      try await kept(draft([.steps: .value(6000)])) == [.activeEnergy, .sleepAsleep, .weight])
    let shown = try await latest()
    #expect(shown.readings[.steps] == .value(6000) && shown.readings[.activeEnergy] == .value(300))
    #expect(shown.readings[.sleepAsleep] == .value(400) && shown.readings.optional == [.weight: 80])
    #expect(shown.readings[.standHours] == .unauthorized)
    #expect(shown.covers == .metrics([.steps]) && shown.keptFrom == first)
    #expect(shown.violations.isEmpty && DailyRevision.decode(shown.encoded).notes.isEmpty)
  }

  @Test(arguments: [false, true])
  func `R20 two automations with different metrics give the union, in either order`(
    swapped: Bool
  ) async throws {
    var drafts = [
      try draft([.steps: .value(5000)]), try draft([.activeEnergy: .value(300)], [.weight: 80]),
    ]
    if swapped { drafts.reverse() }
    for _ in 0..<3 {
      for draft in drafts { _ = try await bench.ledger.publish(draft) }
    }
    let shown = try await latest()
    #expect(shown.readings[.steps] == .value(5000) && shown.readings[.activeEnergy] == .value(300))
    #expect(shown.readings.optional == [.weight: 80])
    #expect(try await count() == 2)
  }

  @Test func `R20 an explicit status and a source that covers everything take numbers away`()
    async throws
  {
    _ = try await bench.ledger.publish(
      try draft([.steps: .value(1), .activeEnergy: .value(2)], [.weight: 3]))
    _ = try await bench.ledger.publish(
      try draft([.activeEnergy: .noData], covers: .metrics([.activeEnergy, .weight])))
    var shown = try await latest()
    #expect(shown.readings[.activeEnergy] == .noData && shown.readings.optional.isEmpty)
    #expect(shown.readings[.steps] == .value(1))
    _ = try await bench.ledger.publish(try draft([.activeEnergy: .value(9)], covers: .everything))
    shown = try await latest()
    #expect(shown.readings[.steps] == .noData && shown.covers == .everything)
  }

  @Test func `R19 a publish and its preview say which numbers are taken away`() async throws {
    _ = try await published(draft([.steps: .value(1), .activeEnergy: .value(2)], [.weight: 3]))
    let export = try draft([.steps: .value(5)], covers: .everything)
    var previews: [PublishPreview] = []
    try await bench.ledger.preview([export]) { _, preview in previews.append(preview) }
    let first = try await bench.ledger.resolve(Sample.date()).latest?.id
    let expected = EarlierNumbers(taken: [.activeEnergy, .weight])
    #expect(previews == [.wouldPublish(replacing: first, expected)])
    #expect(try await published(export) == expected)
    #expect(try await published(export) == EarlierNumbers())
    let other = try draft([.standHours: .value(5)])
    #expect(try await published(other) == EarlierNumbers(kept: [.steps]))
  }

  @Test func `R19 why a source has no number does not replace one`() async throws {
    _ = try await bench.ledger.publish(try draft([.steps: .value(1)]))
    let unable = try draft(
      [.steps: .unsupported, .standHours: .unsupported, .activeEnergy: .value(5)],
      covers: .metrics([.activeEnergy]))
    _ = try await bench.ledger.publish(unable)
    let shown = try await latest()
    #expect(shown.readings[.steps] == .value(1) && shown.readings[.standHours] == .unsupported)
  }

  @Test func `R20 two machines that say the same in turns write one revision`() async throws {
    let (laptop, nas) = (other(), other())
    for covers: MetricCoverage? in [nil, .everything] {
      for _ in 0..<4 {
        for collector in [laptop, nas] {
          _ = try await bench.ledger.publish(
            try draft(
              [.steps: .value(8)], covers: covers, by: collector,
              capturedAt: Sample.noon.adding(seconds: .random(in: 0...900))))
        }
      }
    }
    #expect(try await count() == 1)
  }

  @Test func `R21 many machines that say the same within a second write one revision`()
    async throws
  {
    let bench = bench
    let drafts = try (0..<8).map { _ in try draft([.steps: .value(8)], by: other()) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for draft in drafts {
        group.addTask { _ = try await bench.ledger.publish(draft) }
      }
      try await group.waitForAll()
    }
    #expect(try await count() == 1)
    for draft in drafts { _ = try await bench.ledger.publish(draft) }
    #expect(try await count() == 1)
  }

  @Test(arguments: [false, true])
  func `R20 a word that the newest revision has not seen does not undo what is said again`(
    isWhole: Bool
  ) async throws {
    // The writer of the third had not seen the second.
    let first = try draft([.activeEnergy: .value(400)])
    let hidden = try draft([.activeEnergy: .value(200)])
    var shown = try draft([.sleepAsleep: .value(420), .activeEnergy: .value(400)])
    (shown.covers, shown.keptFrom) = (.metrics([.sleepAsleep]), Sample.id(-30))
    for (draft, seconds) in [(first, -30), (hidden, -20), (shown, -10)] {
      try await bench.placeRevision(draft, Sample.id(seconds))
    }
    try await bench.placePointer(Sample.date(), to: Sample.id(-10))

    var again = try draft([.activeEnergy: .value(400)], by: other())
    if isWhole { (again.readings, again.covers) = (shown.readings, .everything) }
    guard case .published = try await bench.ledger.publish(again) else {
      Issue.record("not published")
      return
    }
    guard case .unchanged = try await bench.ledger.publish(again) else {
      Issue.record("published for ever")
      return
    }
    _ = try await bench.ledger.publish(try draft([.steps: .value(9000)]))
    let latest = try await latest()
    #expect(latest.readings[.activeEnergy] == .value(400))
    #expect(latest.readings[.sleepAsleep] == .value(420))
  }

  @Test func `R20 an export that is older than a payload brings what the payload does not have`()
    async throws
  {
    _ = try await bench.ledger.publish(
      try draft([.steps: .value(9000)], capturedAt: Sample.noon.adding(seconds: -60)))
    var export = try draft(
      [.steps: .value(8000), .sleepAsleep: .value(400)], [.weight: 80], covers: .everything,
      by: other(), capturedAt: Sample.noon.adding(seconds: -3600))
    export.keepsNewer = true
    guard case .published = try await bench.ledger.publish(export) else {
      Issue.record("not published")
      return
    }
    let shown = try await latest()
    #expect(shown.readings[.steps] == .value(9000) && shown.readings[.sleepAsleep] == .value(400))
    #expect(shown.readings.optional == [.weight: 80] && !shown.covers.contains(.steps))
    // Once more: nothing is left to say but the steps, which stay.
    guard case .keptNewer = try await bench.ledger.publish(export) else {
      Issue.record("not kept")
      return
    }
    #expect(try await count() == 2)
  }

  @Test(arguments: [false, true])
  func `R20 what the day has below a damaged or unreadable revision stays`(
    isReadable: Bool
  ) async throws {
    _ = try await bench.ledger.publish(try draft([.steps: .value(5000)], [.weight: 80]))
    let spoilt = try await bench.ledger.publish(try draft([.activeEnergy: .value(300)])).revisionID
    let key = bench.ledger.layout.revisionKey(try Sample.date(), spoilt)
    let body = String(decoding: try #require(bench.memory.contents[key]).body, as: UTF8.self)
    let changed = isReadable ? body.replacing("5000", with: "9000") : "{"
    try await bench.place(key.rawValue, Array(changed.utf8))
    #expect(bench.pointer(try Sample.date()) == spoilt)

    let found = try await published(draft([.standHours: .value(9)]))
    #expect(found.kept == [.steps, .weight])
    // A revision that cannot be read does not say what it had.
    #expect(found.lost == (isReadable ? [.activeEnergy] : []))
    #expect(found.unreadable == (isReadable ? [] : [spoilt]))
    let shown = try await latest()
    #expect(shown.readings[.steps] == .value(5000) && shown.readings.optional == [.weight: 80])
    #expect(shown.readings[.activeEnergy] == .noData)
    // The same again stores no further revision, and what comes above loses nothing more.
    _ = try await bench.ledger.publish(try draft([.standHours: .value(9)]))
    #expect(try await count() == 3)
    let next = try await published(draft([.standHours: .value(10)]))
    #expect(next.lost.isEmpty && next.unreadable.isEmpty)
  }

  @Test
  func `R20 an older export does not replace what is below an unreadable revision`()
    async throws
  {
    let late = Sample.noon.adding(seconds: -60)
    _ = try await bench.ledger.publish(try draft([.steps: .value(9000)], capturedAt: late))
    let spoilt = try await bench.ledger.publish(
      try draft([.activeEnergy: .value(300)], capturedAt: late)
    ).revisionID
    let key = bench.ledger.layout.revisionKey(try Sample.date(), spoilt).rawValue
    try await bench.place(key, Array("{".utf8))
    var export = try draft(
      [.steps: .value(8000), .sleepAsleep: .value(400)], covers: .everything, by: other(),
      capturedAt: Sample.noon.adding(seconds: -3600))
    export.keepsNewer = true
    _ = try await bench.ledger.publish(export)
    let shown = try await latest()
    #expect(shown.readings[.steps] == .value(9000) && shown.readings[.sleepAsleep] == .value(400))
  }

  @Test func `R20 a payload over a derived day keeps its figures, and says which are its own`()
    async throws
  {
    _ = try await bench.ledger.publish(
      try draft(
        [.steps: .value(100), .restingHeartRate: .value(51)], covers: .everything, by: .derivation))
    let own = try draft([.activeEnergy: .value(300)])
    _ = try await bench.ledger.publish(own)
    let shown = try await latest()
    #expect(shown.readings[.steps] == .value(100) && shown.readings[.activeEnergy] == .value(300))
    #expect(shown.covers == .metrics([.activeEnergy]))
    _ = try await bench.ledger.publish(
      try draft(
        [.steps: .value(120), .restingHeartRate: .value(51), .activeEnergy: .value(310)],
        covers: .everything, by: .derivation))
    for _ in 0..<2 {
      guard case .unchanged = try await bench.ledger.publish(own) else {
        Issue.record("published again")
        return
      }
    }
    #expect(try await latest().readings[.activeEnergy] == .value(310))
  }

  @Test func `R14 what a later version has written stays when a source adds its metrics`()
    async throws
  {
    var first = try draft([.steps: .value(1)])
    first.unknownMembers = ["mood": .string("good"), "metrics": .object(["mood": .number(3)])]
    _ = try await bench.ledger.publish(first)
    _ = try await bench.ledger.publish(try draft([.activeEnergy: .value(2)]))
    #expect(try await latest().unknownMembers == first.unknownMembers)
  }

  @Test(arguments: ["\"steps\"", "[1]", "{}"])
  func `R20 members that cannot be read break the rule, and hide nothing`(covers: String) throws {
    let text = String(
      decoding: try draft([.steps: .value(7)]).revision(at: Sample.noon).encoded, as: UTF8.self)
    let spoilt = text.replacingOccurrences(of: "[\"steps\"]", with: covers)
      .replacingOccurrences(of: "\"metric_status\"", with: "\"kept_from\":\"x\",\"metric_status\"")
    let decoded = DailyRevision.decode(Array(spoilt.utf8))
    #expect(decoded.revision?.readings[.steps] == .value(7))
    #expect(decoded.violations.map(\.pointer) == ["/covers", "/kept_from", "/digest"])
  }
}

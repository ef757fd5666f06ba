import Foundation
import HealthModel
import Testing

@testable import HealthLedger

/// R20, R49: what a draft adds to a day whose newest revision is a derived one.
@Suite(.unit) struct SpokenWordsTests {
  private typealias Day = SurveyedDay
  private let other = Collector(collectorID: UUID(), deviceID: UUID())
  private let both: MetricCoverage = .metrics([.steps, .activeEnergy])

  /// What was derived half a minute before noon.
  private func derived(_ steps: Double = 7, energy: Double? = nil) throws -> DayDraft {
    var readings: [DailyMetric: MetricReading] = [.steps: .value(steps)]
    readings[.activeEnergy] = energy.map { .value($0) }
    return try Day.draft(readings, covers: .everything, by: .derivation, captured: -30)
  }

  private func word(
    _ steps: Double? = nil, energy: Double? = nil, by collector: Collector = Sample.collector,
    captured: Int = -90, keepsNewer: Bool = false, covers: MetricCoverage? = nil
  ) throws -> DayDraft {
    var readings: [DailyMetric: MetricReading] = [:]
    readings[.steps] = steps.map { .value($0) }
    readings[.activeEnergy] = energy.map { .value($0) }
    return try Day.draft(
      readings, covers: covers, by: collector, captured: captured, keepsNewer: keepsNewer)
  }

  private func same(_ seconds: Int) -> DaySurvey.Finding {
    .same(Sample.id(seconds), newest: Sample.id(-30))
  }

  private func newer(_ seconds: Int, captured: Int) -> DaySurvey.Finding {
    .keepsNewer(
      Sample.id(seconds), capturedAt: Sample.noon.adding(seconds: captured), newest: Sample.id(-30))
  }

  @Test
  func `R20 the newest words of a collector are compared together, whatever revisions they are in`()
    throws
  {
    let day = try Day([-90: word(energy: 5), -60: word(2), -30: derived()])
    #expect(day.survey(try word(2, energy: 5)) == same(-60))
    // The newest word on a metric counts.
    let changed = try Day([-90: word(1, energy: 5), -60: word(2), -30: derived()])
    #expect(changed.survey(try word(2, energy: 5)) == same(-60))
    #expect(try changed.survey(try word(1, energy: 5)).laid.readings[.steps] == .value(1))
  }

  @Test func `R20 a number that a revision keeps from another is not its collector's word`() throws
  {
    var kept = try word(2, energy: 5, covers: .metrics([.steps]))
    kept.keptFrom = Sample.id(-90)
    let day = try Day([-90: word(energy: 5, by: other), -60: kept, -30: derived()])
    #expect(try day.survey(try word(2, energy: 5)).laid.covers == both)
  }

  @Test func `R20 another collector's word decides only where it says the same`() throws {
    let day = try Day([-90: word(1), -60: word(2, by: other), -30: derived()])
    #expect(day.survey(try word(1)) == same(-90))
    #expect(day.survey(try word(2)) == same(-60))
    // It does not decide if the collector itself has said something else since.
    let since = try Day([-90: word(1, by: other), -60: word(2), -30: derived()])
    #expect(try since.survey(try word(1)).laid.readings[.steps] == .value(1))
  }

  @Test func `R20 an earlier derived revision is not the word of a collector`() throws {
    let day = try Day([-60: derived(1), -30: derived(7)])
    #expect(try day.survey(try word(1)).laid.readings[.steps] == .value(1))
  }

  @Test func `R20 a collector that has said nothing is compared with the derived revision`() throws
  {
    let day = try Day([-90: word(1), -30: derived(7)])
    #expect(day.survey(try word(7, by: other)) == same(-30))
    #expect(try day.survey(try word(8, by: other)).laid.readings[.steps] == .value(8))
  }

  @Test(arguments: [false, true])
  func `R20 an equal revision that breaks a rule is published again`(keepsNewer: Bool) throws {
    var day = try Day([-90: word(1), -30: derived()])
    day.bodies[Sample.id(-90)] = Sample.body(try word(1), Sample.id(-91))
    let again = try word(1, captured: -80, keepsNewer: keepsNewer)
    #expect(try day.survey(again).laid.readings[.steps] == .value(1))
  }

  @Test(arguments: [nil, MetricCoverage.everything])
  func `R20, R60 a damaged derived revision is replaced by a source that says nothing new`(
    covers: MetricCoverage?
  ) throws {
    let said = try word(1, covers: covers)
    var day = try Day([-60: said, -30: derived()])
    day.damage(-30, "\"steps\":7", "\"steps\":9")
    #expect(try day.survey(said).laid.readings[.steps] == .value(1))
    // So is one that breaks another rule.
    day.bodies[Sample.id(-30)] = Sample.body(try derived(), Sample.id(-31))
    #expect(try day.survey(said).laid.readings[.steps] == .value(1))
  }

  @Test
  func
    `R20 where a collector has said a part, only the rest is compared with the derived revision`()
    throws
  {
    let day = try Day([-90: word(1), -30: derived(7, energy: 9)])
    let laid = try day.survey(try word(2, energy: 5, captured: -60, keepsNewer: true)).laid
    #expect(laid.readings.numbers == [.steps: 2, .activeEnergy: 9])
    // It has said something else before.
    #expect(try day.survey(try word(7, energy: 9)).laid.covers == both)
    #expect(day.survey(try word(energy: 9)) == same(-30))
  }

  @Test func `R20 the zone of a collector's newest word is compared with that of a whole source`()
    throws
  {
    let whole = try word(1, energy: 5, covers: .everything)
    var part = try word(2)
    part.day = try ReportingDay(date: Sample.date(), timeZoneName: "Europe/Lisbon")
    let day = try Day([-90: whole, -60: part, -30: derived()])
    var draft = try word(2, energy: 5, covers: .everything)
    #expect(try day.survey(draft).laid == draft)
    draft.day = part.day
    #expect(day.survey(draft) == same(-60))
  }

  @Test func `R20 the words below a revision that can't be read count`() throws {
    var day = try Day([-90: word(1), -60: word(2, by: other), -30: derived()])
    day.bodies[Sample.id(-60)] = Array("{".utf8)
    #expect(day.survey(try word(1)) == same(-90))
  }

  @Test(arguments: [1.0, 3])
  func `R20, R49, R60 a damaged word of the collector does not hold back an older one`(
    steps: Double
  ) throws {
    var day = try Day([-60: word(2, captured: -60), -30: derived()])
    day.damage(-60, "\"steps\":2", "\"steps\":1")
    let older = try word(steps, captured: -75, keepsNewer: true)
    #expect(try day.survey(older).laid.readings[.steps] == .value(steps))
  }

  @Test func `R20 the zone and other members are part of the word of a source of everything`()
    throws
  {
    let whole = try word(1, captured: -60, covers: .everything)
    let day = try Day([-60: whole, -30: derived()])
    #expect(day.survey(whole) == same(-60))
    var (moved, more) = (whole, whole)
    moved.day = try ReportingDay(date: Sample.date(), timeZoneName: "Europe/Lisbon")
    more.unknownMembers = ["mood": .number(1)]
    for changed in [moved, more] {
      #expect(try day.survey(changed).laid == changed)
      var older = changed
      (older.capturedAt, older.keepsNewer) = (Sample.noon.adding(seconds: -61), true)
      #expect(day.survey(older) == newer(-60, captured: -60))
    }
    // For a source of some metrics, the same numbers in another zone are nothing new.
    var some = try word(1)
    some.day = moved.day
    #expect(day.survey(some) == same(-60))
  }

  @Test func `R20 a word captured later stays, unless the caller insists`() throws {
    let day = try Day([-60: word(2, captured: -60), -30: derived()])
    #expect(day.survey(try word(1, captured: -61, keepsNewer: true)) == newer(-60, captured: -60))
    // Equal, later, and insisted on. The time at which the day was derived does not matter here.
    for (captured, keepsNewer) in [(-60, true), (-45, true), (-61, false)] {
      let draft = try word(1, captured: captured, keepsNewer: keepsNewer)
      #expect(try day.survey(draft).laid.readings[.steps] == .value(1))
    }
  }

  @Test func `R20 only the metrics whose word was captured later stay`() throws {
    let words = try [
      -90: word(energy: 5, captured: -90), -60: word(2, captured: -60), -30: derived(7, energy: 9),
    ]
    let day = Day(words)
    let laid = try day.survey(try word(1, energy: 6, captured: -75, keepsNewer: true)).laid
    #expect(laid.covers == .metrics([.activeEnergy]))
    #expect(laid.readings[.steps] == .value(7) && laid.readings[.activeEnergy] == .value(6))
    // A metric with the same number needs no later word.
    let repeated = try word(1, energy: 5, captured: -75, keepsNewer: true)
    #expect(day.survey(repeated) == newer(-60, captured: -60))
    let oldest = try word(1, energy: 6, captured: -100, keepsNewer: true)
    #expect(day.survey(oldest) == newer(-60, captured: -60))
    // That there is no number of a metric is nothing new where nobody has one.
    let silent = try word(
      1, captured: -75, keepsNewer: true, covers: .metrics([.steps, .sleepAsleep]))
    #expect(day.survey(silent) == newer(-60, captured: -60))
  }

  @Test func `R20 equal data is stored again below a pointer that names nothing readable`()
    throws
  {
    var day = try Day([-60: word(1), -30: derived()])
    day.pointer = Sample.id(-10)
    #expect(try day.survey(try word(1)).laid.readings[.steps] == .value(1))
  }

  @Test func `R20 a second look does not replace what its collector has said since`() throws {
    let day = try Day([-60: word(1), -40: word(2), -30: derived(2)])
    #expect(day.survey(try word(1), mine: -60) == same(-30))
  }

  @Test func `R49 a deriver compares its figures with the derived revision alone`() throws {
    let day = try Day([-60: word(1, covers: .everything), -30: derived(7)])
    #expect(try day.survey(try derived(1)).laid.readings[.steps] == .value(1))
    #expect(day.survey(try derived(7)) == same(-30))
  }
}

import Foundation
import HealthModel
import Testing

@testable import HealthLedger

/// R19: which numbers a source that was counted in another zone has left on a date.
@Suite(.unit) struct ZoneDraftTests {
  private typealias Day = SurveyedDay
  private let other = Collector(collectorID: UUID(), deviceID: UUID())

  /// What the source said of the date in the zone of then.
  private func then() throws -> DayDraft {
    try Day.draft([.steps: .value(1000), .weight: .value(70)], in: "Etc/UTC")
  }

  /// The stored revision: the source's numbers of then, and another source's sleep.
  private func stored(weight: Double = 70, by collector: Collector) throws -> DailyRevision {
    var draft = try then()
    draft.readings[.weight] = .value(weight)
    draft.readings[.sleepAsleep] = .value(400)
    draft.collector = collector
    return draft.revision(at: Sample.noon)
  }

  @Test func `R19 a source has left behind what it no longer says, whoever stored it`() throws {
    let now = try Day.draft([.activeEnergy: .value(5)])
    let still = try Day.draft([.steps: .value(900)])
    for collector in [Sample.collector, other] {
      let stored = try stored(by: collector)
      #expect(try now.leftBehind(in: stored, by: then()) == [.steps, .weight])
      #expect(try still.leftBehind(in: stored, by: then()) == [.weight])
    }
  }

  @Test func `R19 in another collector's revision one equal number alone proves nothing`() throws {
    let now = try Day.draft([.activeEnergy: .value(5)])
    #expect(try now.leftBehind(in: stored(weight: 71, by: other), by: then()) == [])
    #expect(
      try now.leftBehind(in: stored(weight: 71, by: Sample.collector), by: then()) == [.steps])
  }

  @Test func `R19 a part of a day in another zone may leave numbers behind, and a whole day none`()
    throws
  {
    let stored = try stored(by: Sample.collector)
    #expect(try Day.draft([.steps: .value(1)]).corrects(stored))
    #expect(try !Day.draft([.steps: .value(1)], in: "Etc/UTC").corrects(stored))
    #expect(try !Day.draft([.steps: .value(1)], covers: .everything).corrects(stored))
  }

  @Test func `R19 a draft says that what it left behind has no number`() throws {
    let draft = try Day.draft([.activeEnergy: .value(5)]).without([.steps])
    #expect(draft.covers == .metrics([.activeEnergy, .steps]))
    #expect(draft.readings.numbers == [.activeEnergy: 5])
  }
}

import Foundation
import HealthModel
import Testing

@testable import HealthLedger

/// R20: surveys of days whose revisions undisturbed writers would not have left.
@Suite(.unit) struct SurveyedDayTests {
  private typealias Day = SurveyedDay
  private let other = Collector(collectorID: UUID(), deviceID: UUID())

  @Test(arguments: [false, true])
  func `R20, R60 an older export keeps nothing from a damaged revision, and is stored above it`(
    hasOlder: Bool
  ) throws {
    var payload = try Day.draft([.steps: .value(5000)], captured: -60)
    if hasOlder { payload.keptFrom = Sample.id(-90) }
    let before = try Day.draft(
      [.steps: .value(4000), .activeEnergy: .value(300)], covers: .everything, captured: -7200)
    var day = Day(hasOlder ? [-90: before, -60: payload] : [-60: payload])
    day.damage(-60, "5000", "9000")
    let export = try Day.draft(
      [.steps: .value(4500), .sleepAsleep: .value(400)], covers: .everything, by: other,
      captured: -3600, keepsNewer: true)
    let stored = try day.survey(export).laid
    #expect(stored.readings.numbers == [.steps: 4500, .sleepAsleep: 400])
    // The damaged numbers do not hold back an export that says nothing else.
    let same = try Day.draft(
      [.steps: .value(4500)], covers: .everything, by: other, captured: -3600, keepsNewer: true)
    #expect(try day.survey(same).laid.readings.numbers == [.steps: 4500])
  }

  @Test func `R20 a day that keeps newer numbers is still stored above a damaged revision`()
    throws
  {
    let sound = try Day.draft([.steps: .value(4000)], covers: .everything, captured: -300)
    var day = Day([-90: sound, -60: try Day.draft([.steps: .value(5000)], captured: -60)])
    day.damage(-60, "5000", "9000")
    for covers: MetricCoverage in [.everything, .metrics([.steps])] {
      let export = try Day.draft(
        [.steps: .value(1)], covers: covers, by: other, captured: -3600, keepsNewer: true)
      let laid = try day.survey(export).laid
      #expect(laid.readings.numbers == [.steps: 4000] && laid.keptFrom == Sample.id(-90))
    }
  }

  @Test func `R20 a second look keeps another collector's zone, as the first did`() throws {
    let theirs = try Day.draft([.steps: .value(1)], by: other, in: "Europe/Lisbon")
    var mine = try Day.draft([.steps: .value(1)])
    mine.unknownMembers = ["mood": .number(1)]
    let day = Day([-60: theirs])
    let stored = try day.survey(mine).laid
    #expect(stored.day == theirs.day)
    let after = Day([-60: theirs, -30: stored])
    #expect(after.survey(mine, mine: -30) == .same(Sample.id(-30), newest: Sample.id(-30)))
  }

  @Test
  func `R20 a second look keeps another source's reason for a missing number, as the first did`()
    throws
  {
    let whole = try Day.draft([.steps: .value(1)], covers: .everything, by: other)
    let unable = try Day.draft(
      [.activeEnergy: .value(5), .standHours: .unsupported], covers: .metrics([.activeEnergy]),
      by: other)
    var day = Day([-90: whole])
    let second = try day.survey(unable).laid
    day = Day([-90: whole, -60: second])
    let mine = try Day.draft([.steps: .value(2)])
    let stored = try day.survey(mine).laid
    #expect(stored.readings[.standHours] == .unsupported)
    day = Day([-90: whole, -60: second, -30: stored])
    #expect(day.survey(mine, mine: -30) == .same(Sample.id(-30), newest: Sample.id(-30)))
  }

  @Test
  func `R20 that there is no number is stored where another writer would bring the number back`()
    throws
  {
    // The writer of the newest revision had not seen the steps.
    let day = Day([
      -90: try Day.draft([.steps: .value(5)]), -60: try Day.draft([.activeEnergy: .value(1)]),
    ])
    let silent = try Day.draft([:], covers: .metrics([.steps]), by: other)
    #expect(try day.survey(silent).laid.readings.numbers == [.activeEnergy: 1])
  }

  @Test
  func `R20 a writer gives up after 16 looks at a day, and repeating the publish completes it`()
    throws
  {
    let mine = try Day.draft([.steps: .value(1)])
    // Whoever stores this has not seen what was stored just before.
    let theirs = try Day.draft([.activeEnergy: .value(2)], by: other)
    var (bodies, looks): ([RevisionID: [UInt8]], Int) = ([:], 0)
    func publish(whileOthersDo: Bool) throws -> PublishMachine.Action {
      var bench = PublishBench(mine, movesPointer: false)
      looks = 0
      while true {
        switch bench.action {
        case .readPointer:
          looks += 1
          bench.give(.pointer(.absent))
        case .listRevisions: bench.give(.revisions(Array(bodies.keys)))
        case .readRevision(let id):
          bench.give(.revision(bodies[id].map { .found($0, lastModified: nil) } ?? .absent))
        case .mint: bench.give(.minted(now: Sample.noon, entropy: 7))
        case .createRevision(let id, let body):
          bodies[id] = body
          let after = RevisionID(at: id.timestamp.adding(seconds: 1), entropy: 7)
          if whileOthersDo { bodies[after] = Sample.body(theirs, after) }
          bench.give(.put(.stored))
        default: return bench.action
        }
      }
    }
    guard case .fail(.neverSettled(let id)) = try publish(whileOthersDo: true) else {
      Issue.record("it did not fail")
      return
    }
    #expect(looks == 16 && bodies[id] != nil)
    guard case .finish(.pointerSkipped(let last)) = try publish(whileOthersDo: false) else {
      Issue.record("it did not end")
      return
    }
    let body = try #require(bodies[last])
    let shown = try #require(DailyRevision.decode(body).revision)
    #expect(shown.readings.numbers == [.steps: 1, .activeEnergy: 2] && last == bodies.keys.max())
  }

  @Test func `R20 a second look keeps what was said later, also where its data is older`() throws {
    let mine = try Day.draft(
      [.steps: .value(1), .activeEnergy: .value(1)], captured: -300, keepsNewer: true)
    let steps = try Day.draft(
      [.steps: .value(2), .activeEnergy: .value(1)], covers: .metrics([.steps]), by: other,
      captured: -400, keptFrom: -60)
    let sleep = try Day.draft(
      [.steps: .value(2), .activeEnergy: .value(1), .sleepAsleep: .value(5)],
      covers: .metrics([.sleepAsleep]), by: other, captured: -20, keptFrom: -40)
    let day = Day([-60: mine, -40: steps, -20: sleep])
    #expect(day.survey(mine, mine: -60) == .same(Sample.id(-20), newest: Sample.id(-20)))
  }

  @Test
  func
    `R20 a second look takes in a number that was stored late, below what the day was kept from`()
    throws
  {
    let mine = try Day.draft([.sleepAsleep: .value(3)])
    let energy = try Day.draft([.activeEnergy: .value(2)], by: other, keptFrom: -90)
    var stored = mine
    stored.readings[.activeEnergy] = .value(2)
    stored.keptFrom = Sample.id(-70)
    let day = Day([
      -90: try Day.draft([.activeEnergy: .value(1)], by: other),
      -80: try Day.draft([.steps: .value(5)], by: other, keptFrom: -90), -70: energy, -60: stored,
    ])
    let laid = try day.survey(mine, mine: -60).laid
    #expect(laid.readings.numbers == [.steps: 5, .activeEnergy: 2, .sleepAsleep: 3])
  }

  @Test func `R20 a second look finds what is below a pointer that names nothing readable`() throws
  {
    let mine = try Day.draft([.steps: .value(1), .activeEnergy: .value(1)], covers: .everything)
    var day = Day([-60: mine, -40: try Day.draft([.steps: .value(2)], by: other)])
    day.pointer = Sample.id(-20)
    let laid = try day.survey(mine, mine: -60).laid
    #expect(laid.readings.numbers == [.steps: 2, .activeEnergy: 1])
  }

  @Test func `R20 a second look does not replace what came later by what breaks a rule`() throws {
    let mine = try Day.draft([.steps: .value(1), .activeEnergy: .value(1)])
    var later = try Day.draft([.steps: .value(2)], by: other, keptFrom: -60)
    later.readings[.activeEnergy] = .value(1)
    later.covers = .metrics([.steps])
    var day = Day([-60: mine, -30: later])
    day.bodies[Sample.id(-30)] = Sample.body(later, Sample.id(-31))
    let laid = try day.survey(mine, mine: -60).laid
    #expect(laid.readings.numbers == [.steps: 2, .activeEnergy: 1])
  }

  @Test func `R20 a second look of a source of everything keeps all that was said later`()
    throws
  {
    let mine = try Day.draft(
      [.steps: .value(1), .activeEnergy: .value(1), .sleepAsleep: .value(1)], covers: .everything)
    // The writer of the newest revision had seen neither of the other two.
    let day = Day([
      -60: mine, -40: try Day.draft([.activeEnergy: .value(2)], by: other, keptFrom: -60),
      -20: try Day.draft([.steps: .value(3)], by: other),
    ])
    let laid = try day.survey(mine, mine: -60).laid
    #expect(laid.readings.numbers == [.steps: 3, .activeEnergy: 2, .sleepAsleep: 1])
    #expect(!laid.covers.contains(.steps) && !laid.covers.contains(.activeEnergy))
  }
}

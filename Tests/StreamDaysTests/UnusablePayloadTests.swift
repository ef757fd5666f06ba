import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import StoreTesting
import TestSupport
import Testing

@testable import StreamDays

/// What is said of a day where payloads have rows that can't be used (R18, R55).
@Suite(.unit) struct UnusablePayloadTests {
  @Test
  func `R18: a stage that is not known makes the night unsupported, and what is not used is named`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-03T12:00:00Z")
    func stage(_ from: String, _ to: String, _ value: String) -> String {
      #"{"startDate":"2026-03-02 \#(from):00 +0000","endDate":"2026-03-02 \#(to):00 +0000","value":"\#(value)"}"#
    }
    let rows = [stage("00:00", "01:00", "REM"), stage("01:00", "06:00", "Principal")]
    try await world.post(
      Payload.metric("sleep_analysis", "hr", rows.joined(separator: ",")), aggregation: "")
    try await world.post(
      Payload.metric(
        "heart_rate_variability_rmssd", "ms", #"{"date":"2026-03-02 08:00:00 +0000","qty":20}"#),
      aggregation: "")
    let found = try await world.derive("2026-03-02")
    let revision = try #require(try await world.latest("2026-03-02")?.revision)
    #expect(revision.reading(of: .sleepAsleep) == .unsupported)
    #expect(revision.reading(of: .sleepREM).number == nil)
    #expect(found.notes.contains { $0.contains("'Principal'") })
    #expect(found.notes.contains { $0.contains("heart_rate_variability_rmssd (1 row)") })
  }

  @Test func `R55: a payload without a date that can be read is about no day, and says why`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-03T12:00:00Z")
    try await world.post(
      Payload.metric("step_count", "count", #"{"date":"0008-03-02 08:00:00 +0000","qty":20}"#))
    let day = try world.date("2026-03-03")
    let said = await world.deriver().undated(receivedOn: day...day)
    #expect(said.count == 2 && said.contains { $0.contains("Language & Region > Calendar") })
    try await world.post(Payload.steps(10))
    #expect(await world.deriver().undated(receivedOn: day...day) == said)
  }

  @Test func `beside a bad row the others are a part of the day until it comes again (R55)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    let text = #"""
      {"data":{"metrics":[
        {"name":"step_count","units":"count","data":[{"date":"2026-03-02 10:00:00 +0000","qty":-4},
          {"date":"2026-03-02 11:00:00 +0000","qty":40},{"date":"today","qty":1}, 7]},
        {"units":"x"}, {"name":"active_energy","units":"furlong","data":[
          {"date":"2026-03-02 11:00:00 +0000","qty":40}]}]}}
      """#
    try await world.post(text, session: "a", aggregation: "minutes")
    // JSON that is not a payload is kept too, and does no harm.
    try await world.post(#"{"data":[1,2],"name":"x"}"#, session: "b")
    let result = try await world.derive("2026-03-02")
    let readings = try await world.latest("2026-03-02")?.revision.readings
    #expect(readings?[.steps] == .unsupported && readings?[.activeEnergy] == .unsupported)
    #expect(result.notes.contains { $0.contains("4 rows were left out") }, "\(result.notes)")
    let part = "step_count: a row can't be used, so the others are a part of the day"
    #expect(result.notes.contains { $0.hasPrefix(part) }, "\(result.notes)")
    world.advance(60)
    let rows = [("10", 4), ("11", 40)].map {
      #"{"date":"2026-03-02 \#($0):00:00 +0000","qty":\#($1)}"#
    }
    try await world.post(
      Payload.metric("step_count", "count", rows.joined(separator: ",")), session: "c",
      aggregation: "minutes")
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 44)
  }

  @Test func `a night with a row that can't be used has no number, and empty rows are told (R18)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    func sleep(_ from: String, _ to: String) -> String {
      let (start, end) = ("2026-03-02 \(from):00 +0000", "2026-03-02 \(to):00 +0000")
      return #"{"startDate":"\#(start)","endDate":"\#(end)","value":"Core"}"#
    }
    let rows = [sleep("01:00", "05:00"), sleep("06:00", "05:30")].joined(separator: ",")
    let text = #"""
      {"data":{"metrics":[
        {"name":"sleep_analysis","units":"hr","data":[\#(rows)]},
        {"name":"step_count","units":"count","data":[{"date":"2026-03-02 10:00:00 +0000","qty":null},
          {"date":"2026-03-02 11:00:00 +0000","qty":40}]}]}}
      """#
    try await world.post(text, session: "a", aggregation: "minutes")
    let result = try await world.derive("2026-03-02")
    let readings = try await world.latest("2026-03-02")?.revision.readings
    #expect(readings?[.sleepAsleep] == .unsupported && readings?[.steps] == .value(40))
    let night = "sleep_analysis: a row can't be used, so this night's samples give no number"
    #expect(result.notes.contains(night), "\(result.notes)")
    #expect(result.notes.contains("Health Auto Export: 1 row has no number (null)"))
  }

  @Test func `workouts that can't be read are named where a payload comes, and on its days`()
    async throws
  {
    let text = #"""
      {"data":{"metrics":[{"name":"step_count","units":"count","data":[
         {"date":"2026-03-02 10:00:00 +0000","qty":40}]}]},
       "workouts":[{"name":"Run","start":"2026-03-02 08:00:00 +0000","end":"x"},
         {"name":"Run","start":"2026-03-02 08:00:00 +0300","end":"2026-03-02 09:00:00 +0300"},
         {"name":"Run"}]}
      """#
    let reasons = [
      "workouts: no start: 1 row was left out; the first: /workouts/2",
      "workouts: the end is not a date with a time and an offset: 1 row was left out; "
        + "the first: /workouts/0",
    ]
    let said = CaptureRows.leftOut(of: try JSONValue(parsing: Array(text.utf8)))
    #expect(said.notes == reasons && said.lost.words == "workouts 2")
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await world.post(text, aggregation: "minutes")
    let result = try await world.derive("2026-03-02")
    #expect(result.notes.filter { $0.hasPrefix("workouts: ") } == reasons)
    #expect(result.misfit == nil)
    #expect(try await world.steps("2026-03-02") == 40)
  }

  @Test func `R18: a night comes again once the phone's language is one that is known`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-03T12:00:00Z")
    func post(_ stages: [String]) async throws {
      let rows = stages.enumerated().map { hour, stage in
        #"{"startDate":"2026-03-02 0\#(hour):00:00 +0000","endDate":"2026-03-02 0\#(hour + 1):00:00 +0000","value":"\#(stage)"}"#
      }
      try await world.post(
        Payload.metric("sleep_analysis", "hr", rows.joined(separator: ",")), aggregation: "")
      world.advance(60)
      _ = try await world.derive("2026-03-02")
    }
    try await post(["Principal", "REM"])
    #expect(try await world.latest("2026-03-02")?.revision.readings[.sleepAsleep] == .unsupported)
    for stages in [["Core", "REM"], ["Principal", "REM"]] {
      try await post(stages)
      let readings = try await world.latest("2026-03-02")?.revision.readings
      #expect(readings?[.sleepAsleep] == .value(120) && readings?[.sleepCore] == .value(60))
      #expect(readings?[.sleepInBed] == .noData)
    }
  }

  @Test func `a number that no day can have is told of days made of payloads, too (R42)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    let night = #"""
      {"sleepStart":"2026-03-01 23:00:00 +0000","sleepEnd":"2026-03-02 06:00:00 +0000",
       "totalSleep":6.5,"inBed":808.742334}
      """#
    try await world.post(Payload.metric("sleep_analysis", "hr", night), session: "a")
    let result = try await world.derive("2026-03-02")
    #expect(
      result.notes == [
        "sleep_in_bed_minutes: 48,524.54 min is not between 0 and 1,500; check the unit and the source"
      ])
    #expect(try await world.derive("2026-03-02").notes.isEmpty)
  }
}

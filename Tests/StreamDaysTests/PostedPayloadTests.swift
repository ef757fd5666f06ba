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

/// Days of the payloads that Health Auto Export has posted (R49, R55).
@Suite(.unit) struct PostedPayloadTests {
  @Test(arguments: 1...12)
  func `of captures within one second the one that was acknowledged last counts (R45, R55)`(
    number: Int
  ) async throws {
    let world = try StreamWorld(at: "2026-03-03T12:00:00Z")
    // Which of them has the least id, and so came first before, differs from number to number.
    for (place, steps) in [1000.0, 2500, 8000].enumerated() {
      try await world.post(
        Payload.steps(steps), session: "\(number)-\(place)", microseconds: 7 * place)
      _ = try await world.derive("2026-03-02")
      #expect(try await world.steps("2026-03-02") == steps)
    }
  }

  @Test func `a posted payload becomes a day, and the same again changes nothing (R55)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await world.post(Payload.steps(4000), session: "a")
    let first = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 4000)
    guard case .settled(let id, _) = first.outcome else {
      Issue.record("\(first)")
      return
    }
    try await world.post(Payload.steps(4000), session: "a")
    world.advance(60)
    #expect(try await world.derive("2026-03-02").outcome == .settled(id, wrote: []))
    #expect(try await world.derive("2026-03-05").outcome == .nothing)
  }

  @Test func `of several captures the newest counts, not the greatest, and none are added (R55)`()
    async throws
  {
    let world = try StreamWorld(zone: "Europe/Berlin", at: "2026-03-02T23:30:00Z")
    func weight(_ kilograms: Double) -> String {
      Payload.metric(
        "weight_body_mass", "kg", #"{"date":"2026-03-02 00:00:00 +0100","qty":\#(kilograms)}"#)
    }
    for (kilograms, session) in [(71.2, "a"), (72.1, "b"), (71.2, "c")] {
      try await world.post(weight(kilograms), session: session)
      world.advance(60)
      _ = try await world.derive("2026-03-02")
      let found = try await world.latest("2026-03-02")?.revision.readings[.weight]?.number
      #expect(found == kilograms)
    }
    for (steps, session) in [(5000.0, "d"), (4000, "e")] {
      try await world.post(
        Payload.metric(
          "step_count", "count", #"{"date":"2026-03-02 00:00:00 +0100","qty":\#(steps)}"#),
        session: session)
      world.advance(60)
    }
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 4000)
  }

  @Test
  func `a row received after the day beats raw samples, which beat a smaller unfinished one (R55)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    try await world.post(Payload.steps(300), session: "a")
    try await world.send([
      Entries.steps(500, "2026-03-02T10:00:00Z", "2026-03-02T10:10:00Z", uuid: Entries.uuid(1))
    ])
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 500)
    // The phone knows of more than has been streamed.
    world.advance(3600)
    try await world.post(Payload.steps(8000), session: "b")
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 8000)
    // After the day, its own sum is the answer, though samples add up to more.
    world.advance(86_400)
    try await world.send([
      Entries.steps(9000, "2026-03-02T11:00:00Z", "2026-03-02T11:10:00Z", uuid: Entries.uuid(2))
    ])
    try await world.post(Payload.steps(8200), session: "c")
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 8200)
    // A complete source comes first.
    let other = Collector(collectorID: .init(), deviceID: .init())
    _ = try await world.publish("2026-03-02", [.steps: .value(8300)], as: other)
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 8300)
  }

  @Test(arguments: ["hours", "Minutes", ""])
  func `the hour after midnight is not a whole day, whenever it was received (R55)`(
    aggregation: String
  ) async throws {
    let world = try StreamWorld(at: "2026-03-03T12:00:00Z")
    try await world.post(Payload.steps(50), session: "a", aggregation: aggregation)
    let hours = (1...9).map { #"{"date":"2026-03-02 0\#($0):00:00 +0000","qty":100}"# }
    try await world.post(
      Payload.metric("step_count", "count", hours.joined(separator: ",")), session: "b",
      aggregation: aggregation)
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 950)
  }

  @Test func `in a payload of days each row at midnight is a whole day, also beside others (R55)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-05T12:00:00Z")
    func rows(_ moments: [(String, Int)]) -> String {
      moments.map { #"{"date":"2026-03-0\#($0):00:00 +0000","qty":\#($1)}"# }
        .joined(separator: ",")
    }
    let sent = rows([
      ("1 00", 6000), ("2 08", 3000), ("2 00", 5000), ("2 09", 4000), ("3 08", 30), ("3 09", 40),
    ])
    try await world.post(Payload.metric("step_count", "count", sent), session: "a")
    for (date, steps) in [("2026-03-01", 6000.0), ("2026-03-02", 5000), ("2026-03-03", 70)] {
      _ = try await world.derive(date)
      #expect(try await world.steps(date) == steps)
    }
  }

  @Test func `means come of samples before averages, whose weights are lost (R55)`() async throws {
    let world = try StreamWorld(at: "2026-03-03T12:00:00Z")
    func resting(_ rows: String) -> String {
      Payload.metric("resting_heart_rate", "count/min", rows)
    }
    try await world.post(resting(#"{"date":"2026-03-02 00:00:00 +0000","qty":61}"#), session: "a")
    _ = try await world.derive("2026-03-02")
    #expect(
      try await world.latest("2026-03-02")?.revision.readings[.restingHeartRate]?.number == 61)
    try await world.post(
      resting(
        #"{"date":"2026-03-02 08:00:00 +0000","qty":50},{"date":"2026-03-02 20:00:00 +0000","qty":60}"#
      ),
      session: "b")
    _ = try await world.derive("2026-03-02")
    #expect(
      try await world.latest("2026-03-02")?.revision.readings[.restingHeartRate]?.number == 55)
  }

  @Test func `the batches of one session are joined, in any order (R55)`() async throws {
    func row(_ hour: Int, _ number: Int, _ source: String) -> String {
      Payload.metric(
        "step_count", "count",
        #"{"date":"2026-03-02 1\#(hour):00:00 +0000","qty":\#(number),"source":"\#(source)"}"#)
    }
    func whole(_ number: Int, _ source: String) -> String {
      Payload.metric(
        "flights_climbed", "count",
        #"{"date":"2026-03-02 00:00:00 +0000","qty":\#(number),"source":"\#(source)"}"#)
    }
    let batches = [
      row(0, 100, "Watch"), row(1, 200, "Watch"), whole(9, "Ann's Watch"), whole(3, "iPhone"),
    ]
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
      let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
      for index in order {
        try await world.post(batches[index], session: "one", aggregation: "hours")
        world.advance(1)
      }
      _ = try await world.derive("2026-03-02")
      #expect(try await world.steps("2026-03-02") == 300)
      // The better source of one capture, not the later request.
      #expect(try await world.latest("2026-03-02")?.revision.readings[.flightsClimbed] == .value(9))
    }
  }

  @Test
  func `weeks are not a day's number, and days that are 7 apart are not weeks (R55)`()
    async throws
  {
    let rows = ["2026-02-16", "2026-02-23", "2026-03-02"].map {
      #"{"date":"\#($0) 00:00:00 +0000","qty":70000}"#
    }.joined(separator: ",")
    let text = Payload.metric("step_count", "count", rows)
    for (aggregation, reading) in [
      ("", MetricReading.unsupported), ("days", .value(70000)), ("Weeks", nil),
    ] as [(String, MetricReading?)] {
      let world = try StreamWorld(at: "2026-03-20T12:00:00Z")
      try await world.post(text, session: "one", aggregation: aggregation)
      let result = try await world.derive("2026-03-02")
      #expect(
        try await world.latest("2026-03-02")?.revision.readings[.steps] == reading, "\(aggregation)"
      )
      #expect(result.notes.contains { $0.contains("week") } == (aggregation != "days"))
    }
    // Alone, a week looks like a day, so what the app says of it decides.
    let one = try StreamWorld(at: "2026-03-20T12:00:00Z")
    try await one.post(Payload.steps(70_000), aggregation: "weeks")
    #expect(try await one.derive("2026-03-02").outcome == .nothing)
  }

  @Test func `a session that the app never changes is not one capture (R55)`() async throws {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    for number in [100.0, 200] {
      try await world.post(
        Payload.metric(
          "step_count", "count", #"{"date":"2026-03-02 11:00:00 +0000","qty":\#(number)}"#),
        session: "always", aggregation: "hours")
      world.advance(60)
    }
    _ = try await world.derive("2026-03-02")
    #expect(try await world.steps("2026-03-02") == 200)
  }

  @Test(arguments: ["other", nil] as [String?])
  func `what another phone sent in between counts, even if a session continues (R46, R55)`(
    session: String?
  ) async throws {
    // The session continues with another date, or with another metric.
    let later = [
      Payload.steps(5000, "2026-03-01"),
      Payload.metric("flights_climbed", "count", #"{"date":"2026-03-02 00:00:00 +0000","qty":9}"#),
    ]
    for last in later {
      let world = try StreamWorld(at: "2026-03-03T12:00:00Z")
      // It keeps what it has read, so it must find out what is missing for the last payload.
      let deriver = DayDeriver(
        ledger: world.ledger, streams: world.streams, zones: ReportingZones(world.zone),
        cache: DayCache(limit: 1 << 20))
      for (text, session) in [
        (Payload.steps(3000), "one"), (Payload.steps(4000), session), (last, "one"),
      ] {
        try await world.post(text, session: session)
        world.advance(5)
        _ = try await deriver.recompute(world.date("2026-03-02"))
      }
      #expect(try await world.steps("2026-03-02") == 4000)
    }
  }

  @Test func `the zone decides the day of a row, wherever the phone was (R55)`() async throws {
    for (zone, offset) in [
      ("Pacific/Kiritimati", "+1400"), ("Pacific/Pago_Pago", "-1100"), ("Asia/Tokyo", "-0800"),
      ("America/Los_Angeles", "+0900"), ("Europe/Berlin", "+0100"),
    ] {
      let world = try StreamWorld(zone: zone, at: "2026-03-04T12:00:00Z")
      try await world.post(
        Payload.metric(
          "step_count", "count", #"{"date":"2026-03-02 00:00:00 \#(offset)","qty":700}"#),
        session: "a")
      world.advance(3600)
      let (_, days) = try await world.sweep("2026-03-05")
      #expect(days.contains(try world.date("2026-03-02")), "\(zone) \(offset)")
      #expect(try await world.steps("2026-03-02") == 700, "\(zone) \(offset)")
    }
  }

  @Test func `the fixtures count as they do in an import (R55)`() async throws {
    let world = try StreamWorld(zone: "Europe/Berlin", at: "2026-03-20T12:00:00Z")
    let text = #"""
      {"data":{"metrics":[
       {"name":"sleep_analysis","units":"hr","data":[{"date":"2026-03-02","totalSleep":7.5,
        "asleep":0,"core":4,"deep":1.5,"rem":2,"awake":0.5,"inBed":8,
        "sleepStart":"2026-03-01 23:00:00 +0100","sleepEnd":"2026-03-02 07:00:00 +0100",
        "inBedStart":"2026-03-01 22:45:00 +0100","inBedEnd":"2026-03-02 07:00:00 +0100"}]},
       {"name":"heart_rate","units":"count/min","data":[
        {"date":"2026-03-02 08:00:00 +0100","Min":51,"Avg":58.5,"Max":70},
        {"date":"2026-03-02 09:00:00 +0100","Min":49,"Avg":60.5,"Max":90}]},
       {"name":"apple_stand_hour","units":"count","data":[
        {"date":"2026-03-02 00:00:00 +0100","qty":11}]}]}}
      """#
    try await world.post(text, session: "a")
    _ = try await world.derive("2026-03-02")
    let derived = try #require(try await world.latest("2026-03-02")?.revision)
    let imported = try #require(
      try SourceDocument.days(from: Array(text.utf8), timeZoneName: "Europe/Berlin").days
        .first { $0.date.description == "2026-03-02" })
    #expect(derived.readings.filter { $0.value != .noData } == imported.readings)
    #expect(
      derived.readings.optional == imported.readings.optional && !derived.readings.optional.isEmpty)
    #expect(derived.readings[.sleepAsleep]?.number == 450)
  }

  /// Payloads of two automations and samples, in any order of arrival.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `the day does not depend on the order in which payloads arrive (R55)`(seed: UInt64)
    async throws
  {
    var random = SplitMix64(seed: seed)
    var posts: [(text: String, session: String?, moment: String)] = []
    for index in 0..<8 {
      let number = Double(Int.random(in: 1...20, using: &random) * 100)
      let hour = 10 + Int.random(in: 0...9, using: &random)
      let row = Bool.random(using: &random) ? "00" : "\(hour)"
      let text = Payload.metric(
        "step_count", "count",
        #"{"date":"2026-03-02 \#(row):00:00 +0000","qty":\#(number),"source":"S\#(index % 2)"}"#)
      let day = Bool.random(using: &random) ? "2026-03-02" : "2026-03-03"
      posts.append(
        (text, index % 3 == 0 ? nil : "s\(index / 2)", "\(day)T\(10 + index % 3):00:0\(index % 4)Z")
      )
    }
    var figures: Set<Double?> = []
    for _ in 0..<4 {
      let world = try StreamWorld(at: "2026-03-04T12:00:00Z")
      for (index, one) in posts.shuffled(using: &random).enumerated() {
        try await world.post(one.text, session: one.session, at: one.moment)
        // A resend, and a recompute in between, change nothing.
        if index % 3 == 0 {
          try await world.post(one.text, session: one.session, at: one.moment)
          _ = try await world.derive("2026-03-02")
          world.advance(1)
        }
      }
      _ = try await world.derive("2026-03-02")
      figures.insert(try await world.steps("2026-03-02"))
    }
    #expect(figures.count == 1 && figures.first != .some(nil))
  }

  @Test func `no day is made of payloads of another zone until somebody sets one (R55)`()
    async throws
  {
    let row = #"{"date":"2026-11-20 07:00:00 +0800","qty":1000}"#
    let server = try StreamWorld(isZoneSet: false, at: "2026-11-20T12:00:00Z")
    try await server.post(Payload.metric("step_count", "count", row), session: "a")
    for date in ["2026-11-19", "2026-11-20"] {
      let found = try await server.derive(date)
      #expect(found.needsZone && !found.isSettled && found.outcome == .nothing)
      #expect(found.misfit?.offset == 28_800)
      #expect(try await server.latest(date) == nil)
    }
    // The payload is kept, and its marker. With a zone the days are made.
    let (swept, _) = try await server.sweep("2026-11-20")
    #expect(swept.deleted == 0 && swept.kept > 0)
    let set = try StreamWorld(server.store, zone: "Asia/Singapore", at: "2026-11-20T12:00:00Z")
    #expect(try await set.derive("2026-11-19").outcome == .nothing)
    let found = try await set.derive("2026-11-20")
    #expect(found.isSettled && found.misfit == nil)
    #expect(try await set.steps("2026-11-20") == 1000)
    // A zone that was set counts, also where rows were written elsewhere.
    let home = try StreamWorld(zone: "Europe/Berlin", at: "2026-11-20T12:00:00Z")
    try await home.post(Payload.metric("step_count", "count", row), session: "a")
    let foreign = try await home.derive("2026-11-20")
    #expect(foreign.misfit?.own == 3600 && foreign.isSettled)
  }

  @Test func `equal meals of one payload count each, and those of a resend once (R18, R55)`()
    async throws
  {
    let world = try StreamWorld(at: "2026-03-02T12:00:00Z")
    let row = #"{"date":"2026-03-02 08:00:00 +0000","qty":100,"source":"Food"}"#
    let meals = Payload.metric("dietary_energy", "kcal", "\(row),\(row)")
    for session in ["a", "b"] {
      try await world.post(meals, session: session)
      world.advance(3600)
    }
    try await world.post(Payload.steps(4000), session: "c")
    _ = try await world.derive("2026-03-02")
    #expect(try await world.latest("2026-03-02")?.revision.readings[.dietaryEnergy] == .value(200))
  }
}

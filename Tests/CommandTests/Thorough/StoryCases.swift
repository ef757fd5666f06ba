import Foundation
import TestSupport
import Testing

/// Further documents of older versions (R20).
extension StoredDocumentTests {
  @Test func `R20 a document that names what it covers is read with what it kept`() async throws {
    let story = try await older()
    let first = try story.newest().file.deletingPathExtension().lastPathComponent
    try story.replaceNewest(at: 35, keeping: true) { document in
      document["captured_at"] = Story.time(34).ISO8601Format()
      document["covers"] = ["steps"]
      document["kept_from"] = first
      document.set("steps", to: 6000)
    }
    let flights = Telling.rows("flights_climbed", "count", [0: 7])
    try await story.tell(.payload(flights, at: 57, by: .put))
    #expect(
      try await story.numbers(["steps", "weight", "flights_climbed"])
        == ["steps": 6000, "weight": 80, "flights_climbed": 7])
    #expect(try await story.findings() == [])
  }

  @Test(arguments: [9500.0, 7500], [true, false])
  func `R20 a number that was changed in a document stays when the same payload comes again`(
    steps: Double, isGivenToPut: Bool
  ) async throws {
    let story = try Story()
    let payload = Telling.payload(Telling.steps([0: 8000]), at: 33, by: .put)
    try await story.tell(payload)
    if isGivenToPut {
      var (_, document) = try story.newest()
      document.set("steps", to: steps)
      let bytes = try JSONSerialization.data(withJSONObject: document)
      try await story.tell(Telling(bytes: Array(bytes), way: .put))
    } else {
      try story.replaceNewest(at: nil) { $0.set("steps", to: steps) }
    }
    #expect(try await story.steps() == steps)
    let weight = Telling.rows("weight_body_mass", "kg", [0: 81])
    try await story.tell(.payload(weight, at: 34, by: .put))
    try await story.tell(payload)
    #expect(try await story.numbers(["steps", "weight"]) == ["steps": steps, "weight": 81])
  }
}

/// Further words of wrong clocks, zones and copies (R19, R20).
extension KeptStoryTests {
  @Test func `R20 hours below a corrected number do not replace it, more do`() async throws {
    let story = try Story()
    try await story.tell(.payload(Telling.steps([9: 5000, 10: 3000]), at: 33, by: .put))
    try await story.tell(.numbers(["steps": 9000]))
    try await Task.sleep(for: .milliseconds(2100))
    for (added, shown) in [(200.0, 9000.0), (1500, 9500)] {
      try await story.tell(.payload(Telling.steps([9: 5000 + added, 10: 3000]), by: .put))
      #expect(try await story.steps() == shown)
    }
  }

  @Test(arguments: StoryWay.files)
  func `R19, R20 another file puts right what a file of the wrong zone said that is gone`(
    way: StoryWay
  ) async throws {
    var story = try Story(zone: "Etc/UTC")
    try await story.tell(Self.rows(1000, at: 10, by: way))
    story.program.environment["S3HEALTH_TIMEZONE"] = "Asia/Singapore"
    // It has steps before that date and after it, and none of it.
    try await story.tell(.payload(Telling.steps([-96: 500, -48: 1100], zone: 8), at: 11, by: way))
    #expect(try await story.steps(on: "2026-02-05") == nil)
    #expect(try await story.steps(on: "2026-02-06") == 1100)
  }

  @Test(arguments: StoryWay.files)
  func `R19, R20 a file whose time was lost counts as read now, an old copy as old`(
    way: StoryWay
  ) async throws {
    let story = try Story()
    // In the second the file seems to be from the year 2000.
    for (steps, hour, shown) in [(8000.0, 33, 8000.0), (8200, -228_840, 8200), (8100, 33, 8200)] {
      try await story.tell(.payload(Telling.steps([0: steps]), at: hour, by: way))
      #expect(try await story.steps() == shown)
    }
  }

  @Test(arguments: StoryWay.files)
  func `R19, R20 --force ends what was said of its numbers, --replace all of the day`(
    way: StoryWay
  ) async throws {
    let story = try Story()
    func export(at hour: Int?) -> Telling {
      .export(Telling.record("StepCount", 12_000), Telling.record("FlightsClimbed", 7), at: hour)
    }
    func shows(_ steps: Double, _ flights: Double?) async throws {
      let expected: [String: Double?] = ["steps": steps, "flights_climbed": flights]
      #expect(try await story.numbers(Array(expected.keys)) == expected)
    }
    let hour = Telling.payload(Telling.steps([9: 100]), at: 33, by: way)
    try await story.tell(export(at: 60))
    try await story.tell(hour)
    try await shows(12_000, 7)
    try await story.tell(hour, "--force")
    try await shows(100, 7)
    try await story.tell(hour, "--replace")
    try await shows(100, nil)
    try await story.tell(export(at: 84))
    try await shows(100, nil)
    try await Task.sleep(for: .milliseconds(2100))
    try await story.tell(export(at: nil))
    try await shows(12_000, 7)
  }

  @Test(arguments: StorySetting.all)
  func `R20 a source's reason does not hide another's number`(setting: StorySetting) async throws {
    for made in setting.isThorough ? [31, 44] : [44] {
      try await Story.eitherOrder(
        [
          .payload(Telling.steps([0: 8000]), at: 33, by: setting.way),
          .export(
            Telling.record("StepCount", 5, "bananas"), Telling.record("FlightsClimbed", 7),
            at: made),
        ], setting.server, show: ["steps": 8000, "flights_climbed": 7])
    }
  }
}

/// Further sources of one day (R19, R20).
extension SourceStoryTests {
  @Test(arguments: StorySetting.all)
  func `R20 two machines that collect one source in turns leave one revision`(
    setting: StorySetting
  ) async throws {
    var story = try Story(setting.server)
    for turn in 0..<4 {
      // The same numbers, in a file that was written again.
      story.program.environment["S3HEALTH_COLLECTOR_ID"] =
        "0B7E1D7A-7F8F-4C34-9F5D-2C9C1D6B1A0\(turn % 2)"
      try await story.tell(
        .payload(Telling.steps([9: 100, 10: 200]), at: 32 + turn, by: setting.way))
    }
    #expect(try await story.steps() == 300)
    #expect(try await story.revisions() == 1)
  }

  @Test(arguments: StoryWay.files)
  func `R20 a file of today written each second makes one revision`(way: StoryWay) async throws {
    let story = try Story(zone: "UTC")
    let today = date(0)
    let rows = stepPayload(#"{"date":"\#(today) 00:00:01 +0000","qty":100}"#)
    for _ in 0..<3 {
      try await story.tell(Telling(bytes: Array(rows.utf8), way: way))
      try await Task.sleep(for: .milliseconds(1100))
    }
    #expect(try await story.revisions(on: today) == 1)
  }

  @Test(arguments: StoryWay.files)
  func `R20 a file of the evening alone does not shorten the night`(way: StoryWay) async throws {
    let night = Telling.payload(Telling.night(-2..<6), Telling.steps([9: 100]), at: 32, by: way)
    let evening = Telling.payload(Telling.night(-2..<0), Telling.steps([-10: 50]), at: 33, by: way)
    try await Story.eitherOrder(
      [night, evening], show: [Self.night[0]: 480, Self.night[1]: 480, "steps": 100])
  }

  @Test(arguments: StoryWay.files)
  func `R20 hourly files that are cleaned away leave the day's number`(way: StoryWay) async throws {
    let story = try Story()
    let folder = try story.program.folder("hours").path
    func write(_ hour: Int) throws {
      let telling = Telling.payload(Telling.steps([hour: 100]), at: hour + 1, by: way)
      try story.file("hours/\(hour).json", telling)
    }
    for hour in [8, 9, 10, 11, 32] { try write(hour) }
    try await story.read(folder, by: way)
    #expect(try await story.steps() == 400)
    for gone in [[8, 9, 10], [11]] {
      for hour in gone { try FileManager.default.removeItem(atPath: "\(folder)/\(hour).json") }
      try write(gone.count + 33)
      try await story.read(folder, by: way)
      #expect(try await story.steps() == 400)
    }
  }

  @Test func `R20 a window over a day leaves at most four words of a metric`() async throws {
    let story = try Story()
    for hour in stride(from: 0, through: 30, by: 3) {
      // Numbers that differ each time, so that none is a repeat.
      let rows = #"{"date":"\#(Story.moment(hour))","qty":\#(100 + hour)}"#
      let early = #"{"date":"\#(Story.moment(hour - 6))","qty":1}"#
      let steps = #"{"name":"step_count","units":"count","data":[\#(early),\#(rows)]}"#
      try await story.tell(.payload(steps, at: hour + 1, by: .put))
      let sources = try #require(try await story.program.day(Story.date, story.store)["sources"])
      let words = try #require((sources as? [String: Any])?["words"] as? [[String: Any]])
      #expect((1...4).contains(words.count), "\(words)")
      #expect(words.allSatisfy { $0["source"] as? String == "health_auto_export" })
    }
  }

  @Test(arguments: StorySetting.all)
  func `R20 an older export after a newer payload brings only what the payload does not have`(
    setting: StorySetting
  ) async throws {
    try await Story.eitherOrder(
      [
        .payload(
          Telling.steps([0: 12_000]), Telling.rows("weight_body_mass", "kg", [0: 81]), at: 57,
          by: setting.way),
        .export(
          Telling.record("StepCount", 9000), Telling.record("FlightsClimbed", 7),
          Telling.record("BodyMass", 82, "kg"), at: 44),
      ], setting.server, show: ["steps": 12_000, "flights_climbed": 7, "weight": 81])
  }
}

/// Further stores and orders of an undo (R20).
extension UndoTests {
  @Test(arguments: TestServer.all)
  func `R20 a run is undone, restored and undone again in a bucket`(server: TestServer) async throws
  {
    let house = Household(try Program().on(server), server.arguments(prefix: "undo/\(UUID())"))
    try await story(house)
  }

  @Test func `R20, R24 a run is undone in a bucket without compare-and-swap`() async throws {
    let server = try HostileStore()
    let house = Household(try Program().onHostile(), server.store("says501"))
    try await story(house)
  }

  @Test func `R20 the first of two runs is undone below the second, either way`() async throws {
    let house = try Household.inFolder()
    let all = Household.dates.prefix(2)
    let first = try await house.publish(
      ["import", try house.export("a.xml", all.map { ($0, 100) }, hour: 8)])
    let second = try await house.publish(
      ["import", try house.export("b.xml", all.map { ($0, 200) }, hour: 9)])
    try await house.run(["undo", first, "--yes"])
    #expect(try await house.steps().prefix(2) == [200, 200])
    try await house.run(["undo", second, "--yes"])
    #expect(try await house.steps().prefix(2) == [nil, nil])
    try await house.run(["undo", first, "--restore", "--yes"])
    #expect(try await house.steps().prefix(2) == [100, 100])
    try await house.run(["undo", second, "--restore", "--yes"])
    #expect(try await house.steps().prefix(2) == [200, 200])
  }

  @Test func `R20, R49 a hub's payload stays undone when its days are made again`() async throws {
    let story = try Story()
    try await story.tell(.payload(Telling.steps([9: 100]), at: 32, by: .hub))
    try await story.tell(.payload(Telling.steps([10: 5000]), at: 33, by: .hub))
    #expect(try await story.steps() == 5100)
    let runs = try #require(
      try await story.run(["runs", "--since", "all", "-o", "json"]).json()["runs"]
        as? [[String: Any]])
    let last = try #require(runs.first?["run"] as? String)
    #expect(runs.first?["sources"] as? [String] == ["streams"])
    try await story.run(["undo", last, "--yes"])
    #expect(try await story.steps() == 100)
    try await story.derive()
    #expect(try await story.steps() == 100)
    try await story.run(["undo", last, "--restore", "--yes"])
    #expect(try await story.steps() == 5100)
  }
}

extension UndoTests {
  @Test func `R43, R55 a payload of a hub that was undone stays away, whatever comes after it`()
    async throws
  {
    try await rawDataStays(undone: .hub)
  }
}

/// A row whose date can't be read (R18), through a hub and through the queue.
extension SourceStoryTests {
  @Test(arguments: [StoryWay.hub, .queue])
  func `R18, R55 a row without a date makes only the days unknown that it may be of`(
    way: StoryWay
  ) async throws {
    let story = try Story()
    let told: [(Int?, Int)] = [(-2, 50), (9, 100), (nil, 1), (10, 200), (26, 70)]
    let rows = told.map { hour, number in
      let date = hour.map { Story.moment($0) } ?? "8 o'clock"
      return #"{"date":"\#(date)","qty":\#(number)}"#
    }
    let steps =
      #"{"name":"step_count","units":"count","data":[\#(rows.joined(separator: ","))]}"#
    try await story.tell(.payload(steps, at: 57, by: way))
    #expect(try await story.steps(on: "2026-02-07") == 50)
    #expect(try await story.steps() == nil)
    #expect(try await story.steps(on: "2026-02-09") == 70)
    let day = try await story.run(["get", Story.date, "--output", "json"]).json()
    let status = day["metric_status"] as? [String: Any] ?? day["status"] as? [String: Any]
    #expect(status?["steps"] as? String == "unsupported", "\(day)")
  }
}

/// Rules of the writer in Python, left out one by one (R20).
extension WordsDifferTests {
  @Test(arguments: ["rank", "ends", "repeats", "suffix"])
  func `R20 a rule that only one of the two keeps is found`(rule: String) async throws {
    let failure = await #expect(throws: PeerPython.Failure.self) {
      _ = try await PeerPython.run(
        "words_differ.py", arguments: [Program.path, "250", "--break", rule])
    }
    #expect(failure?.description.contains("differences") == true)
  }
}

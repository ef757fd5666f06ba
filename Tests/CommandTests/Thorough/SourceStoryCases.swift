import Foundation
import TestSupport
import Testing

/// Further sources of one day (R19, R20).
extension SourceStoryTests {
  @Test(arguments: StorySetting.all)
  func `R20 two machines that collect one source in turns leave one revision`(
    setting: StorySetting
  ) async throws {
    var story = try Story(setting.server)
    defer { story.program.removeHome() }
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
  func `R20 a file of today that is written every second with equal numbers makes one revision`(
    way: StoryWay
  ) async throws {
    let story = try Story(zone: "UTC")
    defer { story.program.removeHome() }
    let today = "\(Date().ISO8601Format().prefix(10))"
    let rows =
      #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[{"date":""#
      + #"\#(today) 00:00:01 +0000","qty":100}]}]}}"#
    for _ in 0..<3 {
      try await story.tell(Telling(bytes: Array(rows.utf8), way: way))
      try await Task.sleep(for: .milliseconds(1100))
    }
    #expect(try await story.revisions(on: today) == 1)
  }

  @Test(arguments: StoryWay.files)
  func `R20 a file of the evening alone does not shorten the night that goes on after it`(
    way: StoryWay
  ) async throws {
    let night = Telling.payload(Telling.night(-2..<6), Telling.steps([9: 100]), at: 32, by: way)
    let evening = Telling.payload(Telling.night(-2..<0), Telling.steps([-10: 50]), at: 33, by: way)
    try await Story.eitherOrder(
      [night, evening], show: [Self.night[0]: 480, Self.night[1]: 480, "steps": 100])
  }

  @Test(arguments: StoryWay.files)
  func `R20 hourly files of a day that are cleaned away later leave its number`(
    way: StoryWay
  ) async throws {
    let story = try Story()
    defer { story.program.removeHome() }
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

  @Test func `R20 a window that slides over a day leaves at most four words of a metric`()
    async throws
  {
    let story = try Story()
    defer { story.program.removeHome() }
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

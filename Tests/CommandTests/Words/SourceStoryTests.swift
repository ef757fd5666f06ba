import Foundation
import TestSupport
import Testing

/// What several sources say of one day, and what the day shows (R19, R20): the numbers of all, in whatever
/// order they come, by every way.
@Suite(.server) struct SourceStoryTests {
  static let night = ["sleep_asleep_minutes", "sleep_core_minutes"]

  @Test(arguments: StorySetting.all)
  func `R20 two automations in either order give the union, and take nothing from an export`(
    setting: StorySetting
  ) async throws {
    let steps = Telling.payload(Telling.steps([9: 100, 10: 200]), at: 32, by: setting.way)
    let others = Telling.payload(
      Telling.rows("weight_body_mass", "kg", [7: 81]),
      Telling.rows("active_energy", "kcal", [9: 300]), at: 33, by: setting.way)
    let export = Telling.export(Telling.record("FlightsClimbed", 7), at: 31)
    try await Story.eitherOrder(
      [steps, others], setting.server,
      show: ["steps": 300, "weight": 81, "active_energy_kcal": 300])
    guard setting.isThorough else { return }
    try await Story.eitherOrder(
      [export, steps], setting.server, show: ["steps": 300, "flights_climbed": 7])
  }

  @Test(arguments: StorySetting.all)
  func `R20 a file that begins at the midnight of a traveller's phone takes no step away`(
    setting: StorySetting
  ) async throws {
    // The phone's midnight is 09:00 of the day.
    func told(_ way: StoryWay) -> [Telling] {
      [
        .payload(Telling.steps([8: 4000, 10: 1000, 18: 3000]), at: 32, by: way),
        .payload(Telling.steps([10: 1000, 18: 3000], zone: -8), at: 33, by: setting.way),
      ]
    }
    try await Story.eitherOrder(told(setting.way), setting.server, show: ["steps": 8000])
    guard setting.isThorough else { return }
    try await Story.eitherOrder(told(.queue), setting.server, show: ["steps": 8000])
  }

  @Test func `R19, R49: queued payloads have the moments that files of a folder have`() async throws
  {
    var found: [[String]] = []
    for way in [StoryWay.collect, .queue] {
      let story = try Story()
      let told: [Telling] = [
        .payload(Telling.steps([9: 4000]), Telling.night(0..<7), at: 20, by: way),
        .payload(Telling.steps([33: 500]), Telling.night(24..<30), at: 44, by: way),
      ]
      for (number, telling) in told.enumerated() { try story.file("f/\(number).json", telling) }
      try await story.read(story.program.home.appending(path: "f").path, by: way)
      found.append(try await story.seen(on: Story.date) + story.seen(on: "2026-02-09"))
    }
    #expect(found[0] == found[1])
    let evening = "2026-02-08T19:00:00Z"
    #expect(found[0].contains("steps 4000 read \(evening), - to \(evening)"), "\(found[0])")
    #expect(
      found[0].contains("sleep_asleep_minutes 420 read \(evening), 2026-02-07T23:00:00Z to -"))
  }

  @Test(arguments: TestDepth.full([StoryWay.queue, .hub], usual: [.queue]))
  func `R20, R49: a hub that takes over in a night does not make it shorter`(way: StoryWay)
    async throws
  {
    let story = try Story()
    try await story.tell(.payload(Telling.night(-2..<7), at: 32, by: .collect))
    // Its first payload begins with the midnight.
    try await story.tell(.payload(Telling.night(0..<7), at: 33, by: way))
    #expect(try await story.numbers(Self.night) == [Self.night[0]: 540, Self.night[1]: 540])
    // With the evening before it, it has all of the night, and is the later one.
    try await story.tell(.payload(Telling.night(-1..<7), at: 34, by: way))
    #expect(try await story.numbers(Self.night) == [Self.night[0]: 480, Self.night[1]: 480])
  }

  @Test(arguments: StoryWay.files)
  func `R20 a night in halves is their sum, or the greater half`(way: StoryWay) async throws {
    let halves = [-2..<0, 0..<6].enumerated().map {
      Telling.payload(Telling.night($0.element), at: 32 + $0.offset, by: way)
    }
    try await Story.eitherOrder(halves, show: [Self.night[0]: 480, Self.night[1]: 480])
    let corrected = Telling.payload(Telling.night(0..<4), at: 34, by: way)
    for told in [halves + [corrected], [halves[1], corrected, halves[0]]] {
      let story = try Story()
      for telling in told { try await story.tell(telling) }
      #expect(try await story.numbers(Self.night) == [Self.night[0]: 360, Self.night[1]: 360])
    }
    // The first was written in the night, and has its hours after midnight, too.
    let overlapping = [
      Telling.payload(Telling.night(-2..<4), at: 4, by: way),
      Telling.payload(Telling.night(0..<7), at: 10, by: way),
    ]
    try await Story.eitherOrder(overlapping, show: [Self.night[0]: 420, Self.night[1]: 420])
  }

  @Test(arguments: StorySetting.all)
  func `R20 an app that exports from midnight on leaves the hours before it to the night`(
    setting: StorySetting
  ) async throws {
    try await Story.eitherOrder(
      [
        .payload(Telling.night(-2..<6), at: 8, by: setting.way),
        .payload(Telling.night(0..<6), Telling.steps([9: 90]), at: 10, by: setting.way),
      ], setting.server, show: [Self.night[0]: 480, Self.night[1]: 480, "steps": 90])
  }

  @Test(arguments: ["Europe/Berlin", "America/New_York"], [true, false])
  func `R20, R49 a late sample of the streams replaces no number of an export`(
    zone: String, isExportFirst: Bool
  ) async throws {
    let story = try Story()
    var abroad = story
    abroad.program.environment["S3HEALTH_TIMEZONE"] = zone
    let export = Telling.export(
      Telling.record("StepCount", 12_000),
      Telling.record("HeartRateVariabilitySDNN", 50, "ms", at: 8), at: 60)
    if isExportFirst { try await story.tell(export) }
    try await abroad.stream("StepCount", 40, "count", at: 16)
    try await abroad.stream("HeartRateVariabilitySDNN", 20, "ms", at: 16)
    if !isExportFirst { try await story.tell(export) }
    let both = ["steps", "hrv_sdnn_avg"]
    #expect(try await story.numbers(both) == ["steps": 12_000, "hrv_sdnn_avg": 50])
    let day = try await story.program.day(Story.date, story.store)["day"] as? [String: String]
    #expect(day?["timezone"] == "Europe/Berlin")
    // A phone that goes on raises it.
    try await abroad.stream("StepCount", 12_500, "count", at: 17)
    #expect(try await story.numbers(both) == ["steps": 12_540, "hrv_sdnn_avg": 50])
    // What a later export lacks was deleted.
    try await Task.sleep(for: .milliseconds(1100))
    try await story.tell(.export(Telling.record("StepCount", 11_000)))
    #expect(try await story.numbers(both) == ["steps": 11_000, "hrv_sdnn_avg": nil])
  }

  @Test(arguments: StorySetting.all)
  func `R19, R20 the parts of a measurement are of one source`(setting: StorySetting) async throws {
    let pair = ["blood_pressure_systolic", "blood_pressure_diastolic"]
    let pressure =
      #"{"name":"blood_pressure","units":"mmHg","data":[{"date":""#
      + #"\#(Story.moment(7))","systolic":120,"diastolic":80}]}"#
    try await Story.eitherOrder(
      [
        .payload(pressure, at: 57, by: setting.way),
        .export(
          Telling.record("BloodPressureSystolic", 131, "mmHg"),
          Telling.record("BloodPressureDiastolic", 85, "mmHg"), at: 44),
      ], setting.server, show: [pair[0]: 131, pair[1]: 85])
    guard setting.isThorough else { return }
    // Five hours by stages, beside an export that has eight of one stage.
    let stages = Telling.payload(
      Telling.night(0..<3, "REM"), Telling.night(3..<5, "Deep"), at: 57, by: setting.way)
    try await Story.eitherOrder(
      [stages, .export(Telling.asleep(-2..<6), at: 44)], setting.server,
      show: [
        Self.night[0]: 480, Self.night[1]: 480, "sleep_rem_minutes": nil, "sleep_deep_minutes": nil,
      ])
    guard setting.server == nil, setting.way == .put else { return }
    let story = try Story()
    try await story.tell(.payload(pressure, at: 57, by: .put))
    try await story.tell(.export(Telling.asleep(-2..<6), at: 60))
    try await story.tell(.numbers([pair[0]: 140, Self.night[0]: 200]))
    #expect(
      try await story.numbers(pair + Self.night)
        == [pair[0]: 140, pair[1]: nil, Self.night[0]: 200, Self.night[1]: nil])
  }
}

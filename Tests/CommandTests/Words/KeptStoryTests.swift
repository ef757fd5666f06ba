import Foundation
import TestSupport
import Testing

/// What stays of a day that people, copies, older versions and wrong clocks have changed (R19, R20).
@Suite(.server) struct KeptStoryTests {
  @Test(arguments: TestDepth.full([true, false], usual: [true]), [true, false])
  func `R20 two copies of a store that were both written to are joined by the next put`(
    isCopyLast: Bool, hasCopysPointer: Bool
  ) async throws {
    let (story, copy) = (try Story(), try Story())
    let (files, copied) = (URL(filePath: story.store[1]), URL(filePath: copy.store[1]))
    try await story.tell(.payload(Telling.steps([0: 5000]), at: 32, by: .put))
    try FileManager.default.removeItem(at: copied)
    try FileManager.default.copyItem(at: files, to: copied)
    for writer in isCopyLast ? [story, copy] : [copy, story] {
      try await Task.sleep(for: .milliseconds(2100))
      let isCopy = writer.store == copy.store
      let rows =
        isCopy
        ? [
          Telling.rows("active_energy", "kcal", [0: 400]),
          Telling.rows("resting_heart_rate", "count/min", [0: 55]),
        ]
        : [
          Telling.rows("weight_body_mass", "kg", [0: 81]),
          Telling.rows("flights_climbed", "count", [0: 7]),
        ]
      for row in rows { try await writer.tell(.payload(row, at: 33, by: .put)) }
    }
    let before = try contents(of: files)
    for (name, data) in try contents(of: copied) {
      guard name.hasSuffix("latest.json") ? hasCopysPointer : before[name] == nil else { continue }
      try data.write(to: files.appending(path: name))
    }
    try await story.tell(.payload(Telling.steps([0: 5001]), at: 34, by: .put))
    let union: [String: Double?] = [
      "steps": 5001, "weight": 81, "flights_climbed": 7, "active_energy_kcal": 400,
      "resting_hr_avg": 55,
    ]
    #expect(try await story.numbers(Array(union.keys)) == union)
    #expect(try await story.findings() == [])
  }

  @Test(arguments: StoryWay.all, TestDepth.full([9000.0, 7000], usual: [9000]))
  func `R20 a number that a person corrects stays until its source has another, or an export comes`(
    way: StoryWay, corrected: Double
  ) async throws {
    let story = try Story()
    func payload(_ steps: Double, at hour: Int?) -> Telling {
      .payload(Telling.steps([0: steps]), at: hour, by: way)
    }
    try await story.tell(payload(8000, at: 33))
    try await story.tell(.numbers(["steps": corrected]))
    for hour in [33, 34] {
      try await story.tell(payload(8000, at: hour))
      #expect(try await story.steps() == corrected)
    }
    #expect(try await story.revisions() == 2, "what is said again makes no revision")
    try await Task.sleep(for: .milliseconds(2100))
    try await story.tell(payload(8200, at: nil))
    #expect(try await story.steps() == 8200)
    try await story.tell(.numbers(["steps": corrected]))
    #expect(try await story.steps() == corrected)
    try await Task.sleep(for: .milliseconds(2100))
    try await story.tell(.export(Telling.record("StepCount", 7777)))
    #expect(try await story.steps() == 7777)
  }

  /// 07:00 in Singapore is 23:00 of the day before in UTC.
  static func rows(_ steps: Double, at hour: Int, by way: StoryWay) -> Telling {
    .payload(
      Telling.steps([-48: steps], zone: 8),
      Telling.rows("weight_body_mass", "kg", [-58: 70], zone: 8), at: hour, by: way)
  }

  @Test(
    arguments: StoryWay.files + [.queue],
    TestDepth.full(["Etc/UTC", "Africa/Abidjan"], usual: ["Etc/UTC"]))
  func `R19, R20 a zone that is put right leaves no number on the old date, whatever its name`(
    way: StoryWay, wrong: String
  ) async throws {
    var story = try Story(zone: wrong)
    try await story.tell(Self.rows(1000, at: 10, by: way))
    #expect(try await story.steps(on: "2026-02-05") == 1000)
    story.program.environment["S3HEALTH_TIMEZONE"] = "Asia/Singapore"
    if way == .queue {
      try await story.run(["raw", "zones", "Asia/Singapore"])
      try await story.derive()
    } else {
      try await story.tell(Self.rows(1000, at: 10, by: way))
    }
    #expect(try await story.steps(on: "2026-02-05") == nil)
    #expect(try await story.steps(on: "2026-02-06") == 1000)
    #expect(try await story.numbers(["weight"], on: "2026-02-05") == ["weight": 70])
  }

  @Test(arguments: StoryWay.all)
  func `R4, R20 who moves has the days of each zone, and the same again makes no revision`(
    way: StoryWay
  ) async throws {
    let story = try Story(zone: "Europe/Berlin, America/New_York@2026-02-07")
    for hour in [32, 33] {
      try await story.tell(
        .payload(Telling.steps([-39: 600, -9: 700, 15: 800]), at: hour, by: way))
    }
    for (day, steps, zone) in [
      (6, 600.0, "Europe/Berlin"), (7, 700, "America/New_York"), (8, 800, "America/New_York"),
    ] {
      let date = "2026-02-0\(day)"
      #expect(try await story.steps(on: date) == steps)
      let bounds = try await story.program.day(date, story.store)["day"] as? [String: String]
      #expect(bounds?["timezone"] == zone)
      #expect(try await story.revisions(on: date) == 1)
    }
  }

  @Test func `R8, R20 a clock that is ahead takes no number away`() async throws {
    let story = try Story()
    try await story.tell(.payload(Telling.steps([0: 8000]), at: 33, by: .put))
    let ahead = Int(Date().timeIntervalSince(Story.time(0)) / 3600) + 24
    let first = try story.newest().file.deletingPathExtension().lastPathComponent
    try story.replaceNewest(at: ahead, keeping: true, keepsSources: true) { document in
      document["captured_at"] = Story.time(ahead).ISO8601Format()
      document["parent"] = first
      document.set("steps", to: 8800)
    }
    #expect(try await story.steps() == 8800)
    let payload = Telling.payload(
      Telling.steps([0: 8100]), Telling.rows("weight_body_mass", "kg", [0: 81]), by: .put)
    let both = ["steps", "weight"]
    try await story.tell(payload)
    #expect(try await story.numbers(both)["weight"] == 81)
    try await story.tell(.numbers(["steps": 7000]))
    #expect(try await story.numbers(both) == ["steps": 7000, "weight": 81])
    try await story.tell(payload, "--force")
    #expect(try await story.numbers(both) == ["steps": 8100, "weight": 81])
    try await story.tell(.payload(Telling.steps([0: 8300]), by: .put), "--replace")
    #expect(try await story.numbers(both) == ["steps": 8300, "weight": nil])
    #expect(try await story.findings() == ["id_from_future"])
  }

  @Test(arguments: StorySetting.all)
  func `R19, R20 an export of half a day counts so far`(setting: StorySetting) async throws {
    let export = Telling.export(
      Telling.record("StepCount", 5000), Telling.record("FlightsClimbed", 7),
      Telling.record("HeartRateVariabilitySDNN", 50, "ms", at: 8), at: 13,
      options: ["--to", Story.date])
    func payload(_ steps: Double, at hour: Int) -> Telling {
      .payload(
        Telling.steps([0: steps]), Telling.rows("heart_rate_variability", "ms", [0: 40]),
        at: hour, by: setting.way)
    }
    try await Story.eitherOrder(
      [export, payload(8000, at: 33)], setting.server,
      show: ["steps": 8000, "flights_climbed": 7, "hrv_sdnn_avg": 40])
    guard setting.isThorough else { return }
    try await Story.eitherOrder(
      [export, payload(3000, at: 11)], setting.server,
      show: ["steps": 5000, "flights_climbed": 7, "hrv_sdnn_avg": 50])
  }
}

import Foundation
import TestSupport
import Testing

/// Further words of wrong clocks, zones and copies (R19, R20).
extension KeptStoryTests {
  @Test func `R20 hours that add up to less than a corrected number do not replace it, more do`()
    async throws
  {
    let story = try Story()
    defer { story.program.removeHome() }
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
    defer { story.program.removeHome() }
    try await story.tell(Self.rows(1000, at: 10, by: way))
    story.program.environment["S3HEALTH_TIMEZONE"] = "Asia/Singapore"
    // It has steps before that date and after it, and none of it.
    try await story.tell(
      .payload(Telling.steps([-96: 500, -48: 1100], zone: 8), at: 11, by: way))
    #expect(try await story.steps(on: "2026-02-05") == nil)
    #expect(try await story.steps(on: "2026-02-06") == 1100)
  }

  @Test(arguments: StoryWay.files)
  func `R19, R20 a file whose time was lost counts as read now, an old copy as old`(
    way: StoryWay
  ) async throws {
    let story = try Story()
    defer { story.program.removeHome() }
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
    defer { story.program.removeHome() }
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
  func `R20 a reason of one source does not hide the number of another`(
    setting: StorySetting
  ) async throws {
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

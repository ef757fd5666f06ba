import Foundation
import TestSupport
import Testing

/// What a corrected zone changes (R19): no number stands on two dates.
@Suite(.process) struct ZoneCorrectionTests {
  /// 07:00 in Singapore is 23:00 of the day before in UTC.
  static let rows = """
    {"data":{"metrics":[
    {"name":"step_count","units":"count","data":[{"date":"2026-02-06 07:00:00 +0800","qty":1000}]},
    {"name":"weight_body_mass","units":"kg","data":[{"date":"2026-02-05 21:00:00 +0800","qty":70}]}
    ]}}
    """

  @Test(arguments: [["import"], ["put", "--date", "all", "--input"]])
  func `R19 a number goes from its date in the wrong zone`(command: [String]) async throws {
    let program = try Program().withoutZone()
    let file = try program.file("folder/p.json", Self.rows)
    func publish(_ zone: String, _ more: String...) async throws -> Program.Run {
      try await program.succeeds(command + [file, "--timezone", zone, "--output", "json"] + more)
    }
    _ = try await publish("Etc/UTC")
    #expect(try await program.steps("2026-02-05") == 1000)
    let shown = try await publish("Asia/Singapore", "--dry-run")
    #expect(try await program.steps("2026-02-05") == 1000, "\(shown.output)")
    _ = try await publish("Asia/Singapore")
    let moved = try await program.day("2026-02-05")
    let day = try #require(moved["day"] as? [String: Any], "\(moved)")
    #expect(day["timezone"] as? String == "Asia/Singapore", "\(moved)")
    #expect(try await program.steps("2026-02-05") == nil, "\(moved)")
    #expect(try await program.steps("2026-02-06") == 1000)
    // Once it is right it stays, and costs nothing.
    let again = try await publish("Asia/Singapore")
    #expect(!again.output.contains("\"published\""))
  }

  @Test func `R19 what another source said stays when the zone is corrected`() async throws {
    let program = try Program().withoutZone()
    let file = try program.file(
      "p.json", stepPayload(#"{"date":"2026-02-06 07:00:00 +0800","qty":1000}"#))
    let sleep = try program.file(
      "sleep.json", #"{"date":"2026-02-05","metrics":{"sleep_asleep_minutes":400}}"#)
    _ = try await program.succeeds(["put", "--input", sleep, "--timezone", "Etc/UTC"])
    _ = try await program.succeeds(["import", file, "--timezone", "Etc/UTC"])
    try await program.succeeds(
      ["import", file, "--timezone", "Asia/Singapore"],
      saying: "2026-02-05: steps: counted here in another zone before")
    let old = try await program.day("2026-02-05")
    #expect(try await program.steps("2026-02-05") == nil, "\(old)")
    #expect(try await program.number("sleep_asleep_minutes", "2026-02-05") == 400, "\(old)")
  }

  @Test(arguments: [true, false])
  func `R19 a number goes from the wrong date whoever wrote or kept it there, and one alone stays`(
    isSameSource: Bool
  ) async throws {
    let program = try Program().withoutZone()
    let file = try program.file("p.json", Self.rows)
    let others = ["--collector-id", "0B7E1D7A-7F8F-4C34-9F5D-2C9C1D6B1A09"]
    func publish(_ input: String, _ zone: String, _ more: [String] = []) async throws {
      _ = try await program.succeeds(
        ["put", "--date", "all", "--input", input, "--timezone", zone] + more)
    }
    if isSameSource {
      // Another machine has published the source, and a third one's sleep lies over it.
      try await publish(file, "Etc/UTC", others)
      let sleep = try program.file(
        "s.json", #"{"date":"2026-02-05","metrics":{"sleep_asleep_minutes":400}}"#)
      let third = ["--collector-id", "0B7E1D7A-7F8F-4C34-9F5D-2C9C1D6B1A10"]
      try await publish(sleep, "Etc/UTC", third)
    } else {
      // Another collector's day that has the same steps by chance.
      let day = #"{"date":"2026-02-05","metrics":{"steps":1000,"weight":71}}"#
      let stranger = try program.file("d.json", day)
      try await publish(stranger, "Etc/UTC", others)
    }
    try await publish(file, "Asia/Singapore")
    let steps = try await program.steps("2026-02-05")
    #expect(steps == (isSameSource ? nil : 1000))
    #expect(try await program.steps("2026-02-06") == 1000)
    if isSameSource {
      #expect(try await program.number("sleep_asleep_minutes", "2026-02-05") == 400)
    }
  }
}

import Foundation
import HealthModel
import TestSupport
import Testing

/// A person's own zone, goals and units on a hub, by the real programs (R65).
@Suite(.process) struct PersonZoneTests {
  /// A server in UTC with a token of Ann's.
  struct Trial {
    let trial: HubTrial
    var ann = ""

    init() async throws { trial = try await HubTrial(arguments: ["--timezone", "Etc/UTC"]) }

    func people(_ arguments: [String]) async throws -> Program.Run {
      try await trial.program.run(["people"] + arguments + ["--store", trial.store.path])
    }

    mutating func addToken() async throws {
      ann = try await HubProgram.token(
        "ann-phone", trial.program, arguments: ["--person", "ann", "--device", HubTrial.device])
    }

    /// Zone and steps of a day of Ann's.
    func day(_ date: String) async throws -> (zone: String?, steps: Int?) {
      let run = try await trial.program.run(
        ["get", date, "-o", "json", "--person", "ann", "--store", trial.store.path])
      let value = try? JSONValue(parsing: Array(run.output.utf8))
      return (
        value?["day"]?["timezone"]?.stringValue,
        value?["metrics"]?["steps"]?.numberValue.map { Int($0) }
      )
    }

    func post(_ body: String, _ token: String) async throws {
      let answer = try await trial.ask("/api/ingest", token: token, body: body)
      #expect(answer.status == 200, "\(answer.body)")
    }
  }

  @Test func `R65: a person's days are those of their own zone, and nobody else's`() async throws {
    var trial = try await Trial()
    // It is 00:00 of the 9th there when it is 10:00 of the 8th in UTC.
    let added = try await trial.people(["add", "ann", "--timezone", "Pacific/Kiritimati"])
    #expect(added.exitCode == 0, "\(added.errors)")
    try await trial.addToken()
    try await trial.post(HubTrial.body([4711]), trial.ann)
    try await trial.post(HubTrial.body([6967]), trial.trial.token)
    #expect(try await until { try await trial.day("2026-02-09").steps == 4711 })
    #expect(try await trial.day("2026-02-09").zone == "Pacific/Kiritimati")
    #expect(try await trial.day("2026-02-08").steps == nil)
    let own = try await until {
      try await trial.trial.program.run(
        ["get", "2026-02-08", "--store", trial.trial.store.path]
      ).output.contains("6,967")
    }
    #expect(own)
  }

  @Test func `R49, R65: a zone changed later holds from today, and no day is blank`() async throws {
    var trial = try await Trial()
    _ = try await trial.people(["add", "ann", "--timezone", "Europe/Berlin"])
    try await trial.addToken()
    try await trial.post(HubTrial.body([100, 20]), trial.ann)
    #expect(try await until { try await trial.day("2026-02-08").steps == 120 })
    let set = try await trial.people(["set", "ann", "--timezone", "America/New_York"])
    #expect(set.output == "timezone = America/New_York\n")
    // It is known within a minute; a new server knows it at once.
    try await trial.trial.hub.end(by: SIGTERM)
    let next = try await HubProgram(
      trial.trial.program, store: trial.trial.store.path, arguments: ["--timezone", "Etc/UTC"])
    for (date, session) in [("2026-02-08", "s-2"), ("2026-02-11", "s-3")] {
      let body = HubTrial.body([3], on: date, session: session)
      let answer = try await CurlAnswer(
        next.url + "/api/ingest", token: trial.ann, body: Array(body.utf8))
      #expect(answer.status == 200, "\(answer.body)")
    }
    #expect(try await until { try await trial.day("2026-02-11").steps == 3 })
    #expect(try await trial.day("2026-02-11").zone == "Europe/Berlin")
    #expect(try await until { try await trial.day("2026-02-08").steps == 123 })
    #expect(try await trial.day("2026-02-08").zone == "Europe/Berlin")
    let zones = try await trial.trial.program.run(
      ["raw", "zones", "--person", "ann", "--store", trial.trial.store.path])
    #expect(zones.output.hasPrefix("Europe/Berlin, America/New_York@20"))
    try await next.end(by: SIGTERM)
  }

  static func today(in zone: String, daysAgo: Int = 0) throws -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    let parts = calendar.dateComponents(
      [.year, .month, .day], from: Date(timeIntervalSinceNow: Double(-86_400 * daysAgo)))
    return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }
}

import TestSupport
import Testing

/// The zone that decides what today is, where nobody has set one (R4).
@Suite struct ReportingZoneTests {
  @Test(arguments: [
    ("Asia/Kathmandu", "Asia/Kathmandu"), (":Pacific/Apia", "Pacific/Apia"),
    // Foundation makes GMT of it.
    ("UTC", "UTC"),
  ])
  func `a zone that TZ names is taken as it stands`(variable: String, zone: String) async throws {
    var program = try Program()
    defer { program.removeHome() }
    program.environment["S3HEALTH_TIMEZONE"] = ""
    program.environment["TZ"] = variable
    let settings = try await program.succeeds(["doctor", "--output", "json"]).json()["settings"]
    let found = (settings as? [[String: String]])?.first { $0["setting"] == "timezone" }
    #expect(found?["value"] == zone)
    #expect(found?["origin"] == "TZ")
    try await program.succeeds(["put", "--input", "-"], input: payload("2026-07-01"))
    let get = try await program.succeeds(["get", "--date", "2026-07-01", "-o", "json"]).json()
    #expect((get["day"] as? [String: String])?["timezone"] == zone)
  }

  @Test func `a TZ that names no zone of the database leaves this machine's`() async throws {
    var program = try Program()
    defer { program.removeHome() }
    program.environment["S3HEALTH_TIMEZONE"] = ""
    program.environment["TZ"] = "/nonexistent/zone"
    let settings = try await program.succeeds(["doctor", "--output", "json"]).json()["settings"]
    let found = (settings as? [[String: String]])?.first { $0["setting"] == "timezone" }
    #expect(found?["origin"] == "this machine")
  }
}

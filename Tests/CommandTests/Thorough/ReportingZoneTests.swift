import TestSupport
import Testing

/// The zone that decides what today is, where nobody has set one (R4).
@Suite(.process) struct ReportingZoneTests {
  @Test(arguments: [
    ("Asia/Kathmandu", "Asia/Kathmandu"), (":Pacific/Apia", "Pacific/Apia"),
    // Foundation makes GMT of it.
    ("UTC", "UTC"),
    // The C library reads these files.
    ("/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"),
    (":/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"), ("posix/Asia/Kolkata", "Asia/Kolkata"),
  ])
  func `a zone that TZ names is taken as it stands`(variable: String, zone: String) async throws {
    var program = try Program()
    defer { program.removeHome() }
    program.environment["S3HEALTH_TIMEZONE"] = ""
    program.environment["TZ"] = variable
    let doctor = try await program.run(["doctor", "--output", "json"])
    #expect(doctor.exitCode == 1, "a machine's zone is nobody's: \(doctor.output)")
    let settings = try doctor.json()["settings"]
    let found = (settings as? [[String: String]])?.first { $0["setting"] == "timezone" }
    #expect(found?["value"] == zone)
    #expect(found?["origin"] == "TZ")
    try await program.succeeds(["put", "--input", "-"], input: payload("2026-07-01"))
    let get = try await program.succeeds(["get", "2026-07-01", "-o", "json"]).json()
    #expect((get["day"] as? [String: String])?["timezone"] == zone)
  }

  #if os(Linux)
    @Test func `R4: without a time zone database no command guesses, and the remedy is named`()
      async throws
    {
      var program = try Program()
      defer { program.removeHome() }
      program.environment["TZDIR"] = "/nonexistent"
      let words = ["this machine has no time zone database", "tzdata", "TZDIR"]
      for command in [["ls"], ["verify"], ["put", "--timezone", "UTC", "--input", "absent.json"]] {
        let error = try await program.fails(command, as: .invalidArguments)
        let text = "\(error["message"] ?? "")\n\(error["remedy"] ?? "")"
        for word in words { #expect(text.contains(word), "\(text)") }
      }
      try await program.succeeds(["--version"])
      program.environment["TZDIR"] = "/usr/share/zoneinfo"
      let put = ["put", "--timezone", "Asia/Tokyo", "--input", "-"]
      try await program.succeeds(put, input: payload("2026-07-01"))
    }
  #endif

  @Test(arguments: [
    ("europe/berlin", "TZ=Europe/Berlin"), ("Berlin", "TZ=Europe/Berlin"),
    ("JST-9", "IANA name"), (":", "IANA name"), ("/nonexistent/zone", "IANA name"),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "IANA name"),
  ])
  func `R4: a TZ that names no zone is refused where days are written`(
    variable: String, remedy: String
  ) async throws {
    var program = try Program()
    defer { program.removeHome() }
    program.environment["S3HEALTH_TIMEZONE"] = ""
    program.environment["TZ"] = variable
    let refused = ["TZ is \"\(variable)\"", remedy, "--timezone"]
    for command in [["put", "--input", "absent.json"], ["import", "absent.zip"]] {
      let error = try await program.fails(command, as: .invalidArguments)
      let words = "\(error["message"] ?? "")\n\(error["remedy"] ?? "")"
      for phrase in refused { #expect(words.contains(phrase), "\(words)") }
    }
    #expect(try contents(of: program.defaultStore).isEmpty)
    // What needs no zone goes on.
    let put = ["put", "--timezone", "Asia/Tokyo", "--input", "-"]
    try await program.succeeds(put, input: payload("2026-07-01"))
    try await program.succeeds(["get", "2026-07-01"])
    try await program.fails(["get", "today"], as: .invalidArguments, saying: "TZ is")
  }
}

import Foundation
import TestSupport
import Testing

/// Further batches and servers (R46 to R49).
extension StreamsCommandTests {
  @Test func `ranges, devices and streams choose what is read`() async throws {
    let program = try Program()
    try await fill(program, [])
    func records(_ arguments: String...) async throws -> Int? {
      try await program.succeeds(["raw", "ls", "-o", "json"] + arguments).json()["records"]
        as? Int
    }
    #expect(try await records() == 5)
    #expect(try await records("--stream", "healthkit") == 2)
    #expect(try await records("--from", "2025-01-31") == 1)
    #expect(try await records("--to", "2025-01-30") == 4)
    #expect(try await records("7d") == 0)
    #expect(try await records("--device", "0b7a7a52-30f6-4a08-a1de-7be1c3c8d001") == 0)
    try await program.succeeds(["raw", "ls"], printing: "3 batches, 5 entries")
    try await program.run(["raw", "ls", "--stream", "camera"], ends: 64, saying: "location")
  }

  @Test func `R48: without a configured store, sync uploads to the server set up`() async throws {
    let server = try IngestServer()
    let program = try await Self.program(for: server)
    func upload(_ moment: String, _ arguments: [String] = []) async throws {
      _ = try await program.run(
        ["raw", "add", "--stream", "location", "--input", "-"],
        input: Array(Self.point(moment).utf8))
      _ = try await program.succeeds(["raw", "sync"] + arguments)
    }
    try await upload("2025-01-30T12:00:00Z")
    #expect(try await server.log().posts == 1)
    // Whoever names a store means the store.
    let store = program.home.appending(path: "mine").path
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    try await upload("2025-01-30T12:01:00Z", ["--store", store])
    #expect(try await server.log().posts == 1)
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: store).contains { $0.hasSuffix(".gz") })
  }

  @Test func `R46: what is synced later is received later, whatever the clock`() async throws {
    let program = try Program()
    // A server of this user received something before the clock was set back by a year.
    let last = (Int(Date().timeIntervalSince1970) + 31_536_000) * 1_000_000
    let receipts = try program.folder(".local/share/s3health").appending(path: "receipts")
    try Data((String(repeating: "0", count: 4) + String(last)).utf8).write(to: receipts)
    for value in [60, 64] {
      try await upload([Self.heartRate("2025-01-30T08:00:00Z", value)], "healthkit", program, [])
    }
    try await program.succeeds(["raw", "cat"], printing: #""value":64"#)
    let next = try String(contentsOf: receipts, encoding: .utf8)
    #expect(try #require(Int(next)) >= last + 2, "\(next)")
  }

  @Test func `R49: zones that a setting would undo at the next start are reported`() async throws {
    var program = try Program()
    func correct(_ zones: String, _ more: [String] = []) async throws -> String {
      try await program.succeeds(["raw", "zones", zones] + more).errors
    }
    program.environment["S3HEALTH_TIMEZONE"] = "Europe/Berlin"
    let variable = try await correct("Asia/Singapore")
    #expect(
      variable.contains("the setting timezone is Europe/Berlin")
        && variable.hasSuffix("change it too, with S3HEALTH_TIMEZONE\n"), "\(variable)")
    program = program.withoutZone()
    #expect(try await !correct("Asia/Singapore").contains("timezone is"))
    try await program.succeeds(["config", "set", "timezone", "Europe/Berlin"])
    let setting = try await correct("Asia/Singapore")
    #expect(setting.contains(#"`s3health config set timezone "Asia/Singapore"`"#))
    for same in ["Europe/Berlin", "Asia/Singapore, Europe/Berlin@2020-01-01"] {
      #expect(try await !correct(same).contains("timezone is"))
    }
    // What a person has chosen goes before the server's setting.
    try await program.succeeds(["people", "add", "ann", "--timezone", "Europe/Paris"])
    let person = try await correct("Asia/Singapore", ["--person", "ann"])
    #expect(
      person.contains("the time zone of ann is Europe/Paris")
        && person.contains(#"`s3health people set ann --timezone "Asia/Singapore"`"#), "\(person)")
  }

  @Test func `R55: what a server says of payloads is about the asked address`() async throws {
    let server = try IngestServer()
    let program = try await Self.program(for: server)
    let payload = ProjectTree.root.appending(path: "Examples/payloads/health-auto-export.json").path
    _ = try await program.succeeds(["collect", "--queue", "--input", payload])
    let refused = try await program.run(["raw", "sync", "--server", server.url()])
    #expect(refused.errors.contains("takes no payloads"))
    let object = refused.errors.split(separator: "\n").first { $0.contains("object:") }
    #expect(object?.hasSuffix("/health-auto-export") == true, "\(refused.errors)")
  }
}

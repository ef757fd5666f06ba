import Foundation
import TestSupport
import Testing

/// `init`: the configuration file, and what `doctor` says of it.
@Suite(.server) struct InitCommandTests {
  func program() throws -> Program { try Program(["S3HEALTH_TIMEZONE": ""]) }

  func config(_ program: Program) -> URL { program.home.appending(path: ".config/s3health/config") }

  func text(_ program: Program) throws -> String {
    try String(contentsOf: config(program), encoding: .utf8)
  }

  @Test(arguments: TestServer.one)
  func `a bucket is one's own in three commands`(server: TestServer) async throws {
    var program = try program().on(server)
    program.environment["AWS_ENDPOINT_URL"] = nil
    program.environment["AWS_REGION"] = nil
    let store = "s3://\(server.bucket)/commands/\(UUID())"
    var arguments = ["init", store, "--endpoint-url", server.endpoint]
    arguments += ["--region", server.region, "--timezone", "Asia/Kolkata"]
    if let caBundle = server.caBundle { arguments += ["--ca-bundle", caBundle] }
    let run = try await program.run(arguments)
    let doctor = try await program.run("doctor")
    #expect(run.exitCode == doctor.exitCode, "\(run.errors)")
    #expect(run.output.hasPrefix("wrote \(config(program).path)\n  store = \(store)\n"))
    #expect(run.output.contains("ok       reachable: "))
    let kept = try text(program)
    #expect(!run.output.contains(server.secretKey) && !kept.contains("key"))
    let mode = try FileManager.default.attributesOfItem(atPath: config(program).path)
    #expect(mode[.posixPermissions] as? Int == 0o600)
    try await program.put(payload())
    #expect(try await program.succeeds(["get", "2026-02-08"]).output.contains("Asia/Kolkata"))
  }

  @Test func `settings are added, and none is changed in silence`() async throws {
    let program = try program()
    let (one, two) = (try program.folder("one").path, try program.folder("two").path)
    let before = "# mine\r\nregion = eu-1\r\nstore = \(one)   # there\r\n"
    _ = try program.file(".config/s3health/config", before)
    let refused = try await program.refuses(
      ["init", two, "--timezone", "Asia/Tokyo"],
      saying: "store is \(one) and would become \(two)", "--force")
    #expect((refused["message"] as? String)?.contains("timezone") == false)
    #expect(try text(program) == before)

    let added = try await program.succeeds(["init", one, "--timezone", "Asia/Tokyo", "-o", "json"])
    #expect(try text(program) == before + "timezone = Asia/Tokyo\r\n")
    let changes = try #require(try added.json()["changes"] as? [[String: Any]])
    #expect(changes.count == 1 && changes[0]["before"] is NSNull)
    #expect((try added.json()["doctor"] as? [String: Any])?["healthy"] as? Bool == true)

    try await program.succeeds(
      ["init", two, "--force"], printing: "  store = \(two)  (was \(one))\n")
    let after = before.replacing("\(one)   #", with: "\(two)   #") + "timezone = Asia/Tokyo\r\n"
    #expect(try text(program) == after)
    try await program.succeeds(["init", two], printing: "already has these settings")
    #expect(try text(program) == after)
  }

  @Test(arguments: TestServer.one)
  func `settings that fail never replace others, and a bucket is made on request`(
    server: TestServer
  ) async throws {
    var program = try program().on(server)
    let folder = try program.folder("one").path
    program.environment["AWS_ENDPOINT_URL"] = nil
    try await program.succeeds(["init", folder, "--timezone", "Asia/Tokyo"])
    let before = try text(program)
    let name = "made-\(UUID().uuidString.lowercased())"
    var arguments = ["init", "s3://\(name)/me", "--endpoint-url", server.endpoint, "--force"]
    arguments += ["--region", server.region]
    if let caBundle = server.caBundle { arguments += ["--ca-bundle", caBundle] }
    let failed = try await program.run(arguments, ends: 69)
    #expect(failed.output.hasPrefix("nothing was written to "))
    #expect(failed.output.contains("--create-bucket"), "\(failed.output)")
    #expect(try text(program) == before)
    let made = try await program.run(arguments + ["--create-bucket"])
    // A server may not let this user make one; then that is said, and nothing is written either.
    if made.errors.contains("made the bucket \(name)") {
      #expect(try text(program).contains("store = s3://\(name)/me\n"))
      let copy = try String(contentsOfFile: config(program).path + ".before", encoding: .utf8)
      #expect(copy == before)
    } else {
      #expect(made.exitCode != 0 && !made.errors.isEmpty, "\(made.output)")
      #expect(try text(program) == before)
    }
  }

  /// `init` on a terminal, where a person types these lines, one for each question.
  func asked(_ program: Program, _ lines: String...) async throws -> Program.Run {
    try await program.onTerminal(columns: 100, errorsToo: true).run(
      ["init"], input: Array(lines.map { $0 + "\n" }.joined().utf8))
  }

  @Test func `init asks, and asks again where an answer can't be used`() async throws {
    let program = try program()
    let exports = try program.file("exports/p.json", payload())
    let run = try await asked(
      program, "gopher://x", "~/health", "no", "~/health", "yes", "Mars/Olympus", "Asia/Tokyo",
      "/nowhere/export.zip", exports)
    #expect(run.exitCode == 0, "\(run.output)")
    #expect(run.output.contains(#"there is no kind of store "gopher://""#))
    #expect(run.output.contains("the source /nowhere/export.zip does not exist"))
    #expect(run.output.contains("Your time zone") && run.output.contains("Mars/Olympus"))
    #expect(
      try text(program).hasSuffix(
        "\nstore = ~/health\ntimezone = Asia/Tokyo\nsource = \(exports)\n"))
    #expect(FileManager.default.fileExists(atPath: program.home.path + "/health"))

    // A change is asked for too, and what is not agreed to is not made.
    let before = try text(program)
    let kept = try await asked(program, program.defaultStore.path, "", "no")
    #expect(kept.exitCode == 64 && kept.output.contains("Change store from ~/health to"))
    #expect(try text(program) == before)
    let changed = try await asked(program, program.defaultStore.path, "", "yes")
    #expect(changed.exitCode == 0, "\(changed.output)")
    #expect(try text(program).contains("\nstore = \(program.defaultStore.path)\n"))
  }
}

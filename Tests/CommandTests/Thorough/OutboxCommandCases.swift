import Foundation
import TestSupport
import Testing

/// Further runs of the outbox (R44, R48).
extension OutboxCommandTests {
  @Test func `R44: a file that an editor of Windows has written is read`() async throws {
    let lines = "\u{FEFF}" + [0, 1].map(location).joined(separator: "\r\n\r\n") + "\r\n"
    try await program.succeeds(
      ["raw", "add", "--stream", "location"], input: lines, printing: "queued 2 entries")
    let array = "\u{FEFF}[" + [0, 1].map(sample).joined(separator: ",") + "]"
    try await program.succeeds(
      ["raw", "add", "--stream", "healthkit"], input: array, printing: "queued 2 entries")
  }

  @Test func `R48: status ends with 1 if no upload succeeded for too long, or ever`() async throws {
    try await program.put(#"{"metrics":{"steps":1}}"#, ["--date", "today"])
    #expect(try await program.run("status", "--max-age", "2h").exitCode == 1)
    #expect(try await program.run("status").exitCode == 0)
    try await queue45(program)
    #expect(try await program.run("status", "--max-age", "2h").exitCode == 1)
    try await program.succeeds(["raw", "sync"])
    #expect(try await program.run("status", "--max-age", "2h").exitCode == 0)
  }

  @Test func `R48: a store's folder that is away is recorded as a store offline`() async throws {
    let absent = ["--store", program.home.path + "/disk/store"]
    #expect(try await program.run(["raw", "sync"] + absent).errors.contains("does not exist"))
    try await queue45(program)
    try await program.run(
      ["raw", "sync"] + absent, ends: 69, saying: "E001: the folder",
      "check that its disk is mounted; nothing is lost")
    let status = try await program.run(["status", "-o", "json"]).json()
    #expect((status["upload_stats"] as? [String: Int])?["pending"] == 45)
    #expect((status["last_error"] as? [String: String])?["code"] == "E001")
    #expect(status["last_upload_date"] is String)
    try await program.succeeds(
      ["status", "--log", "--type", "sync_failed"], printing: "does not exist")
    try await program.succeeds(["raw", "sync"])
    #expect(try objects(program).count == 3)
  }

  @Test func `R48: a loop of syncs goes on until the store's folder is there`() async throws {
    try await queue45(program)
    let disk = program.home.appending(path: "disk/store")
    let streams = disk.path + "/streams/v0/apple_ios_core_location"
    async let loop = program.killed("SIGINT", at: 1, of: streams).run(
      ["raw", "sync", "--interval", "1s", "--store", disk.path])
    while try await program.run(["status", "-o", "json"]).json()["last_error"] is NSNull {
      try await Task.sleep(for: .milliseconds(100))
    }
    try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
    let run = try await loop
    #expect(run.errors.contains("E001: the folder"))
    #expect(FileManager.default.fileExists(atPath: streams))
    try await program.succeeds(["raw", "sync", "--store", disk.path])
    let cat = try await program.succeeds(
      ["raw", "cat", "--stream", "location", "--store", disk.path])
    #expect(cat.output.split(separator: "\n").count == 15)
  }

  @Test(arguments: TestServer.one)
  func `R48: a missing bucket is named once, and nothing is lost`(server: TestServer) async throws {
    let program = try Program().on(server)
    try await queue45(program)
    let bucket = "s3health-absent-\(UInt32.random(in: 0 ... .max))"
    let run = try await program.run(
      ["raw", "sync"] + server.arguments(bucket: bucket), ends: 69,
      saying: "E003: the bucket \(bucket) does not exist")
    #expect(
      run.errors.contains(
        "  do:     create it with `s3health init STORE --create-bucket`, or check the name, "
          + "--endpoint-url and the setting addressing_style; "
          + "nothing is lost: the entries stay in the outbox and are tried again\n"),
      "\(run.errors)")
    #expect(run.errors.components(separatedBy: "does not exist at").count == 2)
    // Nothing is due now, and a missing store is still not a success.
    let absent = program.home.path + "/disk/store"
    let early = try await program.run("raw", "sync", "--store", absent)
    #expect(early.exitCode == 69 && early.errors.contains("does not exist"), "\(early.errors)")
    let status = try await program.run(["status", "-o", "json"]).json()
    #expect((status["upload_stats"] as? [String: Int])?["pending"] == 45)
    let error = try #require(status["last_error"] as? [String: String])
    #expect(
      error["message"]?.contains("; create it, or check the name") == true, "\(error)")
  }

  @Test func `R44: the streams that can be added to are listed`() async throws {
    let unknown = try await program.run("raw", "add", "--stream", "heartbeat")
    let help = try await program.run("raw", "add", "--help")
    for text in [unknown.errors, help.output] {
      #expect(text.contains("apple_ios_mic_audio"))
      #expect(!text.contains("payloads") && !text.contains("health_auto_export"), "\(text)")
    }
    let payloads = try await program.run("raw", "add", "--stream", "payloads")
    #expect(payloads.exitCode == 64)
    #expect(payloads.errors.contains("use s3health collect --queue"))
  }
}

import Foundation
import TestSupport
import Testing

/// `raw` and `status`: entries from their JSON to the store.
@Suite(.server) struct OutboxCommandTests {
  let program: Program

  init() throws { program = try Program() }

  func location(_ number: Int) -> String {
    """
    {"timestamp":"\(moment(number))","latitude":37.7749,"longitude":-122.4194,"altitude":10.5,\
    "speed":1.2,"horizontal_accuracy":5.0,"vertical_accuracy":3.0}
    """
  }

  private func chunk(_ number: Int) -> String {
    """
    {"id":"chunk-\(number)","timestamp_start":"\(moment(number))","timestamp_end":\
    "\(moment(number))","duration":30.0,"audio_data":"AAAA","overlap_duration":2.0}
    """
  }

  func sample(_ number: Int) -> String {
    """
    {"timestamp":"\(moment(number))","sample_type":"HKQuantityTypeIdentifierHeartRate",\
    "value":72.0,"unit":"bpm"}
    """
  }

  private func moment(_ number: Int) -> String {
    "2025-01-30T10:\(number / 600)\(number / 60 % 10):\(number / 10 % 6)\(number % 10).000Z"
  }

  /// Queues 15 entries of each stream, in the three forms that the input may have.
  func queue45(_ program: Program) async throws {
    let lines = (0..<15).map(location).joined(separator: "\n")
    let array = "[" + (0..<15).map(sample).joined(separator: ",") + "]"
    try await program.succeeds(["raw", "add", "--stream", "location"], input: lines)
    try await program.succeeds(
      ["raw", "add", "--stream", "apple_ios_healthkit", "--input", "-"], input: array)
    for number in 0..<15 {
      try await program.succeeds(
        ["raw", "add", "--stream", "audio"], input: Array(chunk(number).utf8))
    }
  }

  /// The names of the objects below streams/v0 of the default store, without markers.
  func objects(_ program: Program) throws -> [String] {
    let folder = program.home.appending(path: ".local/share/s3health/store/streams/v0")
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".json.gz")
    }
  }

  @Test func `R48: 45 entries of three streams are three requests and results`() async throws {
    try await queue45(program)
    let before = try await program.run(["status", "-o", "json"]).json()
    #expect(before["last_upload_date"] is NSNull)
    #expect(
      before["stream_counts"] as? [String: Int] == ["audio": 15, "healthkit": 15, "location": 15])
    let sync = try await program.succeeds(["raw", "sync", "-o", "json"]).json()
    let streams = try #require(sync["streams"] as? [String: [String: Any]])
    #expect(streams.count == 3)
    for stream in streams.values {
      #expect(stream["requests"] as? Int == 1)
      #expect(stream["entries"] as? Int == 15)
      #expect(stream["success"] as? Bool == true)
    }
    #expect(try objects(program).count == 3)
    let again = try await program.succeeds(["raw", "sync"])
    #expect(again.output == "nothing to upload\n")
    let after = try await program.run(["status", "--max-age", "1h", "-o", "json"]).json()
    #expect(after["last_successful_sync_date"] is String && after["is_too_old"] as? Bool == false)
    #expect(
      after["upload_stats"] as? [String: Int]
        == ["pending": 0, "failed": 0, "uploaded": 45, "total": 45])
  }

  @Test func `R44: a faulty entry is named, and what was queued is said`() async throws {
    let bad = #"{"timestamp":"2025-01-30T10:00:00Z","latitude":91,"longitude":0}"#
    let lines = [location(1), location(2), bad, location(3)].joined(separator: "\n")
    // A file, as stdin is here, is queued as a whole or not at all.
    try await program.refuses(
      ["raw", "add", "--stream", "location"], input: lines,
      saying: "entry 3: /latitude: ", "nothing was queued")
    // A pipe is queued as it comes.
    var shell = program
    let file = program.home.appending(path: "lines")
    try lines.write(to: file, atomically: true, encoding: .utf8)
    shell.wrapper = ["sh", "-c", "cat \(file.path) | \"$0\" \"$@\""]
    let piped = try await shell.run("raw", "add", "--stream", "location")
    #expect(piped.exitCode == 64)
    #expect(piped.errors.contains("the 2 entries before it were queued"))
    let status = try await program.run(["status", "-o", "json"]).json()
    #expect((status["upload_stats"] as? [String: Int])?["pending"] == 2)
    for (input, phrase) in [
      ("[\(location(1)),\(bad)]", "entry 2: /latitude"), ("[1,", "not JSON"), ("nonsense", "JSON"),
      (#"{"timestamp":"2025-01-30T10:00:00Z","latitude":NaN,"longitude":0}"#, "NaN"),
      (String(repeating: " ", count: 10 << 20) + "{", "JSON"),
      ("{\"id\":\"" + String(repeating: "a", count: 10 << 20), "MiB"),
    ] {
      try await program.refuses(
        ["raw", "add", "--stream", "location"], input: input,
        saying: phrase)
    }
    let unknown = try await program.run("raw", "add", "--stream", "heartbeat")
    #expect(unknown.exitCode == 64)
  }

  @Test func `R48: what a store refuses or can't take stays queued and is told`() async throws {
    var program = try Program().sendingOnce()
    try await queue45(program)
    // Nobody listens there.
    let nowhere = ["--store", "s3://bucket/me", "--endpoint-url", "http://127.0.0.1:9"]
    program.environment["AWS_ACCESS_KEY_ID"] = "key"
    program.environment["AWS_SECRET_ACCESS_KEY"] = "secret"
    for _ in 0..<6 {
      let run = try await program.run(
        ["raw", "sync", "-o", "json"] + nowhere, ends: 69, saying: "E001: ", "; nothing is lost")
      // All three streams fail alike.
      #expect(run.errors.components(separatedBy: "E001: ").count == 2)
      let streams = try #require(run.json()["streams"] as? [String: [String: Any]])
      #expect(streams.values.allSatisfy { $0["success"] as? Bool == false })
    }
    let status = try await program.run(["status", "-o", "json"]).json()
    #expect((status["upload_stats"] as? [String: Int])?["pending"] == 45)
    #expect(status["last_successful_sync_date"] is NSNull)
    #expect(status["last_upload_date"] is String)
    #expect((status["last_error"] as? [String: String])?["code"] == "E001")
    // An attempt is not an upload.
    let late = try await program.run("status", "--max-age", "2h")
    #expect(late.output.contains("failed   last sync: failed"), "\(late.output)")
    #expect(late.output.contains("it worked last: never"), "\(late.output)")
    try await program.succeeds(["raw", "sync"])
    #expect(try objects(program).count == 3)
  }

  @Test(arguments: TestServer.one)
  func `R48: entries reach a server; wrong credentials are E002`(server: TestServer) async throws {
    let program = try Program().on(server)
    let store = server.arguments(prefix: "outbox/\(UUID())")
    try await queue45(program)
    if server.checksSignatures {
      var stranger = program
      stranger.environment["AWS_SECRET_ACCESS_KEY"] = "wrong"
      let run = try await stranger.run(
        ["raw", "sync", "--interval", "1s"] + store, ends: 77, saying: "E002: ",
        "  do:     check the secret key")
      #expect(run.errors.components(separatedBy: "E002: ").count == 2)
    }
    let sync = try await program.succeeds(["raw", "sync", "-o", "json"] + store).json()
    let streams = try #require(sync["streams"] as? [String: [String: Any]])
    #expect(streams.values.allSatisfy { $0["entries"] as? Int == 15 }, "\(sync)")
  }

  @Test func `R48: dropping needs --yes, and leaves a gap that status shows`() async throws {
    try await queue45(program)
    let shown = try await program.succeeds(["raw", "drop", "--all", "--stream", "audio"])
    #expect(shown.output == "would remove 15 entries; --yes removes them\n")
    let list = try await program.succeeds(["raw", "queue", "--limit", "40", "-o", "json"]).json()
    #expect((list["entries"] as? [Any])?.count == 40)
    #expect(list["has_more"] as? Bool == true)
    let gone = try await program.succeeds(["raw", "drop", "--all", "--stream", "audio", "--yes"])
    #expect(gone.output == "removed 15 entries\n")
    let status = try await program.run(["status", "-o", "json"]).json()
    let gap = try #require((status["newest_gaps"] as? [[String: Any]])?.first)
    #expect(gap["entries"] as? Int == 15)
    #expect(gap["reason"] as? String == "user")
    #expect((status["stream_counts"] as? [String: Int])?["audio"] == 0)
    let text = try await program.run("status", "--verbose").output
    #expect(text.contains("1 gap: entries that were dropped without an upload"))
    #expect(text.contains("15 entries, by the user, on "), "\(text)")
  }
}

import Foundation
import TestSupport
import Testing

/// `streams ls|cat|verify` on batches that `queue add` and `sync` have stored.
@Suite(.server) struct StreamsCommandTests {
  static func point(_ moment: String) -> String {
    #"{"timestamp":"\#(moment)","latitude":52.5,"longitude":13.4,"altitude":30,"speed":0,"horizontal_accuracy":5,"vertical_accuracy":3}"#
  }

  static func heartRate(_ moment: String, _ value: Int) -> String {
    #"{"timestamp":"\#(moment)","sample_type":"HKQuantityTypeIdentifierHeartRate","value":\#(value),"unit":"bpm"}"#
  }

  /// A program that has set up a server, and no store.
  static func program(for server: IngestServer) async throws -> Program {
    let program = try Program(["S3HEALTH_DEVICE_TOKEN": IngestServer.token])
    _ = try await program.succeeds(["init", "--server", server.url()])
    return program
  }

  /// Queues lines of JSON and uploads them.
  func upload(
    _ lines: [String], _ stream: String, _ program: Program, _ store: [String]
  ) async throws {
    _ = try await program.run(
      ["raw", "add", "--stream", stream, "--input", "-"],
      input: Array(lines.joined(separator: "\n").utf8))
    _ = try await program.succeeds(["raw", "sync"] + store)
  }

  func fill(_ program: Program, _ store: [String]) async throws {
    try await upload(
      ["10:00:00", "10:00:10", "10:00:20"].map { Self.point("2025-01-30T\($0)Z") },
      "location", program, store)
    try await upload(
      [Self.heartRate("2025-01-31T08:00:00Z", 60), Self.heartRate("2025-01-30T23:00:00Z", 61)],
      "healthkit", program, store)
  }

  @Test(arguments: TestServer.one)
  func `R46: uploads to a server are listed, printed, verified`(server: TestServer) async throws {
    let program = try Program().on(server)
    let store = server.arguments(prefix: "commands/\(UUID())")
    try await fill(program, store)
    let list = try await program.succeeds(["raw", "ls", "-o", "json"] + store).json()
    #expect(list["batches"] as? Int == 3 && list["records"] as? Int == 5)
    let cat = try await program.succeeds(["raw", "cat", "--stream", "healthkit"] + store)
    #expect(
      cat.output.split(separator: "\n").map { $0.contains("2025-01-30T23:00:00.000Z") }
        == [true, false])
    let verify = try await program.succeeds(["raw", "verify", "-o", "json"] + store).json()
    #expect(verify["ok"] as? Bool == true && (verify["findings"] as? [Any])?.isEmpty == true)
  }

  @Test func `R45: an entry sent twice is printed once, and raw batches are whole`() async throws {
    let program = try Program()
    for value in [60, 60, 64] {
      try await upload([Self.heartRate("2025-01-30T08:00:00Z", value)], "healthkit", program, [])
    }
    let cat = try await program.succeeds(["raw", "cat"])
    #expect(cat.output.split(separator: "\n").count == 1 && cat.output.contains(#""unit":"bpm""#))
    let raw = try await program.succeeds(["raw", "cat", "--raw"])
    #expect(raw.output.split(separator: "\n").count == 3)
    #expect(raw.output.contains(#""format":"streams.v0""#))
    let verify = try await program.run(["raw", "verify", "-o", "json"], ends: 1)
    let findings = try #require(try verify.json()["findings"] as? [[String: Any]])
    #expect(findings.map { $0["code"] as? String } == ["duplicate_entries"])
    _ = try await program.succeeds(["raw", "verify", "--allow-duplicates"])
  }

  @Test func `R46: damage, gaps and foreign objects are found, the rest is printed`() async throws {
    let program = try Program()
    try await fill(program, [])
    try await upload([Self.point("2025-01-30T12:00:00Z")], "location", program, [])
    let root = program.home.appending(path: ".local/share/s3health/store/streams/v0")
    let files = try #require(
      FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.allObjects
        as? [URL])
    let damaged = try #require(
      files.first {
        $0.path.contains("healthkit") && $0.path.contains("/2025/01/31/")
          && $0.pathExtension == "gz"
      })
    try Data([0x1F, 0x8B, 8, 0]).write(to: damaged)
    try Data("x".utf8).write(
      to: damaged.deletingLastPathComponent().appending(path: "\u{1B}[31m copy.gz"))
    let run = try await program.run(["raw", "verify", "-o", "json"], ends: 1)
    let findings = try #require(try run.json()["findings"] as? [[String: Any]])
    #expect(
      Set(findings.compactMap { $0["code"] as? String }) == ["gap", "not_gzip", "foreign_object"])
    let text = try await program.run(["raw", "verify", "--allow-gaps"])
    #expect(text.exitCode == 1 && !text.output.contains("\u{1B}"))
    #expect(text.output.contains("nothing from 2025-01-30T10:00:20Z to 2025-01-30T12:00:00Z"))
    try Data("x".utf8).write(to: root.appending(path: "stray.json"))
    let aside = root.appending(path: "old/deep", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: true)
    for name in ["1", "2"] { try Data("x".utf8).write(to: aside.appending(path: name)) }
    for folder in [".derived", "health_records", ".payloads"] {
      let known = root.appending(path: folder, directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: known, withIntermediateDirectories: true)
      try Data("{}".utf8).write(to: known.appending(path: "one"))
    }
    let strays = try await program.run(["raw", "verify", "--allow-gaps", "-o", "json"]).json()
    let keys = (strays["findings"] as? [[String: Any]])?
      .filter { $0["message"] as? String == "belongs to no stream" }.compactMap { $0["key"] }
    #expect(keys as? [String] == ["streams/v0/old/", "streams/v0/stray.json"])
    let audio = try await program.run(["raw", "verify", "--stream", "audio"])
    #expect(!audio.output.contains("stray"))
    let cat = try await program.run(
      ["raw", "cat", "--stream", "healthkit"], ends: 1, printing: "2025-01-30T23:00:00.000Z")
    #expect(cat.errors.contains(damaged.lastPathComponent) && !cat.errors.contains("\u{1B}"))
  }

  @Test func `R46: sync to a server needs init --server; each batch arrives once`() async throws {
    var program = try Program()
    let server = try IngestServer()
    _ = try await program.run(
      ["raw", "add", "--stream", "location", "--input", "-"],
      input: Array(Self.point("2025-01-30T12:00:00Z").utf8))
    try await program.run(
      ["raw", "sync", "--server", server.url()], ends: 64, saying: "s3health init --server")
    program.environment["S3HEALTH_DEVICE_TOKEN"] = IngestServer.token
    _ = try await program.succeeds(["init", "--server", server.url()])
    _ = try await program.succeeds(["raw", "sync", "--server", server.url()])
    _ = try await program.succeeds(["raw", "sync", "--server", server.url()])
    let log = try await server.log()
    #expect(log.batches.count == 1 && log.posts == 1)
  }

  @Test func `R47: resetting anchors says so where no collector has one`() async throws {
    let program = try Program()
    let all = try await program.run(["raw", "sync", "--reset-anchors"])
    #expect(all.errors.contains("no collector has read anything"))
    let one = try await program.run(["raw", "sync", "--reset-anchors", "HeartRate"])
    #expect(one.errors.contains("no collector has read HeartRate"))
  }
}

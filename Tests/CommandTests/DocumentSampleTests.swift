import Foundation
import TestSupport
import Testing

/// The commands of the documents, run as written, print what the documents show.
@Suite(.server) struct DocumentSampleTests {
  /// Two texts are alike where only ids, moments, places, ages and sizes differ. The first id of a
  /// document is the same wherever it comes again.
  private struct Mask {
    private var ids: [String: Int] = [:]
    let home: String

    init(home: String) { self.home = home }

    mutating func callAsFunction(_ text: String) -> String {
      var text = text.replacing("\r\n", with: "\n").replacing(home, with: "/home/ann")
      for match in text.matches(of: #/\d{8}T\d{6}Z-[0-9A-F]{8}/#) {
        let id = String(match.0)
        ids[id] = ids[id] ?? ids.count + 1
      }
      for (id, number) in ids { text = text.replacing(id, with: "ID-\(number)") }
      return
        text
        .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: "MOMENT")
        .replacing(#/newest day  (\S+), [^:]+:/#, with: { "newest day  \($0.1), AGE:" })
        .replacing(#/\([\d.]+ [kM]B\)/#, with: "(SIZE)")
        .replacing(#/\d+ (?:second|day)s? ago/#, with: "AGE ago")
        .trimmingCharacters(in: .newlines)
    }
  }

  /// A program in a home like that of somebody who follows the document, on a terminal.
  func reader(of document: Document) async throws -> Program {
    var program = try Program()
    if document.text.contains("export.zip") {
      let export = try await GeneratedExport(program, ["--days", "365"])
      try FileManager.default.copyItem(
        atPath: export.zip, toPath: program.home.appending(path: "export.zip").path)
    }
    try FileManager.default.createSymbolicLink(
      at: program.home.appending(path: "Examples"),
      withDestinationURL: ProjectTree.root.appending(path: "Examples"))
    let bin = try program.folder("bin")
    try FileManager.default.createSymbolicLink(
      atPath: bin.appending(path: "s3health").path, withDestinationPath: Program.path)
    program.workingDirectory = program.home.path
    program.environment["NO_COLOR"] = "1"
    program.environment["TZ"] = "Europe/Berlin"
    return try program.withoutZone().onTerminal(columns: 120)
  }

  /// Runs a line of a document in a shell; the program's own command line is left aside.
  func run(_ command: String, _ program: Program) async throws -> Program.Run {
    var program = program
    let script = "set -o pipefail; PATH=\"\(program.home.path)/bin:$PATH\"; \(command)"
    program.wrapper += ["/usr/bin/env", "bash", "-c", script, "bash"]
    return try await program.run([])
  }

  static let documents = [
    "README.md", "docs/HISTORY.md", "docs/IMPORT.md", "docs/MCP.md", "docs/REPORT.md",
    "docs/PEOPLE.md", "docs/STREAMS.md", "docs/VERIFY.md",
  ]

  @Test(arguments: TestDepth.one(of: 2, documents))
  func `a document's commands work, and print what it shows`(path: String) async throws {
    let document = try Document(path)
    let program = try await reader(of: document)
    var shown = Mask(home: "/home/ann")
    var printed = Mask(home: program.home.path)
    #expect(!document.samples.isEmpty)
    for sample in document.samples {
      let result = try await run(sample.command, program)
      // What the documents verify has gaps, and what they look at is old.
      let isWrong = ["s3health verify ", "s3health status"].contains(
        where: sample.command.hasPrefix)
      let exitCode = isWrong && !sample.command.contains("--log") ? 1 : 0
      #expect(result.exitCode == exitCode, "\(sample.command): \(result.errors)\(result.output)")
      let (expected, actual) = (shown(sample.output), printed(result.output))
      #expect(actual == expected, "\(path): \(sample.command)")
    }
  }

  @Test func `no other document shows what a command prints`() throws {
    let others = try Document.all().filter {
      !Self.documents.contains($0.path) && !$0.samples.filter { !$0.output.isEmpty }.isEmpty
    }
    #expect(others.map(\.path).isEmpty)
  }

  @Test func `doctor names what a variable overrides, as the settings guide shows`() async throws {
    var program = try Program().sendingOnce()
    // Nothing listens there.
    let other = "http://127.0.0.1:1"
    let file = try program.file(
      ".config/s3health/config", "store = s3://health/me\nendpoint_url = https://minio.home:9000\n")
    program.environment["AWS_ENDPOINT_URL"] = other
    program.environment["AWS_ACCESS_KEY_ID"] = "a"
    program.environment["AWS_SECRET_ACCESS_KEY"] = "b"
    let run = try await program.run("doctor")
    let guide = try Document("docs/SETTINGS.md")
    let block = try #require(guide.blocks.first { $0.text.contains("other.example") })
    func words(_ text: some StringProtocol) -> [Substring] {
      String(text).replacing(other, with: "https://other.example").replacing(file, with: "CONFIG")
        .replacing("/home/ann/.config/s3health/config", with: "CONFIG")
        .split(whereSeparator: \.isWhitespace).map { Substring($0) }
    }
    let shown = words(block.text)
    #expect(run.output.split(separator: "\n").contains { words($0) == shown })
  }

  @Test func `the policy of the guide is JSON that names every action of its table`() throws {
    let document = try Document("docs/STORES.md")
    let policies = document.blocks.filter { $0.language == "json" }
    let policy = try #require(policies.first)
    let value = try JSONSerialization.jsonObject(with: Data(policy.text.utf8))
    let statements = try #require((value as? [String: Any])?["Statement"] as? [[String: Any]])
    let actions = statements.flatMap { statement in
      statement["Action"] as? [String] ?? [statement["Action"] as? String ?? ""]
    }
    let header = try #require(document.text.firstMatch(of: #/\| command \|(.+)\|/#)).1
    let columns = header.matches(of: #/`(s3:[A-Za-z]+)`/#).map { String($0.1) }
    #expect(columns.count == 4 && Set(columns) == Set(actions) && policies.count == 1)
    // What may be written and deleted lies where the specification has it.
    for statement in statements {
      let place = "\(statement["Resource"] ?? "")\(statement["Condition"] ?? "")"
      #expect(place.contains("me/health/v0/") && place.contains("me/streams/v0/"), "\(place)")
    }
  }

  /// Those on which a policy can be held against the program.
  static let binding = TestServer.all.filter {
    ($0.bindsSessions || $0.bindsOwner) && $0.checksSignatures && !$0.speaksTLS
  }

  /// Also where a server denies what is missing to whoever may list only some prefixes (R28).
  @Test(arguments: binding)
  func `the guide's policy is enough for its commands, no more`(server: TestServer) async throws {
    let document = try Document("docs/STORES.md")
    let prefix = "documents-\(UUID())"
    // A bucket's own policy stays.
    let bucket = server.bindsOwner ? "policy-\(UUID())".lowercased() : server.bucket
    if server.bindsOwner { _ = try await server.deny(server.question(["bucket": bucket])) }
    let text = try #require(document.blocks.first { $0.language == "json" }).text
      .replacing(":::health", with: ":::\(bucket)")
      .replacing("me/health/v0/", with: "\(prefix)/health/v0/")
      .replacing("me/streams/v0/", with: "\(prefix)/streams/v0/")
    let policy = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    var program = try await reader(of: document).on(server)
    program.environment["AWS_ENDPOINT_URL"] = nil
    let question = server.question([
      "bucket": bucket, "policy": try #require(policy?["Statement"]),
    ])
    program.environment.merge(try await server.deny(question)) { $1 }
    for sample in document.samples {
      let command = sample.command.replacing(
        "s3://health/me", with: "s3://\(bucket)/\(prefix)"
      ).replacing("https://minio.home:9000", with: server.endpoint)
      let result = try await run(command, program)
      #expect(result.exitCode == 0, "\(command): \(result.errors)\(result.output)")
      #expect(!result.output.contains("without latest.json"))
    }
    let elsewhere = "--store s3://\(bucket)/\(prefix)-2"
    let refused = try await run(
      "s3health put --input Examples/payloads/metrics.json \(elsewhere)", program)
    #expect(refused.exitCode == 77, "\(refused.errors)\(refused.output)")
  }
}

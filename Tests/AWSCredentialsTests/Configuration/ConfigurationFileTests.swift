import Foundation
import ObjectStore
import Testing

@testable import AWSCredentials
@testable import S3Store

@Suite(.unit) struct ConfigurationFiles {
  private static func problem(_ text: String) -> String {
    do throws(StoreError) {
      _ = try AWSFileParser.parse(Array(text.utf8), name: "F")
      return ""
    } catch {
      return error.message
    }
  }

  @Test(arguments: [
    ("a = b", "F: line 1 comes before any [section]"),
    ("\n\n[x", "F: line 3 has no closing ]"),
    ("[]", "F: line 1 has no section name between [ and ]"),
    ("[x]\n[y]\n[x]", "F: line 3 begins a section that is there already"),
    ("[x]\nhunter2", "F: line 2 is neither a [section] nor name = value"),
    ("[x]\n= hunter2", "F: line 2 is neither a [section] nor name = value"),
    ("[x]\na = hunter2\n# c\nA: hunter2", "F: line 4 sets what its section has set already"),
    ("[x]\ns3 =\n  hunter2", "F: line 2 begins a block with a line that is not name = value"),
    (
      "[x]\na=" + String(repeating: "x", count: 70_000), "F: line 2 is longer than 64 KB"
    ),
  ])
  func `a line that can't be read is named by number, not quoted`(text: String, problem: String) {
    #expect(Self.problem(text) == problem)
  }

  @Test func `files that are too large or no text are refused`() {
    #expect(Self.problem(String(repeating: "#\n", count: 600_000)).contains("larger than 1 MB"))
    #expect(throws: StoreError.self) {
      try AWSFileParser.parse([0x5B, 0xFF, 0x5D], name: "F")
    }
  }

  @Test func `comments, continuations, blocks and odd headers are read`() throws {
    let written =
      "\u{FEFF}# c\r\n[profile \"a b\"] ; mine\r\nRegion : r\r\n\r\nlong = one\r\n  two # kept\r\n\r\n"
      + "s3=\r\n ; c\r\n\taddressing_style = path\r\n x=y=z\r\nafter=\r\n"
    let file = try AWSFileParser.parse(Array(written.utf8), name: "F")
    let profile = try #require(file.profile("a b", isCredentialsFile: false))
    func value(_ name: String) -> String? {
      guard case .text(let secret) = profile[name] else { return nil }
      return secret.revealed
    }
    #expect(value("region") == "r")
    #expect(value("long") == "one\ntwo # kept")
    #expect(value("after") == "")
    guard case .block(let block) = profile["s3"] else {
      Issue.record("no block")
      return
    }
    #expect(block.mapValues(\.revealed) == ["addressing_style": "path", "x": "y=z"])
  }

  @Test func `files are read where the variables say, and absent ones are empty`() throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "s3health-\(UUID())")
    let folder = home.appending(path: ".aws")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    func region(_ variables: [String: String] = [:]) throws -> String {
      try S3Configuration.resolve(
        url: "s3://bucket", settings: S3Settings(),
        environment: AWSEnvironment.read(variables: variables, homeDirectory: home.path)
      ).region
    }
    #expect(try region() == "us-east-1")
    try Data("[default]\nregion=usual".utf8).write(to: folder.appending(path: "config"))
    #expect(try region() == "usual")
    try Data("[default]\nregion=other".utf8).write(to: home.appending(path: "other"))
    #expect(try region(["AWS_CONFIG_FILE": home.path + "/other"]) == "other")
    #expect(try region(["AWS_CONFIG_FILE": "~/other"]) == "other")
    #expect(try region(["AWS_CONFIG_FILE": "/dev/null"]) == "us-east-1")
    #expect(try region(["AWS_CONFIG_FILE": home.path + "/none"]) == "us-east-1")
    let isDirectory = #expect(throws: StoreError.self) {
      try region(["AWS_SHARED_CREDENTIALS_FILE": home.path])
    }
    #expect(isDirectory?.message.contains("can't be read") == true)
  }
}

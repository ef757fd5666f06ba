import Foundation
import TestSupport
import Testing

/// What other users of the machine could have put in the way: settings, links, files, text.
@Suite(.process) struct TrustTests {
  /// Somebody else, for root; without root no other user's file can be made.
  private static let stranger: uid_t = 65_534

  /// A configuration file that leaves a mark if it is obeyed.
  private func bait(_ program: Program) throws -> (config: String, mark: String) {
    let mark = program.home.appending(path: "obeyed").path
    let lines = "store = /nonexistent/store\nnotify_command = touch \(mark)\n"
    return (try program.file("config", Array(lines.utf8)), mark)
  }

  @Test(arguments: [0o666, 0o660, 0o602])
  func `R40: a configuration file that others may write is refused, and not obeyed`(
    mode: Int
  ) async throws {
    let program = try Program()
    defer { program.removeHome() }
    let (config, mark) = try bait(program)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: config)
    for command in [["raw", "sync"], ["get", "2026-02-08"], ["doctor"], ["schedule", "install"]] {
      let run = try await program.run(command + ["--config", config])
      #expect(run.exitCode == 77, "\(command): \(run.errors)")
      #expect(run.errors.contains("can be changed by other users"), "\(run.errors)")
      #expect(run.errors.contains("chmod go-w \(config)"), "\(run.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: mark))
    // The control: the same file, once nobody else may write it.
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: config)
    let run = try await program.run("doctor", "--config", config)
    #expect(run.exitCode == 69 && run.output.contains("notify_command"), "\(run.errors)")
  }

  @Test(.enabled(if: geteuid() == 0))
  func `R40: a configuration file of another user is refused, for root too`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let (config, mark) = try bait(program)
    try #require(chown(config, Self.stranger, gid_t.max) == 0)
    try await program.fails(
      ["get", "--config", config], as: .notAuthorized, saying: "belongs to another user")
    try await program.fails(
      ["init", program.home.path, "--config", config], as: .notAuthorized,
      saying: "belongs to another user")
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  @Test func `R40: a pipe as the configuration file is refused at once`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let pipe = program.home.appending(path: "pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, program.home.path, "/dev/null"] {
      try await program.fails(
        ["get", "--config", path], as: .invalidArguments, saying: "is not an ordinary file")
    }
  }

  @Test func `R40: a configuration file that can't be read has the code of rights`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let (config, _) = try bait(program)
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: config)
    try await program.withoutPrivileges().fails(
      ["get", "--config", config], as: .notAuthorized, saying: "can't be read: Permission denied")
  }

  @Test(
    .enabled(if: geteuid() == 0),
    arguments: [["report", "--html"], ["export", "csv", "--out"]])
  func `R40: a result goes neither through another user's link nor into another user's file`(
    command: [String]
  ) async throws {
    let program = try Program()
    defer { program.removeHome() }
    try await program.succeeds(["put", "--input", "-"], input: payload())
    let shared = try program.folder("shared").path
    let mine = try program.file("mine", Array("precious".utf8))
    let link = shared + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: mine)
    try #require(lchown(link, Self.stranger, gid_t.max) == 0)
    let run = try await program.run(command + [link])
    #expect(run.exitCode == 64 && run.errors.contains("a link that another user made"))
    #expect(try String(contentsOfFile: mine, encoding: .utf8) == "precious")

    let planted = try program.file("shared/planted", [])
    try #require(chown(planted, Self.stranger, gid_t.max) == 0)
    try await program.succeeds(command + [planted])
    let attributes = try FileManager.default.attributesOfItem(atPath: planted)
    #expect(attributes[.ownerAccountID] as? Int == Int(geteuid()))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect((attributes[.size] as? Int ?? 0) > 0)
  }

  #if os(Linux)
    @Test func `R40: a disk that is full for a result has the code of storage`() async throws {
      let program = try Program()
      defer { program.removeHome() }
      try await program.succeeds(["put", "--input", "-"], input: payload())
      for command in [["report", "--html"], ["export", "csv", "--out"]] {
        let file = try program.file("old", Array("old".utf8))
        // A file that may not grow fails as a full disk does.
        let run = try await program.inShell("ulimit -f 0; exec \"$@\"").run(command + [file])
        #expect(run.exitCode == 69, "\(run.errors)")
        #expect(run.errors.contains("can't be written"), "\(run.errors)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: program.home.path)
            .allSatisfy { !$0.hasSuffix(".part") })
      }
    }
  #endif

  @Test func `a table or document on a terminal has its control characters spelled out`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    // CSI of C1, an override of direction, and its mark.
    let evil = "\u{9B}2J\u{202E}\u{200F}watch"
    try await program.succeeds(["put", "--input", "-"], input: payload())
    let put = try await program.succeeds(["get", "2026-02-08", "--history", "-o", "json"]).json()
    let first = try #require((put["revisions"] as? [[String: Any]])?.first)
    let file = program.defaultStore.appending(path: try #require(first["key"] as? String)).path
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try Data("{\"a\":\"\(evil)\",\(text.dropFirst())".utf8).write(to: URL(filePath: file))
    let shown = try await program.onTerminal(columns: 80).run("get", "2026-02-08", "-o", "json")
    #expect(shown.output.contains(#"\u009b2J\u202e\u200fwatch"#), "\(shown.output)")
    let piped = try await program.succeeds(["get", "2026-02-08", "-o", "json"])
    #expect(piped.output.contains(evil))
  }
}

import Foundation
import TestSupport
import Testing

/// What other users of the machine could have put in the way: settings, links, files, text.
@Suite(.process) struct TrustTests {
  let program: Program

  init() throws { program = try Program() }

  /// Somebody else, for root; without root no other user's file can be made.
  private static let stranger: uid_t = 65_534

  /// A configuration file that leaves a mark if it is obeyed.
  private func bait(_ program: Program) throws -> (config: String, mark: String) {
    let mark = program.home.appending(path: "obeyed").path
    let lines = "store = /nonexistent/store\nnotify_command = touch \(mark)\n"
    return (try program.file("config", lines), mark)
  }

  @Test(arguments: [0o666, 0o660, 0o602])
  func `R40: a configuration file that others may write is not obeyed`(mode: Int) async throws {
    let (config, mark) = try bait(program)
    try setMode(config, mode)
    for command in [["raw", "sync"], ["get", "2026-02-08"], ["doctor"], ["schedule", "install"]] {
      try await program.run(
        command + ["--config", config], ends: 77, saying: "can be changed by other users",
        "chmod go-w \(config)")
    }
    #expect(!FileManager.default.fileExists(atPath: mark))
    // The control: the same file, once nobody else may write it.
    try setMode(config, 0o644)
    let run = try await program.run("doctor", "--config", config)
    #expect(run.exitCode == 69 && run.output.contains("notify_command"), "\(run.errors)")
  }

  @Test(.enabled(if: geteuid() == 0))
  func `R40: a configuration file of another user is refused, for root too`() async throws {
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
    let pipe = program.home.appending(path: "pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, program.home.path, "/dev/null"] {
      try await program.refuses(["get", "--config", path], saying: "is not an ordinary file")
    }
  }

  @Test func `R40: a configuration file that can't be read has the code of rights`() async throws {
    let (config, _) = try bait(program)
    try setMode(config, 0)
    try await program.withoutPrivileges().fails(
      ["get", "--config", config], as: .notAuthorized, saying: "can't be read: Permission denied")
  }

  @Test(
    .enabled(if: geteuid() == 0), arguments: [["report", "--html"], ["export", "csv", "--out"]])
  func `R40: a result goes through no other user's link or file`(command: [String]) async throws {
    try await program.put(payload())
    let shared = try program.folder("shared").path
    let mine = try program.file("mine", "precious")
    let link = shared + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: mine)
    try #require(lchown(link, Self.stranger, gid_t.max) == 0)
    try await program.run(command + [link], ends: 64, saying: "a link that another user made")
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
      try await program.put(payload())
      for command in [["report", "--html"], ["export", "csv", "--out"]] {
        let file = try program.file("old", "old")
        // A file that may not grow fails as a full disk does.
        try await program.inShell("ulimit -f 0; exec \"$@\"").run(
          command + [file], ends: 69, saying: "can't be written")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: program.home.path)
            .allSatisfy { !$0.hasSuffix(".part") })
      }
    }
  #endif

  @Test func `a table or document on a terminal has control characters spelled out`() async throws {
    // CSI of C1, an override of direction, and its mark.
    let evil = "\u{9B}2J\u{202E}\u{200F}watch"
    try await program.put(payload())
    let put = try await program.succeeds(["get", "2026-02-08", "--history", "-o", "json"]).json()
    let first = try #require((put["revisions"] as? [[String: Any]])?.first)
    let file = program.defaultStore.appending(path: try #require(first["key"] as? String)).path
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try Data("{\"a\":\"\(evil)\",\(text.dropFirst())".utf8).write(to: URL(filePath: file))
    let shown = try await program.onTerminal(columns: 80).run("get", "2026-02-08", "-o", "json")
    #expect(shown.output.contains(#"\u009b2J\u202e\u200fwatch"#))
    try await program.succeeds(["get", "2026-02-08", "-o", "json"], printing: evil)
  }
}

/// What a stored document or an input says is shown, and never obeyed by a terminal.
@Suite(.process) struct HostileTextTests {
  static let escape = "\u{1B}"
  static let id = "20260208T100000Z-7F3A2C4D"

  /// A store that holds one revision of 2026-02-08, in which `old` stands as `new`.
  func store(_ program: Program, replacing old: String, with new: String) async throws -> [String] {
    try await program.put(payload())
    let get = try await program.succeeds(["get", "2026-02-08", "-o", "json"])
    let moment = try #require(try get.json()["generated_at"] as? String)
    let text = get.output.replacing(moment, with: "2026-02-08T10:00:00Z")
    #expect(text.contains(old))
    let folder = try program.folder("store/health/v0/data/2026/02/08/revisions")
    try Data(text.replacing(old, with: new).utf8).write(
      to: folder.appending(path: "\(Self.id).json"))
    return ["2026-02-08", "--store", program.home.appending(path: "store").path]
  }

  @Test func `R41 a zone of control characters is passed over, and spelled out`() async throws {
    let program = try Program()
    let day = try await store(program, replacing: "Europe/Berlin", with: #"\u001b[31mEvil"#)
    let run = try await program.run(
      ["get"] + day, ends: 66, saying: #""\u{1b}[31mEvil" does not have the form"#)
    #expect(!run.errors.contains(Self.escape) && !run.output.contains("Evil"))
    // For programs the stored bytes are what they are.
    let bytes = try await program.run(["get", "-o", "json", "--revision", Self.id] + day)
    #expect(bytes.output.contains(#"\u001b"#))
  }
}

import Foundation
import TestSupport
import Testing

/// What a stored document or an input says is shown, and never obeyed by a terminal.
@Suite(.process) struct HostileTextTests {
  private static let escape = "\u{1B}"
  private static let id = "20260208T100000Z-7F3A2C4D"

  /// A store that holds one revision of 2026-02-08, in which `old` stands as `new`.
  private func store(
    _ program: Program, replacing old: String, with new: String
  ) async throws -> [String] {
    try await program.succeeds(["put", "--input", "-"], input: payload())
    let get = try await program.succeeds(["get", "2026-02-08", "-o", "json"])
    let moment = try #require(try get.json()["generated_at"] as? String)
    let text = get.output.replacing(moment, with: "2026-02-08T10:00:00Z")
    #expect(text.contains(old))
    let folder = try program.folder("store/health/v0/data/2026/02/08/revisions")
    try Data(text.replacing(old, with: new).utf8).write(
      to: folder.appending(path: "\(Self.id).json"))
    return ["2026-02-08", "--store", program.home.appending(path: "store").path]
  }

  @Test func `R41 a time zone of control characters is passed over, and spelled out`() async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let day = try await store(program, replacing: "Europe/Berlin", with: #"\u001b[31mEvil"#)
    let run = try await program.run(["get"] + day)
    #expect(run.exitCode == 66)
    #expect(run.errors.contains(#""\u{1b}[31mEvil" does not have the form"#), "\(run.errors)")
    #expect(!run.errors.contains(Self.escape) && !run.output.contains("Evil"))
    // For programs the stored bytes are what they are.
    let bytes = try await program.run(["get", "-o", "json", "--revision", Self.id] + day)
    #expect(bytes.output.contains(#"\u001b"#))
  }

  @Test func `what is said of a revision that is not valid is spelled out`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let day = try await store(program, replacing: #""steps":"ok""#, with: #""steps":"\u001b[2J""#)
    let run = try await program.run(["get"] + day)
    #expect(run.exitCode == 66)
    #expect(run.errors.contains(#""\u{1b}[2J" is not a status"#), "\(run.errors)")
    #expect(!run.errors.contains(Self.escape))
  }

  @Test func `a revision that is not JSON is shown escaped, line by line`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let day = try await store(program, replacing: "{", with: "\(Self.escape)[2J\n{")
    let run = try await program.run(["get", "--revision", Self.id] + day)
    #expect(run.exitCode == 1)
    #expect(run.output.hasPrefix("\\u{1b}[2J\n{"), "\(run.output)")
    let bytes = try await program.run(["get", "--revision", Self.id, "-o", "json"] + day)
    #expect(bytes.output.hasPrefix("\(Self.escape)[2J\n{"))
  }

  @Test func `an input's names are spelled out in notes and errors`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    for (text, code) in [
      (#"{"metrics": {"steps": 1}, "\u001b[31mx": 1}"#, 0),
      (#"{"metrics": {"\u001b[31mx": 1}}"#, 64),
    ] {
      let run = try await program.run(
        ["put", "--date", "2026-02-08", "--input", "-"], input: Array(text.utf8))
      #expect(run.exitCode == code)
      #expect(run.errors.contains(#"\u{1b}[31mx"#), "\(run.errors)")
      #expect(!run.errors.contains(Self.escape))
    }
  }
}

import Foundation
import TestSupport
import Testing

/// What a stored document or an input says is shown, and never obeyed by a terminal.
@Suite(.process) struct HostileTextTests {
  static let escape = "\u{1B}"
  static let id = "20260208T100000Z-7F3A2C4D"

  /// A store that holds one revision of 2026-02-08, in which `old` stands as `new`.
  func store(
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
}

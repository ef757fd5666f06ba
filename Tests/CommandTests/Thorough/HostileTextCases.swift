import Foundation
import TestSupport
import Testing

/// Further texts that are shown, and never obeyed.
extension HostileTextTests {
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

import Foundation
import TestSupport
import Testing

/// The README as a front page, and the settings that it leads to.
@Suite(.process) struct ReadmeTests {
  @Test func `the README shows install, test and the first steps of a phone's owner`() throws {
    let readme = try Document("README.md")
    for command in ["scripts/demo", "scripts/test", "swift build -c release"] {
      #expect(readme.text.contains(command), "\(command)")
    }
    let names = readme.samples.compactMap { $0.command.split(separator: " ").dropFirst().first }
    #expect(names == ["import"])
    for command in ["Export All Health Data", "s3health get yesterday", "s3health report"] {
      #expect(readme.text.contains(command), "\(command)")
    }
    #expect(readme.samples.allSatisfy { !$0.output.isEmpty })
  }

  @Test func `the settings guide names every setting and variable`() async throws {
    let guide = try Document("docs/SETTINGS.md").text
    let program = try Program()
    defer { program.removeHome() }
    let file = try program.file("config", Array("nonsense = 1\n".utf8))
    let refused = try await program.run("get", "--config", file)
    let names = try #require(refused.errors.firstMatch(of: #/use one of ([a-z_, ]+)/#)).1
    for name in names.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      #expect(guide.contains("`\(name)`"), "\(name)")
    }
  }

  @Test(arguments: TestDepth.one(of: 3, ["bash", "zsh", "fish"]))
  func `completions know the commands and what an option takes`(shell: String) async throws {
    let program = try Program()
    defer { program.removeHome() }
    let script = try await program.succeeds(["--generate-completion-script", shell]).output
    for word in ["verify", "init", "yesterday", "healthkit", "sse_kms_key_id"] {
      #expect(script.contains(word), "\(word)")
    }
  }
}

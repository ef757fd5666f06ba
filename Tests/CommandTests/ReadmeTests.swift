import Foundation
import TestSupport
import Testing

/// The README's commands, run as they stand there.
@Suite struct ReadmeTests {
  /// Lines of the README that begin with `$ `, without those for a server that nobody here has.
  private func commands() throws -> [String] {
    let readme = try String(
      contentsOf: ProjectTree.root.appending(path: "README.md"), encoding: .utf8)
    return readme.split(separator: "\n").filter { $0.hasPrefix("$ ") && !$0.contains("minio.home") }
      .map { String($0.dropFirst(2)) }
  }

  @Test func `every command of the README works in a fresh home, in the order given`()
    async throws
  {
    var program = try Program()
    defer { program.removeHome() }
    let export = try await GeneratedExport(program, ["--days", "365"])
    let here = try program.folder("here")
    try FileManager.default.copyItem(
      atPath: export.zip, toPath: here.appending(path: "export.zip").path)
    for name in ["Examples", "README.md"] {
      try FileManager.default.createSymbolicLink(
        at: here.appending(path: name), withDestinationURL: ProjectTree.root.appending(path: name))
    }
    let bin = try program.folder("bin")
    try FileManager.default.createSymbolicLink(
      atPath: bin.appending(path: "s3health").path, withDestinationPath: Program.path)
    program.workingDirectory = here.path
    let commands = try commands()
    #expect(commands.count >= 11, "\(commands)")
    for command in commands {
      // The program's own command line is left aside: the shell runs that of the README.
      let shell = program.inShell("set -o pipefail; PATH=\(bin.path):$PATH; \(command)")
      var run = shell
      run.wrapper = ["bash", "-c", shell.wrapper[2], "bash"]
      let result = try await run.run()
      let found = command.contains(" verify ") ? 1 : 0
      #expect(result.exitCode == found, "\(command): \(result.errors)")
      #expect(!result.output.isEmpty, "\(command)")
    }
  }

  @Test func `the policy of the README is that of the settings guide, and JSON`() throws {
    func policies(_ file: String) throws -> [NSDictionary] {
      let text = try String(
        contentsOf: ProjectTree.root.appending(path: file), encoding: .utf8)
      return try text.matches(of: #/(?s)```json\n(.*?)```/#).compactMap { match in
        let value = try JSONSerialization.jsonObject(with: Data(match.1.utf8))
        return (value as? NSDictionary).flatMap { $0["Statement"] == nil ? nil : $0 }
      }
    }
    let (readme, guide) = (try policies("README.md"), try policies("docs/SETTINGS.md"))
    #expect(readme.count == 1 && readme == guide)
  }

  @Test func `the settings guide names every setting and variable`() async throws {
    let guide = try String(
      contentsOf: ProjectTree.root.appending(path: "docs/SETTINGS.md"), encoding: .utf8)
    let program = try Program()
    defer { program.removeHome() }
    let file = try program.file("config", Array("nonsense = 1\n".utf8))
    let refused = try await program.run("get", "--config", file)
    let names = try #require(refused.errors.firstMatch(of: #/use one of ([a-z_, ]+)/#)).1
    for name in names.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      #expect(guide.contains("`\(name)`"), "\(name)")
    }
    let help = try await program.succeeds(["--help"]).output
    for match in help.matches(of: #/S3HEALTH_[A-Z_]+/#) {
      #expect(guide.contains("`\(match.0)`"), "\(match.0)")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completions know the commands and what an option takes`(shell: String) async throws {
    let program = try Program()
    defer { program.removeHome() }
    let script = try await program.succeeds(["--generate-completion-script", shell]).output
    for word in ["verify", "init", "yesterday", "sarif", "aws:kms"] {
      #expect(script.contains(word), "\(word)")
    }
  }
}

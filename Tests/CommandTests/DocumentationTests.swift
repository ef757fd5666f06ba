import Foundation
import TestSupport
import Testing

/// What the documents promise to be there.
@Suite(.process) struct DocumentationTests {
  @Test func `every link between documents leads to a file and to a heading in it`() throws {
    let documents = Dictionary(
      uniqueKeysWithValues: try Document.all().map {
        (ProjectTree.root.appending(path: $0.path).path, $0)
      }
    )
    var count = 0
    for (place, document) in documents {
      for link in document.links where !link.contains("://") {
        count += 1
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let target =
          parts[0].isEmpty
          ? place
          : URL(filePath: place).deletingLastPathComponent().appending(path: String(parts[0]))
            .standardizedFileURL.path
        #expect(
          FileManager.default.fileExists(atPath: target),
          "\(document.path) leads to \(link), which does not exist")
        guard parts.count == 2 else { continue }
        #expect(
          documents[target]?.anchors.contains(String(parts[1])) == true,
          "\(document.path) leads to \(link), and there is no such heading")
      }
    }
    #expect(count > 100)
  }

  @Test func `the index of docs leads to every document below it`() throws {
    let index = try Document("docs/README.md")
    let listed = Set(index.links.map { "docs/\($0)" })
    let files = Set(ProjectTree.files(below: "docs", ending: ".md")).subtracting([index.path])
    #expect(files.subtracting(listed).isEmpty, "\(files.subtracting(listed).sorted())")
  }

  @Test func `every document that a source, script or workflow names is there`() throws {
    let files =
      ["Sources", "Tests"].flatMap { ProjectTree.files(below: $0, ending: ".swift") }
      + ["scripts", "Benchmarks", ".github", "minio-test"]
      .flatMap { ProjectTree.files(below: $0, ending: "") }
    var count = 0
    for file in files {
      guard
        let text = try? String(contentsOf: ProjectTree.root.appending(path: file), encoding: .utf8)
      else { continue }  // A folder, or no text.
      for match in text.matches(of: #/\bdocs/[A-Za-z/-]+\.md/#) {
        count += 1
        let target = ProjectTree.root.appending(path: String(match.0)).path
        #expect(FileManager.default.fileExists(atPath: target), "\(file) names \(match.0)")
      }
    }
    #expect(count > 20)
  }

  @Test func `every command is in the README, and documented options exist`() async throws {
    let program = try Program()
    let help = try await program.succeeds(["--help"]).output
    let commands = help.matches(of: #/(?m)^  ([a-z]+)  +[A-Z]/#).map { String($0.1) }
    #expect(commands.count > 8)
    let readme = try Document("README.md").text
    for command in commands {
      #expect(
        readme.contains("s3health \(command)") || readme.contains("`\(command)`"), "\(command)")
    }
    // Of the parser and of other programs that documents run, and those of races that `--help` leaves out.
    var texts = [
      "--generate-completion-script --static-swift-stdlib --product",
      try Document("docs/COMMANDS.md").text,
    ]
    for command in ["run", "model", "replay", "check"] {
      texts.append(try await program.race.succeeds([command, "--help-hidden"]).output)
    }
    let options = Set(
      texts.flatMap { $0.matches(of: #/--[a-z][a-z0-9-]+/#).map { String($0.0) } })
    var count = 0
    for document in try Document.all() where document.path != "CHANGELOG.md" {
      for line in document.commandLines {
        for match in line.matches(of: #/--[a-z][a-z0-9-]+/#) {
          count += 1
          #expect(
            options.contains(String(match.0)), "\(document.path): there is no option \(match.0)")
        }
      }
    }
    #expect(count > 40)
  }

  @Test func `the page of commands is what the programs say of themselves`() async throws {
    let page = try await PeerPython.run(
      "../../scripts/lib/release/commands.py",
      arguments: [Program.path, HubProgram.path, Program.racePath])
    let kept = try Document("docs/COMMANDS.md").text
    #expect(String(decoding: page, as: UTF8.self) == kept)
  }
}

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
    let file = try program.file("config", "nonsense = 1\n")
    let refused = try await program.run("get", "--config", file)
    let names = try #require(refused.errors.firstMatch(of: #/use one of ([a-z_, ]+)/#)).1
    for name in names.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      #expect(guide.contains("`\(name)`"), "\(name)")
    }
  }

  @Test(arguments: TestDepth.one(of: 3, ["bash", "zsh", "fish"]))
  func `completions know the commands and what an option takes`(shell: String) async throws {
    let program = try Program()
    let script = try await program.succeeds(["--generate-completion-script", shell]).output
    for word in ["verify", "init", "yesterday", "healthkit", "sse_kms_key_id"] {
      #expect(script.contains(word), "\(word)")
    }
  }
}

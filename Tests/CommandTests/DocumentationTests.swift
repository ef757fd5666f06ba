import Foundation
import TestSupport
import Testing

/// What the documents promise to be there.
@Suite struct DocumentationTests {
  /// Files below a folder of the project, without what is built.
  private func files(below folder: String, ending: String) -> [URL] {
    let root = ProjectTree.root.appending(path: folder)
    let names = FileManager.default.enumerator(atPath: root.path)
    var files: [URL] = []
    while let name = names?.nextObject() as? String {
      if name.contains(".build/") || !name.hasSuffix(ending) { continue }
      files.append(root.appending(path: name))
    }
    return files
  }

  @Test func `every relative link leads to a file`() throws {
    let top = ["README.md", "SPEC.md", "CHANGELOG.md"].map { ProjectTree.root.appending(path: $0) }
    let documents =
      top
      + ["docs", "minio-test", "Examples", "schema"].flatMap { files(below: $0, ending: ".md") }
    var count = 0
    for document in documents {
      let text = try String(contentsOf: document, encoding: .utf8)
      for match in text.matches(of: #/\]\(([^)\s]+)\)/#) {
        let target = String(match.1).split(separator: "#", omittingEmptySubsequences: false)[0]
        if target.isEmpty || target.contains("://") { continue }
        count += 1
        let path = document.deletingLastPathComponent().appending(path: String(target)).path
        #expect(
          FileManager.default.fileExists(atPath: path),
          "\(document.lastPathComponent) leads to \(target), which does not exist")
      }
    }
    #expect(count > 20)
  }

  @Test func `every rule that the code names is a rule of SPEC`() throws {
    let specification = try String(
      contentsOf: ProjectTree.root.appending(path: "SPEC.md"), encoding: .utf8)
    let rules = Set(specification.matches(of: #/(?m)^## (R\d+)\. /#).map { String($0.1) })
    #expect(rules.count > 30)
    var named: Set<String> = []
    for file in files(below: "Sources", ending: ".swift") {
      let text = try String(contentsOf: file, encoding: .utf8)
      let found = text.matches(of: #/\bR\d{1,2}\b/#).map { String($0.0) }
      for rule in found {
        #expect(rules.contains(rule), "\(file.lastPathComponent) names \(rule)")
      }
      named.formUnion(found)
    }
    // A rule that nobody names is a rule that nobody finds again.
    #expect(rules.subtracting(named).isEmpty, "no code names \(rules.subtracting(named).sorted())")
  }

  @Test func `every option that a command has is in its help, and every command in the README`()
    async throws
  {
    let readme = try String(
      contentsOf: ProjectTree.root.appending(path: "README.md"), encoding: .utf8)
    let program = try Program()
    defer { program.removeHome() }
    let help = try await program.succeeds(["--help"]).output
    for match in help.matches(of: #/(?m)^  ([a-z]+)  +[A-Z]/#) {
      #expect(
        readme.contains("s3health \(match.1)") || readme.contains("`\(match.1)"), "\(match.1)")
    }
    var options: Set<String> = []
    for command in [
      "init", "put", "import", "get", "ls", "diff", "verify", "report", "doctor", "mcp",
    ] {
      let text = try await program.succeeds([command, "--help"]).output
      options.formUnion(text.matches(of: #/--[a-z][a-z-]+/#).map { String($0.0) })
    }
    for match in readme.matches(of: #/`(--[a-z][a-z-]+)/#) {
      #expect(options.contains(String(match.1)), "there is no option \(match.1)")
    }
  }
}

import Foundation
import TestSupport
import Testing

/// The specification (SPEC.md and docs/spec), the sources and the tests name the same rules.
@Suite(.process) struct RuleTests {
  private struct Rule {
    let name: String
    let text: String
    /// The path of the document that has it.
    let document: String
  }

  /// The rules with their text, document by document.
  private func rules() throws -> [Rule] {
    let rules = try Document.specification().flatMap { document in
      document.text.matches(of: #/(?m)^## (R\d+)\. /#).map { start in
        let rest = document.text[start.range.upperBound...]
        let end = rest.firstMatch(of: #/(?m)^##? /#)?.range.lowerBound ?? rest.endIndex
        return Rule(name: String(start.1), text: String(rest[..<end]), document: document.path)
      }
    }
    #expect(rules.count > 40)
    return rules
  }

  /// The rules that a text names: `R7`, and all of `R20 to R27` and `R1-R12`.
  private func named(in text: some StringProtocol) -> Set<String> {
    let text = String(text)
    var names = Set(text.matches(of: #/\bR\d{1,2}\b/#).map { String($0.0) })
    for match in text.matches(of: #/\bR(\d{1,2})(?:-| to )R(\d{1,2})\b/#) {
      guard let first = Int(match.1), let last = Int(match.2), first < last else { continue }
      names.formUnion((first...last).map { "R\($0)" })
    }
    return names
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: ProjectTree.root.appending(path: path), encoding: .utf8)
  }

  @Test func `every rule names its code, and each file that it names cites the rule`() throws {
    let sources = Set(ProjectTree.files(below: "Sources", ending: ".swift"))
    for rule in try rules() {
      let places = rule.text.matches(of: #/(?m)^Code: .*$/#)
        .flatMap { $0.0.matches(of: #/\]\((?:\.\./)*([^)]+)\)/#).map { String($0.1) } }
      #expect(!places.isEmpty, "\(rule.name) does not name its code")
      for place in places where place.hasPrefix("Sources/") {
        let files = sources.filter { $0 == place || $0.hasPrefix(place + "/") }
        let isNamed = try files.contains { try named(in: text($0)).contains(rule.name) }
        #expect(isNamed, "\(place) does not name \(rule.name), which it implements")
      }
    }
  }

  @Test func `each rule stands once, and the table of SPEC leads to its document`() throws {
    let rules = try rules()
    #expect(Set(rules.map(\.name)).count == rules.count)
    var told: [String: String] = [:]
    let table = try Document("SPEC.md").text
    for row in table.matches(of: #/(?m)^\| (R[^|]+) \| \[[^\]]+\]\(([^)]+)\) \|/#) {
      let document = row.2.hasPrefix("#") ? "SPEC.md" : String(row.2)
      for name in named(in: row.1) {
        #expect(told.updateValue(document, forKey: name) == nil, "\(name) stands twice")
      }
    }
    #expect(told == Dictionary(rules.map { ($0.name, $0.document) }) { $1 })
  }

  @Test func `the format names no command, no option and no path of a machine`() throws {
    let format = try Document("SPEC.md")
    #expect(format.commandLines.isEmpty)
    for match in format.text.matches(
      of: #/--[a-z]|`(?:get|put|import|verify|doctor|collect|serve)\b|/(?:etc|usr|home)/|Linux/#)
    {
      Issue.record("SPEC.md says \(match.0)")
    }
  }

  @Test func `no source names a rule that SPEC does not have, and each rule is named`() throws {
    let rules = Set(try rules().map(\.name))
    var found: Set<String> = []
    for file in ProjectTree.files(below: "Sources", ending: ".swift") {
      let names = named(in: try text(file))
      let unknown = Set(try text(file).matches(of: #/\bR\d{1,2}\b/#).map { String($0.0) })
        .subtracting(rules)
      #expect(unknown.isEmpty, "\(file) names \(unknown.sorted())")
      found.formUnion(names)
    }
    // A rule that nobody names is a rule that nobody finds again.
    #expect(rules.subtracting(found).isEmpty, "\(rules.subtracting(found).sorted())")
  }

  @Test func `a usual run has a test that is named for each rule, and none for another`() throws {
    let rules = Set(try rules().map(\.name))
    var found: Set<String> = []
    for test in try DeclaredTest.all() {
      let unknown = Set(test.name.matches(of: #/\bR\d{1,2}\b/#).map { String($0.0) })
        .subtracting(rules)
      #expect(unknown.isEmpty, "\(test.file): \(test.name)")
      if test.isUsual && test.usesTheRealThing { found.formUnion(named(in: test.name)) }
    }
    // Every rule is of what a program, a store or a hub does, so each is seen at one of them.
    let missing = rules.subtracting(found).sorted()
    #expect(missing.isEmpty, "no test of a program or a server is named for \(missing)")
  }

  @Test(
    arguments: TestDepth.one(of: 3, ["R4", "R20", "R29", "R37", "R44", "R50", "R55", "R57", "R18"]))
  func `help prints the rule that an error names, without links (R40)`(name: String) async throws {
    let program = try Program()
    let rule = try #require(try rules().first { $0.name == name })
    let shown = try await program.succeeds(["help", name.lowercased()]).output
    func words(_ text: String) -> [Substring] {
      text.replacing(#/\[([^\]]+)\]\([^)]+\)/#) { String($0.1) }
        .replacing(#/(?m)^Code: .*$/#, with: "").split(whereSeparator: \.isWhitespace)
    }
    #expect(words(shown) == words("\(name). " + rule.text))
    #expect(!shown.contains("](") && !shown.contains("Code: "))
  }

  @Test func `help knows each document and rule, and refuses others`() async throws {
    let program = try Program()
    for (document, rules) in Dictionary(grouping: try rules(), by: \.document) {
      let name = try #require(rules.first).name
      _ = try await program.succeeds(["help", name])
      #expect(!document.isEmpty)
    }
    let unknown = try await program.run(["help", "R999"])
    #expect(unknown.exitCode == 64 && unknown.output.isEmpty)
    #expect(unknown.errors.contains("unknown rule R999"))
    #expect(try await program.succeeds(["help", "put"]).output.contains("USAGE: s3health put"))
  }
}

import Foundation

/// A test as its source declares it, and what the attributes of it and its suite say that it needs.
package struct DeclaredTest: Sendable {
  /// The path of its file in the project.
  package let file: String
  /// Its name in words, from the source.
  package let name: String
  /// The words of `Need`.
  package let needs: Set<String>

  /// Whether a usual run of scripts/test has it.
  package var isUsual: Bool {
    !file.contains("/Thorough/") && needs.isDisjoint(with: ["nightly", "browser", "peers"])
  }
  /// Whether it runs a program or asks a server.
  package var usesTheRealThing: Bool { !needs.isDisjoint(with: ["process", "server"]) }

  /// All tests of the project that have a name in words.
  package static func all() throws -> [DeclaredTest] {
    try ProjectTree.files(below: "Tests", ending: ".swift").flatMap { file in
      tests(
        in: try String(contentsOf: ProjectTree.root.appending(path: file), encoding: .utf8), file)
    }
  }

  /// The tests of one file. An extension of a suite must be in the same file as the suite.
  package static func tests(in text: String, _ file: String) -> [DeclaredTest] {
    var tests: [DeclaredTest] = []
    var suite: Set<String> = []
    var attribute: String?
    for line in text.split(separator: "\n") {
      if line.contains("@Suite") { suite = needs(in: line) }
      if line.contains("@Test") { attribute = "" }
      guard let begun = attribute else { continue }
      attribute = begun + line
      guard let match = line.firstMatch(of: #/func (?:`([^`]+)`|\w+)/#) else { continue }
      let before = (begun + line).prefix { $0 != "`" }
      // A list of arguments may contain the same words, and does not count.
      let own = before.split(separator: "arguments:").first ?? ""
      if let name = match.1 {
        tests.append(
          DeclaredTest(file: file, name: String(name), needs: suite.union(needs(in: own))))
      }
      attribute = nil
    }
    return tests
  }

  /// The words of an attribute that begin with a dot.
  package static func needs(in attribute: Substring) -> Set<String> {
    Set(attribute.matches(of: #/\.([a-z]+)\b/#).map { String($0.1) })
  }
}

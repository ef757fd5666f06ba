import Foundation
import TestSupport
import Testing

/// What the files of a target's tests declare.
private struct TestDeclarations {
  struct Part {
    /// What the attribute says, such as `unit`.
    var tags: Set<String> = []
    var hasTests = false
    /// Every name in the code.
    var words: Set<String> = []
  }

  /// By name: a type with its extensions, or a function. Imports and free tests have no name.
  private(set) var parts: [String: Part] = [:]

  /// Reads a file: what stands at the margin, and suites within `#if`.
  mutating func read(_ text: String) {
    var (name, tags) = ("", Set<String>())
    for line in text.split(separator: "\n") {
      let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
      let isAtMargin = !code.hasPrefix(" ") || code.hasPrefix("  @Suite")
      if isAtMargin, let match = code.firstMatch(of: #/@Suite\b(?:.*\.tags\(([^)]*)\))?/#) {
        tags = Set((match.1 ?? "").matches(of: #/\w+/#).map { String($0.0) })
      }
      if code.hasPrefix("@Test") {
        name = ""
      } else if isAtMargin,
        let declared = code.firstMatch(
          of: #/\b(?:struct|class|actor|enum|extension|func|let|var) (`[^`]+`|\w+)/#)
      {
        name = String(declared.1)
        parts[name, default: Part()].tags.formUnion(tags)
        tags = []
      }
      if code.contains(#/^ *@Test\b/#) { parts[name, default: Part()].hasTests = true }
      parts[name, default: Part()].words.formUnion(code.matches(of: #/\w+/#).map { String($0.0) })
    }
  }

  /// What starts programs and servers: of the system, and of TestSupport.
  private static let starters: Set<String> = [
    "Process", "Subprocess", "posix_spawn", "BadGateway", "BuiltProgram", "HostileStore",
    "HubProgram", "IngestServer", "PeerPython", "PeerServer", "PostgresServer", "Program",
    "PrometheusServers", "ReadPage", "TestServer",
  ]

  /// The same, and the target's own helpers that use it.
  private var starters: Set<String> {
    var (all, count) = (Self.starters, 0)
    while all.count > count {
      count = all.count
      for (name, part) in parts where !part.hasTests && name != "" {
        if !part.words.isDisjoint(with: all) { all.insert(name) }
      }
    }
    return all
  }

  /// What is wrong with the tags, a sentence each.
  var faults: [String] {
    let starters = starters
    var faults: [String] = []
    for (name, part) in parts.sorted(by: { $0.key < $1.key }) where part.hasTests {
      let needs = part.tags.subtracting(["slow"])
      if name == "" {
        faults.append("a test stands in no suite")
      } else if needs.count != 1 || !needs.isSubset(of: ["unit", "process", "server"]) {
        faults.append("\(name) does not say one of unit, process, server")
      } else if needs == ["unit"], let starter = part.words.intersection(starters).min() {
        faults.append("\(name) is a unit test and uses \(starter)")
      }
    }
    return faults
  }
}

/// What tests need, as their tags say it: `scripts/test quick` chooses by them.
@Suite(.tags(.unit)) struct TestTagTests {
  @Test func `every suite says what it needs, and unit tests start no program and no server`()
    throws
  {
    var targets: [Substring: TestDeclarations] = [:]
    for file in ProjectTree.files(below: "Tests", ending: ".swift") {
      let text = try String(contentsOf: ProjectTree.root.appending(path: file), encoding: .utf8)
      targets[file.split(separator: "/")[1], default: TestDeclarations()].read(text)
    }
    for (target, types) in targets where target.hasSuffix("Tests") {
      #expect(types.faults.isEmpty, "\(target)")
    }
    #expect(targets.values.flatMap(\.parts.values).count(where: \.hasTests) > 300)
  }

  /// Files with one suite, and what is wrong with them.
  static let planted: [(file: String, fault: String?)] = [
    ("@Suite(.tags(.unit)) struct A {\n  @Test func a() {}\n}", nil),
    ("@Suite(.serialized, .tags(.server, .slow))\nfinal class A {\n  @Test func a() {}\n}", nil),
    ("#if os(Linux)\n  @Suite(.tags(.unit)) struct A {\n    @Test func a() {}\n  }", nil),
    ("struct Helper { let a: Program }", nil),
    ("@Suite(.tags(.unit)) struct A {\n  // Program\n  @Test func a() {}\n}", nil),
    ("@Test func a() {}", "a test stands in no suite"),
    ("struct A {\n  @Test func a() {}\n}", "A does not say one of unit, process, server"),
    ("@Suite struct A {\n  @Test func a() {}\n}", "A does not say one of unit, process, server"),
    (
      "@Suite(.tags(.slow)) struct A {\n  @Test func a() {}\n}",
      "A does not say one of unit, process, server"
    ),
    (
      "@Suite(.tags(.unit, .server)) struct A {\n  @Test func a() {}\n}",
      "A does not say one of unit, process, server"
    ),
    (
      "@Suite(.tags(.unit)) struct A {\n  @Test func a() { Program() }\n}",
      "A is a unit test and uses Program"
    ),
    (
      "struct B { let c: C }\nstruct C { let p: Program }\n@Suite(.tags(.unit)) struct `A a` {\n"
        + "  @Test func a() { B() }\n}", "`A a` is a unit test and uses B"
    ),
    (
      "@Suite(.tags(.unit)) struct A {\n  @Test func a() {}\n}\nextension A { func b(_: TestServer) {} }",
      "A is a unit test and uses TestServer"
    ),
  ]

  @Test(arguments: planted) func `a suite without a tag, or with a wrong one, is found`(
    file: String, fault: String?
  ) {
    var types = TestDeclarations()
    types.read(file)
    #expect(types.faults == (fault.map { [$0] } ?? []))
  }
}

import Foundation
import TestSupport
import Testing

/// What the files of a target's tests declare.
private struct TestDeclarations {
  struct Part {
    /// What the attributes say, such as `unit`.
    var needs: Set<String> = []
    var hasTests = false
    /// False where the files only extend it, as a type of another module.
    var isDeclared = false
    /// Every name in the code.
    var words: Set<String> = []
  }

  /// By name: a type with its extensions, or a function. Imports and free tests have no name.
  private(set) var parts: [String: Part] = [:]

  /// Reads a file: what stands at the margin, and suites within `#if`.
  mutating func read(_ text: String) {
    var (name, needs) = ("", Set<String>())
    for line in text.split(separator: "\n") {
      if !line.hasPrefix(" ") || line.hasPrefix("  @Suite") {
        if line.contains("@Suite") { needs = DeclaredTest.needs(in: line) }
        if line.hasPrefix("@Test") {
          name = ""
        } else if let declared = line.firstMatch(
          of: #/\b(struct|class|actor|enum|extension|func|let|var) (`[^`]+`|\w+)/#)
        {
          name = String(declared.2)
          parts[name, default: Part()].needs.formUnion(needs)
          if declared.1 != "extension" { parts[name]?.isDeclared = true }
          needs = []
        }
      }
      if line.drop(while: { $0 == " " }).hasPrefix("@Test") {
        parts[name, default: Part()].hasTests = true
      }
      parts[name, default: Part()].words.formUnion(Self.words(in: line))
    }
  }

  /// The names in a line, without those in strings and in a comment.
  private static func words(in line: Substring) -> [String] {
    var (words, word, isText): ([String], [UInt8], Bool) = ([], [], false)
    var last: UInt8 = 0
    for byte in line.utf8 {
      let isWord = byte == UInt8(ascii: "_") || byte &- 48 < 10 || (byte | 32) &- 97 < 26
      if isWord, !isText {
        word.append(byte)
      } else if !word.isEmpty {
        words.append(String(decoding: word, as: UTF8.self))
        word = []
      }
      if byte == UInt8(ascii: "\""), last != UInt8(ascii: "\\") { isText.toggle() }
      if byte == UInt8(ascii: "/"), last == byte, !isText { break }
      last = byte
    }
    return word.isEmpty ? words : words + [String(decoding: word, as: UTF8.self)]
  }

  /// What starts programs: of the system, and of TestSupport.
  private static let starters: Set<String> = [
    "Process", "Subprocess", "posix_spawn", "BadGateway", "BuiltProgram", "HostileStore",
    "HubProgram", "IngestServer", "PeerPython", "PeerServer", "PostgresServer", "Program",
    "PrometheusServers", "ReadPage", "TestServer",
  ]
  /// What scripts/test starts or installs only where a test says so.
  private static let servers = [
    "TestServer": "server", "PostgresServer": "database", "PrometheusServers": "prometheus",
    "S3HEALTH_BROWSER": "browser",
  ]

  /// The same, and the target's own helpers that use it.
  private var starters: Set<String> {
    var (all, count) = (Self.starters, 0)
    while all.count > count {
      count = all.count
      for (name, part) in parts where part.isDeclared && !part.hasTests {
        if !part.words.isDisjoint(with: all) { all.insert(name) }
      }
    }
    return all
  }

  /// What is wrong with the attributes, a sentence each.
  var faults: [String] {
    let starters = starters
    var faults: [String] = []
    for (name, part) in parts.sorted(by: { $0.key < $1.key }) where part.hasTests {
      if name == "" {
        faults.append("a test stands in no suite")
      } else if part.needs.intersection(["unit", "process", "server"]).count != 1 {
        faults.append("\(name) does not say one of unit, process, server")
      } else if part.needs.contains("unit"), let starter = part.words.intersection(starters).min() {
        faults.append("\(name) is a unit test and uses \(starter)")
      }
      // A single test of a suite may say it too.
      for (word, need) in Self.servers.sorted(by: { $0.key < $1.key })
      where part.words.contains(word) && !part.needs.contains(need) && !part.words.contains(need) {
        faults.append("\(name) uses \(word) and does not say \(need)")
      }
    }
    return faults
  }
}

/// What tests need, as their suites say it: scripts/test chooses by it what it installs, starts and runs.
@Suite(.unit) struct TestNeedTests {
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
    ("@Suite(.unit) struct A {\n  @Test func a() {}\n}", nil),
    ("@Suite(.serialized, .server, .slow)\nfinal class A {\n  @Test func a() {}\n}", nil),
    ("#if os(Linux)\n  @Suite(.unit) struct A {\n    @Test func a() {}\n  }", nil),
    ("struct Helper { let a: Program }", nil),
    ("@Suite(.unit) struct A {\n  // Program\n  @Test func a() {}\n}", nil),
    ("@Test func a() {}", "a test stands in no suite"),
    ("struct A {\n  @Test func a() {}\n}", "A does not say one of unit, process, server"),
    ("@Suite struct A {\n  @Test func a() {}\n}", "A does not say one of unit, process, server"),
    (
      "@Suite(.slow) struct A {\n  @Test func a() {}\n}",
      "A does not say one of unit, process, server"
    ),
    (
      "@Suite(.unit, .server) struct A {\n  @Test func a() {}\n}",
      "A does not say one of unit, process, server"
    ),
    (
      "@Suite(.unit) struct A {\n  @Test func a() { Program() }\n}",
      "A is a unit test and uses Program"
    ),
    (
      "struct B { let c: C }\nstruct C { let p: Program }\n@Suite(.unit) struct `A a` {\n"
        + "  @Test func a() { B() }\n}", "`A a` is a unit test and uses B"
    ),
    (
      "@Suite(.unit) struct A {\n  @Test func a() {}\n}\nextension A { func b(_: HubProgram) {} }",
      "A is a unit test and uses HubProgram"
    ),
    (
      "@Suite(.process) struct A {\n  @Test func a() { PostgresServer() }\n}",
      "A uses PostgresServer and does not say database"
    ),
    ("@Suite(.process) struct A {\n  @Test(.server) func a() { TestServer.all }\n}", nil),
  ]

  @Test(arguments: planted)
  func `a suite that does not say what it needs, or says it wrongly, is found`(
    file: String, fault: String?
  ) {
    var types = TestDeclarations()
    types.read(file)
    #expect(types.faults == (fault.map { [$0] } ?? []))
  }
}

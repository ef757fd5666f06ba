import Foundation
import Subprocess
import TestSupport
import Testing

/// How the parts of the project may use each other (ARCHITECTURE.md), as scripts/folder-graph draws it.
@Suite(.process) struct FolderGraphTests {
  /// What the script says of the tree at `root`, and whether it found it sound.
  private func graph(of root: URL) async throws -> (isSound: Bool, report: String) {
    let script = ProjectTree.root.appending(path: "scripts/folder-graph").path
    let result = try await Subprocess.run(
      .path(.init(try PeerPython.interpreter())),
      arguments: [script, "--root", root.path], output: .string(limit: 1 << 20),
      error: .string(limit: 1 << 20))
    #expect(result.standardError.isEmpty, "\(result.standardError)")
    return (result.terminationStatus.isSuccess, result.standardOutput)
  }

  /// The same of a small tree made for it, of paths below Sources/ and what the files hold.
  private func graph(
    of files: [String: String], manifest: String = ""
  ) async throws -> (isSound: Bool, report: String) {
    let root = FileManager.default.temporaryDirectory
      .appending(path: "folder-graph-\(UInt64.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: root) }
    for (path, text) in files {
      let file = root.appending(path: "Sources/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    try Data(manifest.utf8).write(to: root.appending(path: "Package.swift"))
    return try await graph(of: root)
  }

  @Test func `no folders of a target use each other in a circle, nor do targets`() async throws {
    let graph = try await graph(of: ProjectTree.root)
    #expect(graph.isSound, "\(graph.report)")
  }

  /// A file of folder B that uses something of folder A, which uses a type of B.
  static let uses: [(name: String, declared: String, used: String)] = [
    ("type", "struct Apple {}", "let eaten = Apple()"),
    ("alias", "typealias Apple = Int", "let eaten: Apple = 1"),
    ("function", "func peel(_ what: Int) {}", "func eat() { peel(1) }"),
    ("constant", "let ripe = 3", "let eaten = ripe + 1"),
    ("member", "extension Int { var peeled: Int { self } }", "let eaten = 1.peeled"),
    ("key path", "extension Int { var peeled: Int { self } }", #"let all = [1].map(\.peeled)"#),
    ("own member", "extension Int { func peel() {} }", "extension Int { func eat() { peel() } }"),
    ("nested type", "extension Int { struct Core {} }", "let eaten = Int.Core()"),
    ("interpolation", "struct Apple {}", #"let text = "an \(Apple()) a day""#),
    ("text of lines", "struct Apple {}", "let text = \"\"\"\n  an \\(Apple())\n  \"\"\""),
  ]

  @Test(arguments: uses)
  func `a circle through a declaration is found, whatever its kind`(
    name: String, declared: String, used: String
  ) async throws {
    let files = ["Core/T/A/A.swift": declared + "\nlet pear: Pear", "Core/T/B/B.swift": used]
    let oneWay = try await graph(of: files.merging(["Core/T/C/C.swift": "struct Pear {}"]) { $1 })
    #expect(oneWay.isSound, "\(oneWay.report)")
    let circle = try await graph(of: files.merging(["Core/T/B/C.swift": "struct Pear {}"]) { $1 })
    #expect(!circle.isSound)
    #expect(circle.report.contains("T: the folders A -> B -> A use each other in a circle"))
    #expect(circle.report.contains("  A uses of B: Pear (A.swift)"))
  }

  @Test func `a longer circle is found, and one with a file beside the folders`() async throws {
    let long = try await graph(of: [
      "Core/T/A/A.swift": "struct A { let b: B }", "Core/T/B/B.swift": "struct B { let c: C }",
      "Core/T/C/C.swift": "struct C { let a: A? }",
    ])
    #expect(long.report.contains("the folders A -> B -> C -> A use"), "\(long.report)")
    let surface = try await graph(of: [
      "Core/T/Surface.swift": "struct Surface { let a: A }",
      "Core/T/A/A.swift": "struct A { let s: Surface }",
    ])
    #expect(surface.report.contains("the folders A -> Surface.swift -> A use"))
  }

  /// What names a declaration of another folder and does not use it.
  static let mentions: [String] = [
    "// Apple", "/// An `Apple`.", "/* Apple /* Apple */ Apple */", #"let text = "Apple""#,
    #"let text = "an \\(Apple())""#, ##"let text = #"an \(Apple())"#"##,
    "let expression = #/Apple/#",
    "let text = \"\"\"\n  Apple \"Apple\"\n  \"\"\"", "let one = basket.Apple",
    "struct Basket { func peeled() {} }; let one = Basket().peeled()",
  ]

  @Test(arguments: mentions)
  func `comments, strings and other things of the same name are not a use`(
    mention: String
  ) async throws {
    let graph = try await graph(of: [
      "Core/T/A/A.swift": """
      struct Apple { let pear: Pear }
      private struct Core {}
      extension Int { func peeled() {}; private func rotten() {} }
      """,
      "Core/T/B/B.swift": "struct Pear { let core: Core; func f() { 1.rotten() } }\n\(mention)",
    ])
    #expect(graph.isSound, "\(graph.report)")
  }

  /// Trees that break a rule of imports, with what is said of them.
  static let imports: [(files: [String: String], said: String)] = [
    (
      ["Core/Lib/Lib.swift": "import ArgumentParser"],
      "Lib: a library imports ArgumentParser"
    ),
    (
      ["Core/Lib/Lib.swift": "import Program", "Core/Program/P.swift": "import ArgumentParser"],
      "Lib: imports the program Program"
    ),
    (
      ["Core/HealthLedger/L.swift": "@_implementationOnly import CThing"],
      "HealthLedger: imports the C library CThing"
    ),
    (
      ["Core/ObjectStore/O.swift": "package import struct HTTPClient.Request"],
      "ObjectStore: imports no part of the core: HTTPClient"
    ),
    (
      ["Core/One/O.swift": "import Two", "Core/Two/T.swift": "public import One"],
      "the targets One -> Two -> One import each other in a circle"
    ),
    (
      ["Input/One/O.swift": "package import Two", "Output/Two/T.swift": ""],
      "One: imports Two, although Input stands before Output"
    ),
    (["Cellar/One/O.swift": ""], "Sources/Cellar is not a room of ARCHITECTURE.md"),
  ]

  @Test(arguments: imports)
  func `an import that the design forbids is found`(
    files: [String: String], said: String
  ) async throws {
    let manifest = """
      .system("CThing"), .program(
        "Program"),
      """
    let graph = try await graph(of: files, manifest: manifest)
    #expect(!graph.isSound)
    #expect(graph.report.contains(said), "\(graph.report)")
  }
}

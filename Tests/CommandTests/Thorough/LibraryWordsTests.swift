import Foundation
import TestSupport
import Testing

/// No library names a flag, a command or a file of the documentation: its errors carry a typed
/// remedy, and each front end words that for its readers.
@Suite(.unit) struct LibraryWordsTests {
  /// The targets of Sources/ that are front ends, whose business flags and commands are.
  private static let frontEnds: Set<String> = ["s3health", "s3healthd", "s3race", "CommandLineKit"]

  /// What looks like a word of a front end and is not one.
  private static let exceptions: [(file: String, text: String, reason: String)] = [
    (
      "Core/ObjectStore/Caching/CachedObject.swift", "s3health copy 1 ",
      "begins each file of the cache"
    ),
    (
      "Bucket/S3Store/Probe/ProbeRun.swift", "s3health probe ",
      "begins each scratch object of the probe"
    ),
  ]

  @Test func `no string of a library names a flag, a command or a file of docs`() throws {
    let sources = ProjectTree.root.appending(path: "Sources")
    let names = FileManager.default.enumerator(atPath: sources.path)
    var (literals, used) = (0, Set<String>())
    while let name = names?.nextObject() as? String {
      let target = name.split(separator: "/").dropFirst().first.map(String.init) ?? ""
      guard name.hasSuffix(".swift"), !Self.frontEnds.contains(target) else { continue }
      let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
      for literal in Self.literals(of: text) {
        literals += 1
        guard literal.contains(#/--[a-z]|\bs3(health|race) |\bulimit\b|\bsudo\b|\bdocs\//#) else {
          continue
        }
        if let known = Self.exceptions.first(where: {
          $0.file == name && literal.contains($0.text)
        }) {
          used.insert(known.text)
        } else {
          Issue.record("Sources/\(name): \"\(literal)\"")
        }
      }
    }
    #expect(literals > 3000, "the sources were read")
    #expect(used == Set(Self.exceptions.map(\.text)), "every exception is still needed")
  }

  /// The string literals of a source, line by line, without comments.
  private static func literals(of source: String) -> [Substring] {
    source.replacing(#/(?m)^\s*\/\/.*$/#, with: "")
      .matches(of: #/"""\n(?<many>(?s:.*?))"""|"(?<one>(?:[^"\\\n]|\\.)*)"/#)
      .compactMap { $0.many ?? $0.one }
  }
}

import Foundation
import TestSupport
import Testing

/// What a text cites, held against what this repository defines: a reader who meets an id or the name
/// of a document must be able to look it up here.
private struct Citations {
  /// Ids that a document defines, such as `R18`.
  let ids: Set<String>
  /// Names of the documents, such as `SPEC.md`.
  let documents: Set<String>

  /// Names of standards, zones and formats that look like ids of requirements.
  private static let names: Set<Substring> = ["CRC", "GMT", "ISO", "JST", "PDF", "SHA", "UTF"]

  /// The ids that a document defines: a rule's heading, or the bold beginning of a paragraph.
  static func defined(in document: String) -> Set<String> {
    let beginnings = document.matches(
      of: #/(?m)^(?:#{1,6} |(?:[-*] )?\*\*)([A-Z]{1,3}-?[0-9]{1,3})[.:]/#)
    return Set(beginnings.map { String($0.1) })
  }

  /// What the text cites and nothing here defines, each with the number of its line.
  func undefined(in text: String) -> [(id: String, line: Int)] {
    let rules = #/R[0-9]{1,2}(?![0-9A-Za-z_])/#
    let ids = #/[A-Z]{2,3}-[0-9]{1,3}(?![0-9A-Za-z_])/#
    // Points and decisions: one letter and a number, in brackets or before a test's name.
    let points = #/(?:[(;`]|, )[A-D][0-9]{1,2}(?=[);:]|, )/#
    // Numbered rules, documents that are known by a number, and their sections.
    let numbers = #/[Rr]ules? [0-9]+|(?:[Dd]ocument|of|by|in|as|to|that) 00[0-9](?![0-9'])/#
    let sections = #/00[0-9](?:'s(?![a-z])| §)/#
    let files = #/[A-Z][A-Z-]+\.md(?![A-Za-z])/#
    var found: [(id: String, line: Int)] = []
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    // Most lines cite nothing, and matching takes long.
    where line.utf8.contains(where: { 48...57 ~= $0 }) || line.contains(".md") {
      for match in [rules, ids, points, numbers, sections, files].flatMap({
        line.matches(of: $0.matchingSemantics(.unicodeScalar))
      }) {
        let before = line[..<match.range.lowerBound].unicodeScalars.last
        let isPart = before.map {
          $0.properties.isAlphabetic || "_,.0123456789".unicodeScalars.contains($0)
        }
        let id = match.output.drop { "(;`, ".contains($0) }
        if isPart == true && id.startIndex == match.range.lowerBound { continue }
        guard !self.ids.contains(String(id)), !documents.contains(String(id)),
          !Self.names.contains(id.prefix { $0 != "-" })
        else { continue }
        found.append((String(id), number + 1))
      }
    }
    return found
  }
}

/// Sources, tests, scripts and documents cite only what this repository defines.
@Suite(.unit) struct CitationTests {
  /// Paths of the files that people write, relative to the project's folder.
  private static func files() -> [String] {
    let folders = [
      ".github", "Benchmarks", "Examples", "Sources", "Tests", "docs", "minio-test", "packaging",
      "schema", "scripts",
    ]
    let top = (try? FileManager.default.contentsOfDirectory(atPath: ProjectTree.root.path)) ?? []
    var files = top.filter { $0.hasSuffix(".md") || $0 == "Package.swift" }
    for folder in folders {
      let place = ProjectTree.root.appending(path: folder).path
      let names = FileManager.default.enumerator(atPath: place)
      while let name = names?.nextObject() as? String {
        let parts = name.split(separator: "/")
        // Built files, and data that others wrote or chance made.
        if parts.contains(where: { [".build", "Fixtures", "Corpus"].contains($0) }) { continue }
        files.append("\(folder)/\(name)")
      }
    }
    return files.sorted()
  }

  /// The text of a file; nil for a folder and for what is not text.
  private static func text(_ path: String) -> String? {
    try? String(contentsOf: ProjectTree.root.appending(path: path), encoding: .utf8)
  }

  @Test func `every id and document that a file cites is defined in this repository`() throws {
    let files = Self.files()
    let documents = files.filter { $0.hasSuffix(".md") }
    let ids = documents.filter { $0 == "SPEC.md" || $0.hasPrefix("docs/") }
      .compactMap(Self.text).map(Citations.defined).reduce(into: Set<String>()) { $0.formUnion($1) }
    #expect(ids.isSuperset(of: ["R1", "R20", "R43", "R60"]), "\(ids.sorted())")
    let citations = Citations(
      ids: ids, documents: Set(documents.map { String($0.split(separator: "/").last ?? "") }))
    var count = 0
    for file in files {
      guard let text = Self.text(file) else { continue }
      count += 1
      for (id, line) in citations.undefined(in: text) {
        Issue.record("\(file):\(line) cites \(id), which no document here defines")
      }
    }
    #expect(count > 500)
  }

  /// Ids in two pieces, so that this file does not cite them itself, and what is found of a line
  /// that has them in the place of `ID`.
  static let planted: [(head: String, tail: String, line: String)] = [
    ("OB", "-21", "/// Refuses a server that was never verified (ID)."),
    ("MC", "-4", "It lists them, as ID asks."), ("PR", "-3", "`ID: an instance is encoded`"),
    ("R", "99", "/// The digest (ID)."), ("R", "61", "Read SPEC ID first."),
    ("D", "14", "/// Phone and watch count once (R18, ID)."), ("B", "3", "`ID: a test's name`"),
    ("rule", " 26", "// By the same function (ID)."), ("Rules", " 9", "ID to 11 apply."),
    ("document", " 004", "The tables of ID, to the letter."), ("of", " 003", "A server ID."),
    ("003", "'s", "It is ID protocol."), ("000", " §", "As ID4.1 says."),
    ("DESIGN", ".md", "It checks the rules in ID."),
  ]

  @Test(arguments: planted)
  func `an id that no document defines is found`(head: String, tail: String, line: String) {
    let citations = Citations(ids: ["R18", "Q7"], documents: ["SPEC.md"])
    let text = "First R18.\n" + line.replacing("ID", with: head + tail) + "\n"
    let found = citations.undefined(in: text)
    #expect(found.map { $0.id } == [head + tail] && found.map { $0.line } == [2])
  }

  @Test func `names, numbers and what a document defines are not reported`() {
    let citations = Citations(
      ids: Citations.defined(
        in: "# Format\n\n## R18. Figures\n\nSee R19.\n\n- **Q7.** One queue.\n\n**Q8: why**\n"),
      documents: ["SPEC.md"])
    #expect(citations.ids == ["R18", "Q7", "Q8"])
    for line in [
      "SHA-256 of UTF-8 text, ISO-8601, CRC-32, `JST-9`, \"%PDF-1.7\"", "SPEC.md says so (R18)",
      "5,000 of 10,000 steps in 0.005 s", "vitamin B12 eaten (vitamin B1)", "\\u{A0}, \\u{C3}",
      "(Q7)", "the rule of R18",
    ] {
      #expect(citations.undefined(in: line).isEmpty, "\(line)")
    }
  }
}

import Foundation
import TestSupport

/// A document of the project, taken apart as far as tests hold it against the program.
struct Document {
  /// Relative to the project's folder, such as `docs/IMPORT.md`.
  let path: String
  let text: String

  init(_ path: String) throws {
    self.path = path
    text = try String(contentsOf: ProjectTree.root.appending(path: path), encoding: .utf8)
  }

  /// Every document that people read, without fixtures and changes.
  static func all() throws -> [Document] {
    let top = ["README.md", "SPEC.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    let folders = ["docs", "minio-test", "Examples", "schema"]
    return try (top + folders.flatMap { ProjectTree.files(below: $0, ending: ".md") })
      .map(Document.init)
  }

  /// SPEC.md and the documents that have the rules beside it.
  static func specification() throws -> [Document] {
    try (["SPEC.md"] + ProjectTree.files(below: "docs/spec", ending: ".md")).map(Document.init)
  }

  /// A command that the document shows, and what it says that it prints.
  struct Sample {
    let command: String
    /// Empty where the document shows no output.
    let output: String
  }

  /// The fenced blocks: the word after the fence, and the text.
  var blocks: [(language: String, text: String)] {
    text.matches(of: #/(?ms)^```([a-z]*)\n(.*?)^```$/#).map { (String($0.1), String($0.2)) }
  }

  /// Lines of blocks that begin with `$ `, each with the lines below it.
  var samples: [Sample] {
    blocks.flatMap { block in
      block.text.components(separatedBy: "\n$ ").enumerated().compactMap { index, piece in
        guard index > 0 || piece.hasPrefix("$ ") else { return nil }
        let lines = (index == 0 ? String(piece.dropFirst(2)) : piece)
          .split(separator: "\n", omittingEmptySubsequences: false)
        return Sample(command: String(lines[0]), output: lines.dropFirst().joined(separator: "\n"))
      }
    }
  }

  /// The text without fenced blocks.
  var prose: String { text.replacing(#/(?ms)^```.*?^```$/#, with: "") }

  /// Targets of links.
  var links: [String] {
    prose.matches(of: #/\]\(([^)\s]+)\)/#).map { String($0.1) }
  }

  /// Command lines of s3health and s3race, in blocks and between backquotes, without the program's name.
  var commandLines: [String] {
    let inline = prose.matches(of: #/`[^`\n]*\bs3(?:health|race) ([^`\n]+)`/#).map { String($0.1) }
    let inBlocks = blocks.flatMap { $0.text.split(separator: "\n") }.compactMap { line in
      line.firstMatch(of: #/(?:^|\$ |\| )s3(?:health|race) ([^|#]+)/#).map { String($0.1) }
    }
    return inline + inBlocks
  }

  /// Anchors of the headings, as GitHub makes them.
  var anchors: Set<String> {
    var anchors: Set<String> = []
    for heading in prose.matches(of: #/(?m)^#+ (.+)$/#) {
      let plain = heading.1.replacing(#/\[([^\]]*)\]\([^)]*\)/#, with: { "\($0.1)" }).lowercased()
      let kept = plain.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
      let anchor = kept.replacing(" ", with: "-")
      var (name, number) = (anchor, 0)
      while !anchors.insert(name).inserted {
        number += 1
        name = "\(anchor)-\(number)"
      }
    }
    return anchors
  }
}

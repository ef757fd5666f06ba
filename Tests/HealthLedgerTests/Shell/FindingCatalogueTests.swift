import Foundation
import HealthModel
import TestSupport
import Testing

@testable import HealthLedger

/// R35: docs/FINDINGS.md is the law, and the program has exactly its codes.
@Suite(.unit) struct FindingCatalogueTests {
  private struct Row: Hashable {
    let code: String
    let severity: String
    let rules: [String]
    let summary: String
  }

  private func rows() throws -> [Row] {
    let text = try String(
      contentsOf: ProjectTree.root.appending(path: "docs/FINDINGS.md"), encoding: .utf8)
    return text.matches(of: /(?m)^\| `([a-z0-9_]+)` \| ([a-z]+) \| ([0-9R, ]+) \| (.+) \|$/).map {
      Row(
        code: String($0.1), severity: String($0.2),
        rules: $0.3.split(separator: ", ").map(String.init), summary: String($0.4))
    }
  }

  @Test func `R35 every code stands in the table with its severity and meaning, and no other`()
    throws
  {
    let rows = try rows()
    #expect(
      rows.map { "\($0.code) \($0.severity) \($0.summary)" }
        == FindingKind.all.map { "\($0.code) \($0.severity.rawValue) \($0.summary)" })
    #expect(Set(rows.map(\.code)).count == rows.count)
    let codes = FindingCode.allCases.map(\.rawValue) + ViolationCode.allCases.map(\.rawValue)
    #expect(rows.map(\.code) == codes)
  }

  @Test func `R35 the table gives the rules that the findings give`() throws {
    let rules = Dictionary(uniqueKeysWithValues: try rows().map { ($0.code, Set($0.rules)) })
    for code in FindingCode.allCases {
      #expect(rules[code.rawValue]?.contains(code.rule) == true, "\(code.rawValue)")
    }
    let folder = ProjectTree.root.appending(path: "docs/spec")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let files = names.map { folder.appending(path: $0) } + [folder.appending(path: "../../SPEC.md")]
    let specification = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    for rule in rules.values.joined() {
      #expect(specification.contains("\n## \(rule). "), "\(rule)")
    }
  }

  @Test func `R41 the table says of each code whether readers take the revision`() throws {
    let text = try String(
      contentsOf: ProjectTree.root.appending(path: "docs/FINDINGS.md"), encoding: .utf8)
    let ofPointers: [ViolationCode] = [.badRevisionID, .badRelativePath, .pathDiffersFromID]
    for (words, reading) in [
      ("pass it over", ViolationCode.Reading.hidden), ("take it", .readable),
      ("take it if the rest can be understood", .either),
    ] {
      let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("| \(words) |") })
      let codes = row.matches(of: /`([a-z0-9_]+)`/).map { String($0.1) }
      let expected = ViolationCode.allCases.filter {
        $0.reading == reading && !ofPointers.contains($0)
      }
      #expect(Set(codes) == Set(expected.map(\.rawValue)), "\(words)")
    }
  }

  @Test(arguments: 1...4)
  func `R35 damaged ledgers give no finding whose rule the table does not have`(
    seed: Int
  ) async throws {
    let rules = Dictionary(uniqueKeysWithValues: try rows().map { ($0.code, $0) })
    let damaged = try await DamagedLedger(days: 200, seed: UInt64(seed + 900))
    var count = 0
    try await damaged.bench.ledger.verify(damaged.range, VerifyOptions(isDeep: true)) { verdict in
      for finding in verdict.findings {
        count += 1
        let row = rules[finding.code]
        #expect(row?.rules.contains(finding.rule) == true, "\(finding.code) \(finding.rule)")
        #expect(row?.severity == finding.severity.rawValue, "\(finding.code)")
      }
    }
    #expect(count > 500)
  }
}

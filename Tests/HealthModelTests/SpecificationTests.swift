import Foundation
import HealthModel
import TestSupport
import Testing

/// SPEC.md and the code name the same rules, codes and files.
@Suite(.unit) struct SpecificationTests {
  private let text: String

  init() throws {
    text = try String(
      contentsOf: ProjectTree.root.appending(path: "SPEC.md"), encoding: .utf8)
  }

  @Test func `every violation code stands in SPEC, and in the schema table if it belongs there`() {
    for code in ViolationCode.allCases {
      #expect(text.contains("`\(code.rawValue)`"), "\(code.rawValue)")
      #expect(text.contains("\n| `\(code.rawValue)` |") == !code.isInSchema, "\(code.rawValue)")
    }
  }

  @Test(arguments: Array(1...17) + [60])
  func `every format rule has its section, and the section names its code`(
    _ number: Int
  ) throws {
    let start = try #require(text.range(of: "\n## R\(number). "))
    let rest = text[start.upperBound...]
    let section = rest[..<(rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex)]
    #expect(section.contains("\nCode: "))
  }

  @Test func `every file that SPEC links to is there`() throws {
    let links = text.matches(of: /\]\(([^)#]+)\)/).map { String($0.1) }
    #expect(links.count > 20)
    for link in links where !link.contains("://") {
      let path = ProjectTree.root.appending(path: link).path
      #expect(FileManager.default.fileExists(atPath: path), "\(link)")
    }
  }
}

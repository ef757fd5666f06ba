import Foundation
import TestSupport
import Testing

/// The example of CONTRIBUTING.md is a command of the program.
@Suite(.unit) struct CommandExampleTests {
  @Test func `the command that CONTRIBUTING shows is one of the program, whole and in 80 lines`()
    throws
  {
    let file = "Sources/Programs/s3health/Runs/RunsCommand.swift"
    let page = try text("CONTRIBUTING.md")
    let begin = try #require(page.range(of: "```swift\n", range: try heading(of: page)))
    let end = try #require(page.range(of: "```\n", range: begin.upperBound..<page.endIndex))
    let example = String(page[begin.upperBound..<end.lowerBound])
    #expect(try example == text(file), "quote \(file) as it is")
    #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count <= 81)
    #expect(page.contains(file))
  }

  private func heading(of page: String) throws -> Range<String.Index> {
    let heading = try #require(page.range(of: "## Add a command\n"))
    return heading.upperBound..<page.endIndex
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: ProjectTree.root.appending(path: path), encoding: .utf8)
  }
}

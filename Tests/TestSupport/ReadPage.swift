import Foundation

/// What Python's html.parser finds in a page (Tests/Peers/report_page.py).
package struct ReadPage: Decodable {
  package struct Spark: Decodable {
    /// Places of the days that are drawn, and of those that a line joins with the next.
    package let drawn: [Int]
    package let joined: [Int]
    package let heights: [Int]
    package let text: String
    /// The headline under the card's name.
    package let last: String
    package let charts: Int
    package let lines: Int
    package let bars: Int
    /// Heights of the means of 7 and of 30 days by place, of the card's first metric.
    package let week: [[String: Int]]
    package let month: [[String: Int]]
    /// Places of the numbers that are marked as doubtful.
    package let doubted: [Int]
    /// The numbers beside the axis, lowest first.
    package let levels: [String]
    package let facts: [String: String]
    /// The rows of a card that lists its few numbers.
    package let few: [[String]]
  }

  package struct Finding: Decodable {
    package let severity: String
    package let code: String
    package let count: String
    package let items: [String]
  }

  /// Whatever may not stand in a page.
  package let bad: [String]
  /// For each date its coverage, its revisions and the cells of the eight metrics.
  package let rows: [[String]]
  /// The cells of the tables by column and date.
  package let numbers: [String: [String: String]]
  /// Each group's name and its cards.
  package let groups: [[String]]
  /// Rows of months in the calendar.
  package let years: Int
  package let sparks: [String: Spark]
  package let findings: [Finding]
  package let legend: [String: String]
  /// Marks in the calendar.
  package let marks: [String: Int]
  package let tiles: [String]
  package let extent: String
  package let elements: Int
  package let bytes: Int
  package let origins: [[String]]

  /// Reads pages, each with strings that must be found in its text as it must show them.
  package static func read(_ pages: [(html: [UInt8], expect: [String])]) async throws -> [ReadPage]
  {
    let question: [String: Any] = [
      "pages": pages.map {
        ["html": String(decoding: $0.html, as: UTF8.self), "expect": $0.expect] as [String: Any]
      }
    ]
    let output = try await PeerPython.run(
      "report_page.py", input: Array(try JSONSerialization.data(withJSONObject: question)))
    return try JSONDecoder().decode([ReadPage].self, from: Data(output))
  }
}

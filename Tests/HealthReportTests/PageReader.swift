import Foundation
import TestSupport

@testable import HealthReport

/// What Python's html.parser finds in a page (Tests/Peers/report_page.py).
struct ReadPage: Decodable {
  struct Spark: Decodable {
    /// Places of the days that are drawn, and of those that a line joins with the next.
    let drawn: [Int]
    let joined: [Int]
    let heights: [Int]
    let text: String
  }

  struct Finding: Decodable {
    let severity: String
    let code: String
    let count: String
    let items: [String]
  }

  /// Whatever may not stand in a page.
  let bad: [String]
  let columns: [String]
  let rows: [[String]]
  let sparks: [String: Spark]
  let findings: [Finding]
  let legend: [String: String]
  /// Marks in the calendar.
  let marks: [String: Int]
  let tiles: [String]
  let extent: String
  let elements: Int
  let bytes: Int
  let origins: [[String]]

  /// Reads pages, each with strings that must be found in its text as it must show them.
  static func read(_ pages: [(html: [UInt8], expect: [String])]) async throws -> [ReadPage] {
    let question: [String: Any] = [
      "pages": pages.map {
        ["html": String(decoding: $0.html, as: UTF8.self), "expect": $0.expect] as [String: Any]
      }
    ]
    let output = try await PeerPython.run(
      "report_page.py", input: Array(try JSONSerialization.data(withJSONObject: question)))
    return try JSONDecoder().decode([ReadPage].self, from: Data(output))
  }

  static func read(_ report: RangeReport, expect: [String] = []) async throws -> ReadPage {
    try await read([(try ReportPage(report).bytes, expect)])[0]
  }
}

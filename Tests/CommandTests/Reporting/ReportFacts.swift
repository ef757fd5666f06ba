import Foundation
import TestSupport

/// What Python reads in a page of `report`, and reckons from the same store.
struct ReportFacts: Decodable {
  struct Spark: Decodable {
    let drawn: [Int]
    let joined: [Int]
  }

  struct Finding: Decodable {
    let code: String
    let count: String
  }

  /// Whatever may not stand in a page.
  let bad: [String]
  let rows: [[String]]
  let sparks: [String: Spark]
  let findings: [Finding]
  let legend: [String: String]
  let marks: [String: Int]
  let tiles: [String]

  static func read(_ path: String, expect: [String] = []) async throws -> ReportFacts {
    let html = try String(contentsOfFile: path, encoding: .utf8)
    let question = ["pages": [["html": html, "expect": expect] as [String: Any]]]
    let output = try await PeerPython.run(
      "report_page.py", input: Array(try JSONSerialization.data(withJSONObject: question)))
    return try JSONDecoder().decode([ReportFacts].self, from: Data(output))[0]
  }

  /// One date as an independent reader of the store sees it.
  struct Peer: Decodable {
    let date: String
    let revisions: Int
    let made: String?
    let numbers: [Double?]?

    static func read(_ folder: String, from: String, to: String) async throws -> [Peer] {
      let question = [
        "folder": folder, "from": from, "to": to,
        "schema": ProjectTree.root.appending(path: "schema/health.v0.schema.json").path,
      ]
      let output = try await PeerPython.run(
        "report_counts.py", input: Array(try JSONEncoder().encode(question)))
      return try JSONDecoder().decode([Peer].self, from: Data(output))
    }
  }
}

import Foundation
import TestSupport

extension ReadPage {
  static func read(_ path: String, expect: [String] = []) async throws -> ReadPage {
    let html = try Data(contentsOf: URL(filePath: path))
    return try await read([(Array(html), expect)])[0]
  }
}

/// One date as an independent reader of the store sees it.
struct ReportPeer: Decodable {
  let date: String
  let revisions: Int
  let missing: Bool
  let made: String?
  let numbers: [Double?]?

  static func read(_ folder: String, from: String, to: String) async throws -> [ReportPeer] {
    let question = ["folder": folder, "from": from, "to": to]
    let output = try await PeerPython.run(
      "report_counts.py", input: Array(try JSONEncoder().encode(question)))
    return try JSONDecoder().decode([ReportPeer].self, from: Data(output))
  }
}

import Foundation
import TestSupport

extension ReadPage {
  static func read(_ path: String, expect: [String] = []) async throws -> ReadPage {
    let html = try Data(contentsOf: URL(filePath: path))
    return try await read([(Array(html), expect)])[0]
  }
}

/// One date as a reader sees it that has none of our code: Tests/Peers/read_ledger.py.
struct LedgerRow: Decodable {
  let date: String
  let revisions: Int
  let missing: Bool
  let id: String?
  let made: String?
  let numbers: [Double?]?
  let isOffZone: Bool

  enum CodingKeys: String, CodingKey {
    case date, revisions, missing, id, made, numbers
    case isOffZone = "off_zone"
  }

  /// Of a folder, or of a server with its settings.
  static func read(
    _ place: [String: Any], from: String, to: String
  ) async throws -> [LedgerRow] {
    let question = place.merging(["from": from, "to": to]) { $1 }
    let output = try await PeerPython.run(
      "read_ledger.py", input: Array(try JSONSerialization.data(withJSONObject: question)))
    return try JSONDecoder().decode([LedgerRow].self, from: Data(output))
  }
}

import Foundation
import TestSupport
import Testing

/// An Apple Health export that `gen_export.py` made, with what it generated.
struct GeneratedExport {
  /// Of one day.
  struct Truth: Decodable {
    let asleep: Double
  }

  private struct File: Decodable {
    let tz: String
    let days: [String: Truth]
  }

  let xml: String
  let zip: String
  let timeZoneName: String
  /// By date.
  let days: [String: Truth]

  var dates: [String] { days.keys.sorted() }

  /// Makes an export below the program's HOME.
  ///
  /// - Parameter arguments: options of `gen_export.py`.
  init(_ program: Program, named name: String = "export", _ arguments: [String]) async throws {
    let folder = try program.folder("generated/\(name)")
    xml = folder.path + "/export.xml"
    zip = folder.path + "/export.zip"
    _ = try await PeerPython.run(
      "gen_export.py", arguments: [xml, "--zip", zip, "--mb", "0.1"] + arguments)
    let truth = try Data(contentsOf: folder.appending(path: "export.truth.json"))
    let file = try JSONDecoder().decode(File.self, from: truth)
    (timeZoneName, days) = (file.tz, file.days)
  }
}

/// A date in UTC, so many days ago.
func date(_ daysAgo: Int) -> String {
  String(Date().addingTimeInterval(-86_400 * Double(daysAgo)).ISO8601Format().prefix(10))
}

/// A payload of Health Auto Export with the steps of a watch, by how many days ago they were.
func watchSteps(_ steps: [Int: Int]) -> [UInt8] {
  let rows = steps.sorted { $0.key > $1.key }.map {
    #"{"date":"\#(date($0.key)) 00:00:00 +0000","qty":\#($0.value),"source":"W"}"#
  }
  return stepPayload(rows.joined(separator: ",")).bytes
}

extension Program {
  /// What a day resolves to: the document that `get` prints.
  func day(_ date: String, _ arguments: [String] = []) async throws -> [String: Any] {
    try await succeeds(["get", date, "--output", "json"] + arguments).json()
  }

  /// A number of a day; nil where it has none.
  func number(
    _ metric: String, _ date: String = "2026-02-08", _ arguments: [String] = []
  ) async throws -> Double? {
    (try await day(date, arguments)["metrics"] as? [String: Any])?[metric] as? Double
  }

  func steps(_ date: String = "2026-02-08", _ arguments: [String] = []) async throws -> Double? {
    try await number("steps", date, arguments)
  }

  /// The day's metrics and statuses, and nothing that differs between two publishes.
  func payload(_ date: String, _ arguments: [String] = []) async throws -> String {
    try Self.payload(of: try await day(date, arguments))
  }

  /// A document without what differs between two publishes of the same data.
  static func payload(of document: [String: Any]) throws -> String {
    var document = document
    document["generated_at"] = nil
    document["captured_at"] = nil
    document["digest"] = nil
    // An import that was killed and the next one are two runs.
    document["sources"] = (document["sources"] as? [String: Any])?.mapValues { value -> Any in
      guard let words = value as? [[String: Any]] else { return value }
      return words.map { $0.filter { $0.key != "run" } }
    }
    let data = try JSONSerialization.data(withJSONObject: document, options: [.sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }

  /// The number of a day's revisions.
  func revisions(_ date: String, _ arguments: [String] = []) async throws -> Int {
    let history = try await succeeds(
      ["get", date, "--history", "--output", "json"] + arguments
    ).json()
    return (history["revisions"] as? [Any])?.count ?? 0
  }

  /// A program whose publishes are always by the same collector.
  func asOneCollector() -> Program {
    var program = self
    program.environment["S3HEALTH_COLLECTOR_ID"] = "6E2F4B7A-0C59-4C4B-9D1C-2B1C5B7C9A10"
    program.environment["S3HEALTH_DEVICE_ID"] = "A4B5C6D7-1111-4222-8333-444455556666"
    return program
  }

  /// The program without a zone of its own, so that the export's counts.
  func withoutZone() -> Program {
    var program = self
    program.environment["S3HEALTH_TIMEZONE"] = ""
    return program
  }

  /// The program, sent a signal once `count` files lie in a folder, or as many PUTs were logged.
  func killed(_ signal: String = "SIGKILL", at count: Int, of what: String) throws -> Program {
    what == "requests"
      ? try wrapped(by: "signalled.py", "writes", signal, "\(count)")
      : try wrapped(by: "signalled.py", "files", signal, what, "\(count)")
  }
}

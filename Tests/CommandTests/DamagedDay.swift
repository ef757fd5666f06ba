import Foundation
import TestSupport
import Testing

/// A store with two revisions of 2026-02-08, and what can be done to it.
struct DamagedDay {
  let program: Program
  let day: URL
  let ids: [String]

  init() async throws {
    program = try Program()
    var ids: [String] = []
    for steps in [1, 2] {
      let run = try await program.succeeds(
        ["put", "--input", "-", "--output", "json"], input: payload(steps: steps))
      let results = try run.results()
      ids.append(try #require(results.first?["revision_id"] as? String))
    }
    self.ids = ids
    day = program.defaultStore.appending(path: "health/v0/data/2026/02/08")
  }

  var pointer: URL { day.appending(path: "latest.json") }
  func revision(_ id: String) -> URL { day.appending(path: "revisions/\(id).json") }

  func text(_ file: URL) throws -> String {
    String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  func write(_ text: String, to file: URL) throws {
    try? FileManager.default.removeItem(at: file)
    try Data(text.utf8).write(to: file)
  }

  /// Verifies that one day, in both forms, and returns the findings by code.
  func findings(
    exit: Int, at location: SourceLocation = #_sourceLocation
  ) async throws -> [String: [String: String]] {
    let command = ["verify", "2026-02-08"]
    let json = try await program.run(command + ["--output", "json"])
    #expect(json.exitCode == exit, "\(json.output)\(json.errors)", sourceLocation: location)
    let document = try json.json()
    #expect(document["found_something"] as? Bool == (exit == 1), sourceLocation: location)
    let findings = try #require(document["findings"] as? [[String: String]])
    let text = try await program.run(command)
    #expect(text.exitCode == exit, sourceLocation: location)
    for finding in findings {
      #expect(text.output.contains(finding["code"] ?? "?"), sourceLocation: location)
      #expect(text.output.contains(finding["key"] ?? "?"), sourceLocation: location)
      #expect(text.output.contains("do: \(finding["remedy"] ?? "?")"), sourceLocation: location)
      #expect(finding["date"] == "2026-02-08", sourceLocation: location)
    }
    return Dictionary(findings.map { ($0["code"] ?? "", $0) }, uniquingKeysWith: { a, _ in a })
  }

  /// The findings of that one day, in their order.
  func document(exit: Int) async throws -> [[String: String]] {
    let run = try await program.run("verify", "2026-02-08", "--output", "json")
    #expect(run.exitCode == exit, "\(run.output)\(run.errors)")
    return try #require(try run.json()["findings"] as? [[String: String]])
  }

  func steps() async throws -> Int? {
    let get = try await program.succeeds(["get", "2026-02-08", "--output", "json"])
    return (try get.json()["metrics"] as? [String: Any])?["steps"] as? Int
  }

  /// Publishing the newest payload again, which writes no revision, mends the pointer.
  func mendsByPut(steps: Int = 2) async throws {
    let put = try await program.put(payload(steps: steps))
    #expect(put.output.hasPrefix("unchanged"))
    #expect(try await findings(exit: 0).isEmpty)
  }
}

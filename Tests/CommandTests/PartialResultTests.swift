import Foundation
import TestSupport
import Testing

/// R33, R35: what could not be read as a whole is never presented as the whole.
@Suite(.server) struct PartialResultTests {
  static let formats = ["text", "json"]
  static let range = ["verify", "--from", "2026-02-01", "--to", "2026-02-28"]

  /// Publishes the days of February.
  func publish(_ program: Program, _ store: [String]) async throws {
    let days = (1...28).map { day in
      #"{"date": "2026-02-\#(day < 10 ? "0" : "")\#(day)", "metrics": {"steps": \#(day)}}"#
    }
    try await program.succeeds(
      ["put", "--date", "all", "--input", "-"] + store,
      input: Array(#"{"days": [\#(days.joined(separator: ","))]}"#.utf8))
  }

  /// Expects of every format: the exit code, the reason on stderr, and nothing on stdout that
  /// could be taken for a result.
  func expectFailure(
    _ program: Program, _ arguments: [String], _ code: FailureCode,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    for format in Self.formats {
      let run = try await program.run(Self.range + arguments + ["--output", format])
      #expect(run.exitCode == code.exitCode, "\(format): \(run.errors)", sourceLocation: location)
      #expect(run.errors.hasPrefix("s3health: "), sourceLocation: location)
      for word in ["ok_days", "complete", "2026-02-01"] {
        #expect(!run.output.contains(word), "\(format): \(run.output)", sourceLocation: location)
      }
      guard format == "json" else {
        #expect(run.output.isEmpty, sourceLocation: location)
        continue
      }
      let error = try #require(try run.json()["error"] as? [String: Any])
      #expect(error["code"] as? String == code.rawValue, sourceLocation: location)
    }
  }

  @Test func `a folder whose second half can't be read gives no verdict`() async throws {
    let owner = try Program()
    defer { owner.removeHome() }
    let folder = try owner.folder("store")
    let store = ["--store", folder.path]
    try await publish(owner, store)
    let days = (15...28).map { folder.appending(path: "health/v0/data/2026/02/\($0)/revisions") }
    for day in days {
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: day.path)
    }
    let program = owner.withoutPrivileges()
    try await expectFailure(program, store, .notAuthorized)
    for day in days {
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: day.path)
    }
    try await program.succeeds(Self.range + store)
  }

  @Test func `revisions that can't be read give no verdict`() async throws {
    let owner = try Program()
    defer { owner.removeHome() }
    let folder = try owner.folder("store")
    try await publish(owner, ["--store", folder.path])
    let day = folder.appending(path: "health/v0/data/2026/02/20/revisions")
    for name in try FileManager.default.contentsOfDirectory(atPath: day.path) {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0], ofItemAtPath: day.appending(path: name).path)
    }
    try await expectFailure(
      owner.withoutPrivileges(), ["--store", folder.path], .notAuthorized)
  }
}

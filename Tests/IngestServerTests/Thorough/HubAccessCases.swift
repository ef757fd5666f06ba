import Foundation
import TestSupport
import Testing

/// What else is said of tokens (R54).
extension HubAccessTests {
  @Test func `R54: a server without tokens says so at its start`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let store = program.home.appending(path: "store")
    try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
    let hub = try await HubProgram(program, store: store.path)
    let path = program.home.path + "/.config/s3health/tokens.json"
    let note = "note: \(path) has no token, so nobody can post"
    for _ in 0..<1200 where !hub.log.contains(note) {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(hub.log.contains(note), "\(hub.log)")
    try await hub.end(by: SIGTERM)

    let trial = try await HubTrial()
    _ = try await trial.ask("/api/ingest", token: trial.token)
    #expect(!trial.hub.log.contains("has no token"))
    try await trial.clear()
  }

  @Test func `R54: a new token is taken at once, although the file was read just now`()
    async throws
  {
    let trial = try await HubTrial()
    for number in 0..<3 {
      #expect(try await trial.ask("/api/ingest", token: trial.token).status == 204)
      let new = try await HubProgram.token("new-\(number)", trial.program)
      try await Task.sleep(for: .milliseconds(60))
      #expect(try await trial.ask("/api/ingest", token: new).status == 204)
    }
    try await trial.clear()
  }
}

import Foundation
import HealthModel
import TestSupport
import Testing

/// Our own endpoints as openapi.json says, tried by schemathesis (R54, R55).
@Suite(.process, .database) struct OpenAPITests {
  static let document = ProjectTree.root.appending(
    path: "Sources/Hub/IngestServer/Description/openapi.json")

  @Test func `R54: the server answers its own description, without a token`() async throws {
    let trial = try await HubTrial()
    let answer = try await trial.ask("/openapi.json")
    #expect(answer.status == 200)
    #expect(answer.body == (try String(contentsOf: Self.document, encoding: .utf8)))
    #expect(answer.headers["content-type"] == "application/json")
    #expect(answer.headers["cache-control"] == "public, max-age=3600")
    let head = try await trial.ask("/openapi.json", arguments: ["--head"])
    #expect((head.status, head.body) == (200, ""))
    #expect(head.headers["content-length"] == "\(answer.body.utf8.count)")
    let posted = try await trial.ask("/openapi.json", body: "{}")
    #expect((posted.status, posted.headers["allow"]) == (405, "GET, HEAD"))
    try await trial.clear()
  }
}

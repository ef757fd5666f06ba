import Foundation
import HealthModel
import TestSupport
import Testing

/// The description against whatever is sent (R54).
extension OpenAPITests {
  @Test(.peers)
  func `R54: the server answers as its OpenAPI document says, whatever is sent`() async throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "openapi-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let database = try await PostgresServer.shared().database()
    let output = try await PeerPython.run(
      "openapi_fuzz.py",
      arguments: [
        BuiltProgram.path("s3healthd"), Self.document.path, root.path, "3", "1", database.url,
      ], in: .all)
    let report = try JSONValue(parsing: output)
    #expect(report["problems"] == .array([]))
    #expect(report["tested"] == report["operations"])
    #expect((report["cases"]?.numberValue ?? 0) > 100)
  }
}

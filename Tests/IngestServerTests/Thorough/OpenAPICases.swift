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
    let report = try await PeerPython.report(
      "openapi_fuzz.py",
      [
        BuiltProgram.path("s3healthd"), Self.document.path,
        root.path, "3", "1", database.url,
      ], in: .all)
    #expect(report["problems"] == .array([]))
    #expect(report["tested"] == report["operations"])
    #expect((report["cases"]?.numberValue ?? 0) > 100)
  }
}

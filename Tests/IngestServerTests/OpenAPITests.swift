import Foundation
import HealthModel
import TestSupport
import Testing

/// Our own endpoints as docs/openapi.json says, tried by schemathesis (R54, R55).
@Suite struct OpenAPITests {
  @Test func `R54: the server answers as its OpenAPI document says, whatever is sent`() async throws
  {
    let root = FileManager.default.temporaryDirectory.appending(path: "openapi-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let document = ProjectTree.root.appending(path: "docs/openapi.json").path
    let output = try await PeerPython.run(
      "openapi_fuzz.py",
      arguments: [BuiltProgram.path("s3healthd"), document, root.path, "3", "1"])
    let report = try JSONValue(parsing: output)
    #expect(report["problems"] == .array([]))
    #expect(report["tested"] == report["operations"])
    #expect((report["cases"]?.numberValue ?? 0) > 100)
  }
}

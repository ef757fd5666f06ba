import Foundation
import TestSupport
import Testing

/// `init --server`.
@Suite(.process) struct InitServerTests {
  private func program(_ token: String? = nil) throws -> Program {
    var program = try Program()
    if let token { program.environment["S3HEALTH_DEVICE_TOKEN"] = token }
    return program
  }

  private func file(_ program: Program) -> URL {
    program.home.appending(path: ".local/share/s3health/server.json")
  }

  @Test func `R46: a token on stdin is verified and kept in a private file`() async throws {
    let (server, program) = (try IngestServer(), try program())
    let run = try await program.run(
      ["init", "--server", server.url()], input: "\(IngestServer.token)\n", ends: 0,
      printing: "verified \(server.url())")
    #expect(!(run.output + run.errors).contains(IngestServer.token))
    let attributes = try FileManager.default.attributesOfItem(atPath: file(program).path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let text = try String(contentsOf: file(program), encoding: .utf8)
    #expect(text.contains(server.url()) && text.contains(IngestServer.token))
  }

  @Test func `R46: the variable asks nothing, and a new server replaces the old`() async throws {
    let (server, program) = (try IngestServer(), try program(IngestServer.token))
    for mode in ["ok", "plain"] {
      let run = try await program.run(
        ["init", "--server", server.url(mode), "-o", "json"], ends: 0)
      #expect(try run.json()["endpoint"] as? String == server.url(mode))
      #expect(try String(contentsOf: file(program), encoding: .utf8).contains(server.url(mode)))
    }
    #expect(try await server.log().tokens == [IngestServer.token, IngestServer.token])
  }

  static let servers = [
    ("404", 69, "check the address"), ("html", 69, "401"), ("open", 69, "without a token"),
    ("late_html", 69, "204"), ("302", 69, "redirects"), ("garbage", 69, "401"),
    ("not_http", 69, "check the address"), ("500", 69, "500"), ("huge", 69, "check"),
  ]

  @Test(arguments: TestDepth.one(of: 3, servers))
  func `R46: a server that answers otherwise is not verified and leaves nothing`(
    mode: String, code: Int, words: String
  ) async throws {
    let (server, program) = (try IngestServer(), try program(IngestServer.token))
    let run = try await program.run(["init", "--server", server.url(mode)])
    #expect(run.exitCode == code, "\(run.errors)")
    #expect(run.errors.contains(words))
    #expect(!FileManager.default.fileExists(atPath: file(program).path))
    // Only a server that asks for a token gets it.
    #expect(try await server.log().tokens.isEmpty || mode == "late_html")
  }

  @Test func `R46: a wrong token is not authorised and leaves nothing`() async throws {
    let (server, program) = (try IngestServer(), try program("wr0ng"))
    let run = try await program.run(
      ["init", "--server", server.url()], ends: 77, saying: "device token")
    #expect(!run.errors.contains("wr0ng"))
    #expect(!FileManager.default.fileExists(atPath: file(program).path))
  }

  @Test func `R46: plain http elsewhere, a missing line, a bad token are refused`() async throws {
    let (server, program) = (try IngestServer(), try program())
    try await program.run(
      ["init", "--server", "http://health.example/api/ingest"], input: "t\n", ends: 64,
      saying: "--allow-plaintext")
    try await program.run(
      ["init", "--server", server.url()], ends: 64, saying: "device token is missing",
      "give it on a line of stdin, or in S3HEALTH_DEVICE_TOKEN")
    let bad = try await program.run(["init", "--server", server.url()], input: "two words\n")
    #expect(bad.exitCode == 64 && !bad.errors.contains("two words"), "\(bad.errors)")
    #expect(try await server.log().gets == 0)
  }
}

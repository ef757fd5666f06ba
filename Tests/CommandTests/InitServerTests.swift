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

  @Test func `R46: a token on stdin is verified and kept in a file of the owner alone`()
    async throws
  {
    let (server, program) = (try IngestServer(), try program())
    defer { program.removeHome() }
    let run = try await program.run(
      ["init", "--server", server.url()], input: Array("\(IngestServer.token)\n".utf8))
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.output.contains("verified \(server.url())"))
    #expect(!(run.output + run.errors).contains(IngestServer.token))
    let attributes = try FileManager.default.attributesOfItem(atPath: file(program).path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let text = try String(contentsOf: file(program), encoding: .utf8)
    #expect(text.contains(server.url()) && text.contains(IngestServer.token))
  }

  @Test
  func `R46: with the variable nothing is asked, and a new server replaces the old`()
    async throws
  {
    let (server, program) = (try IngestServer(), try program(IngestServer.token))
    defer { program.removeHome() }
    for mode in ["ok", "plain"] {
      let run = try await program.run(["init", "--server", server.url(mode), "-o", "json"])
      #expect(run.exitCode == 0, "\(run.errors)")
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
    defer { program.removeHome() }
    let run = try await program.run(["init", "--server", server.url(mode)])
    #expect(run.exitCode == code, "\(run.errors)")
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: file(program).path))
    // Only a server that asks for a token gets it.
    #expect(try await server.log().tokens.isEmpty || mode == "late_html")
  }

  @Test func `R46: a wrong token is not authorised and leaves nothing`() async throws {
    let (server, program) = (try IngestServer(), try program("wr0ng"))
    defer { program.removeHome() }
    let run = try await program.run(["init", "--server", server.url()])
    #expect(run.exitCode == 77 && run.errors.contains("device token"), "\(run.errors)")
    #expect(!run.errors.contains("wr0ng"))
    #expect(!FileManager.default.fileExists(atPath: file(program).path))
  }

  @Test func `R46: plain http to another machine, a missing line and a bad token are refused`()
    async throws
  {
    let (server, program) = (try IngestServer(), try program())
    defer { program.removeHome() }
    let plain = try await program.run(
      ["init", "--server", "http://health.example/api/ingest"], input: Array("t\n".utf8))
    #expect(plain.exitCode == 64 && plain.errors.contains("--allow-plaintext"), "\(plain.errors)")
    let tokenless = try await program.run(["init", "--server", server.url()])
    #expect(tokenless.exitCode == 64 && tokenless.errors.contains("device token is missing"))
    #expect(
      tokenless.errors.contains("give it on a line of stdin, or in S3HEALTH_DEVICE_TOKEN"),
      "\(tokenless.errors)")
    let bad = try await program.run(
      ["init", "--server", server.url()], input: Array("two words\n".utf8))
    #expect(bad.exitCode == 64 && !bad.errors.contains("two words"), "\(bad.errors)")
    #expect(try await server.log().gets == 0)
  }
}

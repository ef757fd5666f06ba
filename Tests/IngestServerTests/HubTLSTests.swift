import Foundation
import TestSupport
import Testing

@Suite struct HubTLSTests {
  @Test func `R54: over TLS a client that trusts the authority is served, and plain http is not`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let (certificate, key) = try await HubProgram.certificate(in: program)
    let token = try await HubProgram.token("phone", program)
    let hub = try await HubProgram(
      program, store: program.home.path, arguments: ["--tls-cert", certificate, "--tls-key", key])
    let url = "https://127.0.0.1:\(hub.port)/api/ingest"
    #expect(try await CurlAnswer(url, token: token, ["--cacert", certificate]).status == 204)
    #expect(try await CurlAnswer(url, token: token).status == 0, "an unknown authority")
    #expect(try await CurlAnswer(hub.url + "/healthz").status == 0, "plain http")
    #expect(
      try await CurlAnswer(url, token: token, ["--cacert", certificate, "--tls-max", "1.1"]).status
        == 0)
    #expect(try await hub.end(by: SIGTERM) == 0)
  }
}

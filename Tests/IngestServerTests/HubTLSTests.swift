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

  @Test func `R54: a server that can't start says which of its files or addresses is at fault`()
    async throws
  {
    let (program, other) = (try Program(), try Program())
    defer { [program, other].forEach { $0.removeHome() } }
    let (certificate, _) = try await HubProgram.certificate(in: program)
    let (_, key) = try await HubProgram.certificate(in: other)
    func failure(_ arguments: [String]) async throws -> String {
      let error = await #expect(throws: HubProgram.Failure.self) {
        try await HubProgram.run(program, ["serve", "--store", program.home.path] + arguments)
      }
      return error?.description ?? ""
    }
    let strange = try await failure(
      ["--listen", "127.0.0.1:0", "--tls-cert", certificate, "--tls-key", key])
    #expect(
      strange.contains("the key \(key) does not belong to the certificate \(certificate)"),
      "\(strange)")
    let first = try await HubProgram(program, store: program.home.path)
    let taken = try await failure(["--listen", "127.0.0.1:\(first.port)"])
    #expect(
      taken.contains("can't listen on 127.0.0.1:\(first.port): Address already in use\n"),
      "\(taken)")
    let metrics = try await failure(
      ["--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:\(first.port)"])
    #expect(metrics.contains("127.0.0.1:0 or 127.0.0.1:\(first.port): Address"), "\(metrics)")
    #expect(try await first.end(by: SIGTERM) == 0)
  }
}

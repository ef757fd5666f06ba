import Foundation
import TestSupport
import Testing

@Suite(.process) struct HubTLSTests {
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

  @Test func `R54: a certificate is read again on SIGHUP, and one that is not right is not taken`()
    async throws
  {
    let (program, other) = (try Program(), try Program())
    defer { [program, other].forEach { $0.removeHome() } }
    let (certificate, key) = try await HubProgram.certificate(in: program)
    let (newCertificate, newKey) = try await HubProgram.certificate(in: other)
    let token = try await HubProgram.token("phone", program)
    let hub = try await HubProgram(
      program, store: program.home.path, arguments: ["--tls-cert", certificate, "--tls-key", key])
    let url = "https://127.0.0.1:\(hub.port)/api/ingest"
    func status(_ authority: String) async throws -> Int {
      try await CurlAnswer(url, token: token, ["--cacert", authority]).status
    }
    let first = try await CurlAnswer(url, token: token, ["--cacert", certificate])
    #expect(first.status == 204)
    #expect(first.headers["strict-transport-security"]?.hasPrefix("max-age=") == true)
    let old = try String(contentsOfFile: certificate, encoding: .utf8)
    try String(contentsOfFile: newCertificate, encoding: .utf8)
      .write(toFile: certificate, atomically: false, encoding: .utf8)
    kill(hub.processID, SIGHUP)
    #expect(try await until { hub.log.contains("the certificate stays as it was") })
    try old.write(toFile: key + ".old", atomically: false, encoding: .utf8)
    #expect(try await status(key + ".old") == 204)
    try String(contentsOfFile: newKey, encoding: .utf8)
      .write(toFile: key, atomically: false, encoding: .utf8)
    kill(hub.processID, SIGHUP)
    #expect(try await until { hub.log.contains("the certificate was read again") })
    #expect(try await status(newCertificate) == 204)
    #expect(try await status(key + ".old") == 0)
    #expect(try await hub.end(by: SIGTERM) == 0)
    chmod(key, 0o644)
    let error = await #expect(throws: HubProgram.Failure.self) {
      try await HubProgram.run(
        program,
        ["serve", "--store", program.home.path, "--tls-cert", certificate, "--tls-key", key])
    }
    #expect(error?.description.contains("mode 0600 is needed") == true)
  }
}

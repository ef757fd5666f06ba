import Foundation
import TestSupport
import Testing

/// docs/CERTIFICATES.md, run as written but for ports and the token.
@Suite(.process) struct CertificateTests {
  /// The blocks of the page with a language.
  private func blocks(_ language: String) throws -> [String] {
    let page = try String(
      contentsOf: ProjectTree.root.appending(path: "docs/CERTIFICATES.md"), encoding: .utf8)
    return page.matches(of: #/(?ms)^```([a-z]*)\n(.*?)^```$/#).filter { $0.1 == language }
      .map { String($0.2) }
  }

  private func shell(_ script: String, _ program: Program) async throws -> Program.Run {
    var program = program
    (program.workingDirectory, program.wrapper) = (
      program.home.path, ["/usr/bin/env", "bash", "-e", "-c", script]
    )
    return try await program.run([])
  }

  /// The page's curl, to a port of this machine.
  private func post(
    _ token: String, port: Int, _ program: Program, _ more: (String) -> String = { $0 }
  ) async throws -> Program.Run {
    let line = try #require(try blocks("sh").first { $0.contains("curl ") })
    let here = line.replacing("curl ", with: "curl -sS --resolve health.home:\(port):127.0.0.1 ")
      .replacing("health.home:8443", with: "health.home:\(port)").replacing("TOKEN", with: token)
    return try await shell(more(here), program)
  }

  private func hub(_ program: Program, _ arguments: [String] = []) async throws -> HubProgram {
    let store = try program.folder("store").path
    return try await HubProgram(program, store: store, arguments: arguments)
  }

  private func token(_ program: Program) async throws -> String {
    try await HubProgram.token("phone", program, arguments: ["--app", "health-auto-export"])
  }

  @Test func `a payload is taken over TLS with the page's own authority`() async throws {
    let program = try Program()
    let making = try #require(try blocks("sh").first { $0.contains("openssl ") })
    let made = try await shell(making, program)
    #expect(made.exitCode == 0, "\(made.errors)")
    let token = try await token(program)
    let tls = program.home.appending(path: "tls").path
    let hub = try await hub(
      program, ["--tls-cert", tls + "/cert.pem", "--tls-key", tls + "/key.pem"])
    let sent = try await post(token, port: hub.port, program)
    #expect(sent.exitCode == 0 && sent.output.contains(#""status":"stored""#), "\(sent)")
    // Who does not know the authority is told what the page says.
    let stranger = try await post(
      token, port: hub.port, program
    ) { $0.replacing("--cacert tls/authority.pem ", with: "") }
    #expect(stranger.errors.contains("curl: (60)"), "\(stranger)")
    // The authority can speak for nothing else.
    let other = making.replacing("DNS:health.home, IP:192.168.7.2", with: "DNS:bank.example")
      .replacing("-CA tls", with: "-CA kept").replacing("-CAkey tls", with: "-CAkey kept")
    let forged = try await shell(
      "cp -r tls kept\n\(other)\nopenssl verify -CAfile kept/authority.pem tls/cert.pem", program)
    #expect(
      forged.exitCode != 0 && forged.errors.contains("permitted subtree violation"), "\(forged)")
    try await hub.end(by: SIGTERM)
  }

  @Test func `the page's Caddyfile brings a payload to the server over https`() async throws {
    let caddy = "/usr/bin/caddy"
    try #require(FileManager.default.isExecutableFile(atPath: caddy), "apt install caddy")
    let program = try Program()
    let token = try await token(program)
    let hub = try await hub(program)
    let file = try #require(try blocks("caddyfile").first { $0.contains("tls internal") })
    let port = hub.port == 18_443 ? 18_444 : 18_443
    _ = try program.file(
      "Caddyfile",
      Array(
        file.replacing("8443", with: "\(port)").replacing(
          "127.0.0.1:8080", with: "127.0.0.1:\(hub.port)"
        )
        .utf8))
    let proxy = Process()
    proxy.executableURL = URL(filePath: caddy)
    proxy.arguments = ["run"]
    proxy.currentDirectoryURL = program.home
    proxy.environment = ["HOME": program.home.path, "PATH": "/usr/bin:/bin"]
    proxy.standardError = FileHandle.nullDevice
    try proxy.run()
    defer { proxy.terminate() }
    let root = ".local/share/caddy/pki/authorities/local/root.crt"
    var sent: Program.Run?
    for _ in 0..<100 where sent?.output.contains("stored") != true {
      try await Task.sleep(for: .milliseconds(100))
      sent = try await post(
        token, port: port, program
      ) { $0.replacing("tls/authority.pem", with: root) }
    }
    #expect(sent?.output.contains(#""status":"stored""#) == true, "\(String(describing: sent))")
    try await hub.end(by: SIGTERM)
  }
}

import Foundation
import TestSupport
import Testing

/// Certificates that change while a server starts (R54).
extension HubTLSTests {
  @Test func `R54: SIGHUP while the server starts does not end it, and is not lost`() async throws {
    let (program, other) = (try Program(), try Program())
    defer { [program, other].forEach { $0.removeHome() } }
    let (certificate, key) = try await HubProgram.certificate(in: program)
    let (newCertificate, newKey) = try await HubProgram.certificate(in: other)
    let token = try await HubProgram.token("phone", program)
    // The key is read through a pipe: the server waits there until something is written to it.
    let old = try Data(contentsOf: URL(filePath: key))
    try FileManager.default.removeItem(atPath: key)
    #expect(mkfifo(key, 0o600) == 0)
    let hub = try await HubProgram(
      program, store: program.home.path, arguments: ["--tls-cert", certificate, "--tls-key", key]
    ) { process in
      let pipe = try #require(FileHandle(forWritingAtPath: key))
      for (path, new) in [(key, newKey), (certificate, newCertificate)] {
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: new, toPath: path)
      }
      kill(process, SIGHUP)
      try pipe.write(contentsOf: old)
      try pipe.close()
    }
    let url = "https://127.0.0.1:\(hub.port)/api/ingest"
    #expect(
      try await until {
        try await CurlAnswer(url, token: token, ["--cacert", newCertificate]).status == 204
      })
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

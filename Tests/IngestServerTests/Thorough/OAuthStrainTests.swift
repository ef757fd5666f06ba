import Foundation
import HealthModel
import TestSupport
import Testing

@testable import IngestServer

/// OAuth and `/mcp` under hostile requests, many programs, and kills, by the real program.
@Suite(.process) struct OAuthStrainTests {
  static let requests: [(String, Int)] = [
    ("POST /token HTTP/1.1\r\nHost: H\r\nContent-Length: 0\r\n\r\n", 401),
    ("GET /token HTTP/1.1\r\nHost: H\r\n\r\n", 405),
    ("POST /token/ HTTP/1.1\r\nHost: H\r\nContent-Length: 0\r\n\r\n", 404),
    ("POST /%74oken HTTP/1.1\r\nHost: H\r\nContent-Length: 0\r\n\r\n", 404),
    ("POST /token HTTP/1.1\r\nHost: H\r\nContent-Length: 8193\r\n\r\n", 413),
    ("POST /token HTTP/1.1\r\nHost: H\r\nContent-Length: 99999999999\r\n\r\n", 413),
    ("POST /token HTTP/1.1\r\nHost: H\r\nHost: I\r\nContent-Length: 0\r\n\r\n", 400),
    ("POST /token HTTP/1.1\r\nContent-Length: 0\r\n\r\n", 400),
    (
      "POST /token HTTP/1.1\r\nHost: H\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400
    ),
    ("POST /token HTTP/1.1\r\nHost: H\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx", 415),
    ("POST /token HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n", 403),
    ("POST /token HTTP/1.1\r\nHost: H@evil.example\r\nContent-Length: 0\r\n\r\n", 403),
    ("POST /register HTTP/1.1\r\nHost: H\r\nContent-Length: 8193\r\n\r\n", 413),
    ("POST /register HTTP/1.1\r\nHost: H\r\nContent-Length: 2\r\n\r\n{}", 400),
    ("DELETE /register HTTP/1.1\r\nHost: H\r\n\r\n", 405),
    ("PUT /revoke HTTP/1.1\r\nHost: H\r\n\r\n", 405),
    ("POST /revoke HTTP/1.1\r\nHost: H\r\nContent-Length: 0\r\n\r\n", 400),
    ("POST /revoke HTTP/1.1\r\nHost: H\r\nContent-Length: 7\r\n\r\ntoken=x", 200),
    ("GET /authorize HTTP/1.1\r\nHost: H\r\n\r\n", 400),
    ("HEAD /authorize?a=b HTTP/1.1\r\nHost: H\r\nConnection: close\r\n\r\n", 400),
    ("GET /authorize?%00&=&&&&a=%ff HTTP/1.1\r\nHost: H\r\n\r\n", 400),
    ("GET /authorize/sign-in HTTP/1.1\r\nHost: H\r\n\r\n", 405),
    ("POST /authorize HTTP/1.1\r\nHost: H\r\nContent-Length: 0\r\n\r\n", 400),
    ("GET /.well-known/oauth-protected-resource/other HTTP/1.1\r\nHost: H\r\n\r\n", 404),
    ("GET /.well-known/../token HTTP/1.1\r\nHost: H\r\n\r\n", 404),
    ("POST /mcp HTTP/1.1\r\nHost: H\r\nContent-Length: 99999999999\r\n\r\n", 401),
    (
      "POST /mcp HTTP/1.1\r\nHost: H\r\nAuthorization: Bearer T\r\nContent-Length: 1048577\r\n\r\n",
      413
    ),
    (
      "POST /mcp HTTP/1.1\r\nHost: H\r\nAuthorization: Bearer T\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
      400
    ),
    (
      "POST /mcp HTTP/1.1\r\nHost: H\r\nAuthorization: Bearer T\r\nAuthorization: Bearer x\r\nContent-Length: 0\r\n\r\n",
      401
    ),
    ("POST /mcp HTTP/1.1\r\nHost: H\r\nAuthorization: Digest T\r\nContent-Length: 0\r\n\r\n", 401),
    (
      "POST /mcp HTTP/1.1\r\nHost: H\r\nAuthorization: Bearer T\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx",
      400
    ),
    ("PUT /mcp HTTP/1.1\r\nHost: H\r\nAuthorization: Bearer T\r\n\r\n", 405),
    ("POST //mcp HTTP/1.1\r\nHost: H\r\nAuthorization: Bearer T\r\nContent-Length: 0\r\n\r\n", 404),
  ]

  @Test func `R63: each request that no honest client sends gets its status, and others go on`()
    async throws
  {
    let trial = try await OAuthTrial()
    let tokens = try await trial.tokens()
    let host = "127.0.0.1:\(trial.trial.hub.port)"
    for (request, status) in Self.requests {
      let answer = try await trial.trial.raw(
        request.replacing("Host: H", with: "Host: \(host)")
          .replacing("Bearer T", with: "Bearer \(tokens.access)"))
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request): \(answer.prefix(300))")
      #expect(!answer.lowercased().contains("\r\nlocation:"), "\(request)")
    }
    #expect(try await trial.ping(tokens.access).status == 200)
    #expect(!trial.trial.hub.log.contains("evil"))
    try await trial.clear()
  }

  @Test
  func `R63: many programs register and ask at once, in bounded memory`()
    async throws
  {
    let count = 500
    let trial = try await OAuthTrial(arguments: ["--rate-limit", "0"])
    let tokens = try await trial.tokens()
    let before = trial.trial.hub.megabytes
    let output = try await PeerPython.run(
      "mcp_crowd.py", arguments: [trial.url, tokens.access, "\(count)"])
    let report = try JSONValue(parsing: output)
    #expect(report["problems"] == .array([]))
    #expect(
      report["clients"]?.numberValue == Double(count)
        && report["answers"]?.numberValue == Double(3 * count))
    if let before, let after = trial.trial.hub.megabytes {
      #expect(after - before < 120, "\(before) MB before, \(after) MB after")
    }
    #expect(
      try trial.trial.program.home.appending(path: ".config/s3health/tokens.json")
        .resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 < 4096, "registrations are not kept")
    try await trial.clear()
  }

  @Test func `R63: who was let in goes on while the server is killed and started again`()
    async throws
  {
    let trial = try await OAuthTrial()
    let (program, store) = (trial.trial.program, trial.trial.store)
    let (port, tokens) = (trial.trial.hub.port, try await trial.tokens())
    let file = program.home.appending(path: "enough")
    let url = trial.resource
    async let output = PeerPython.run(
      "mcp_survivor.py", arguments: [url, tokens.access, "4", file.path], in: .peers)
    var hub = trial.trial.hub
    #expect(try await until { FileManager.default.fileExists(atPath: file.path + ".begun") })
    // What one has given out, the next one knows; the token before it holds on.
    let fresh = try await trial.refresh(tokens.refresh).json["access_token"] as? String
    let access = try #require(fresh)
    for _ in 0..<3 {
      try await Task.sleep(for: .seconds(1))
      try await hub.end(by: SIGKILL)
      hub = try await HubProgram(
        program, store: store.path, arguments: ["--listen", "127.0.0.1:\(port)"])
      #expect(try await trial.ping(access).status == 200)
    }
    try Data().write(to: file)
    let report = try JSONValue(parsing: try await output)
    #expect(report["wrong"] == 0 && report["last"] == 4, "\(report)")
    try await hub.end(by: SIGKILL)
    program.removeHome()
  }
}

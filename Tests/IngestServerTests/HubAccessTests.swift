import Foundation
import HealthModel
import TestSupport
import Testing

/// Tokens and scopes of the real program.
@Suite(.process) struct HubAccessTests {
  @Test func `R54: a token is taken in three forms, and nothing else lets in`() async throws {
    let trial = try await HubTrial()
    let token = trial.token
    let wrong = String(token.dropLast()) + (token.hasSuffix("0") ? "1" : "0")
    let cases: [([String], Int)] = [
      ([], 401), (["-H", "X-Device-Token: \(token)"], 204),
      (["-H", "Authorization: Bearer \(token)"], 204), (["-u", "anyone:\(token)"], 204),
      (["-H", "authorization: BEARER \(token)"], 204),
      (["-H", "Authorization: Basic \(token)"], 204),
      (["-H", "X-Device-Token: \(wrong)"], 401), (["-H", "X-Device-Token: \(token)x"], 401),
      (["-H", "X-Device-Token;"], 401), (["-u", "\(token):"], 401),
      (["-H", "Authorization: Bearer"], 401), (["-H", "Authorization: \(token)"], 401),
      (["-H", "Cookie: token=\(token)"], 401),
      (["-H", "X-Device-Token: \(token)", "-H", "X-Device-Token: \(wrong)"], 401),
      (["-H", "X-Device-Token: \(token)", "-H", "Authorization: Bearer \(wrong)"], 401),
      (["-H", "X-Device-Token: \(token)", "-H", "Authorization: Bearer \(token)"], 204),
    ]
    for (arguments, status) in cases {
      let answer = try await trial.ask("/api/ingest", arguments: arguments)
      #expect(answer.status == status, "\(arguments)")
      if status == 401 { #expect(answer.headers["www-authenticate"]?.contains("Bearer") == true) }
    }
    #expect(try await trial.ask("/api/ingest?token=\(token)").status == 401)
    let (log, part) = (trial.hub.log, token.dropFirst(4).prefix(16))
    #expect(!log.contains(part), "no token is logged")
    let file = trial.program.home.appending(path: ".config/s3health/tokens.json")
    #expect(!(try String(contentsOf: file, encoding: .utf8).contains(part)), "none is kept")
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func `R54, R59: a new token is taken and signs in at once`() async throws {
    let trial = try await HubTrial()
    for number in 1...3 {
      // The server has just looked at the file.
      #expect(try await trial.ask("/api/ingest", token: trial.token).status == 204)
      let token = try await HubProgram.token(
        "both-\(number)", trial.program,
        arguments: ["--endpoint", "dashboard", "--endpoint", "ingest"])
      if number == 1 {
        #expect(try await trial.ask("/api/ingest", token: token).status == 204)
      }
      let answer = try await trial.ask(
        "/sign-in", body: "token=\(token)", arguments: OAuthTrial.form)
      #expect(answer.status == 303, "\(answer.body)")
    }
  }

  @Test func `R54: a revoked token is refused at once, and a new one is taken`() async throws {
    let trial = try await HubTrial()
    #expect(try await trial.ask("/api/ingest", token: trial.token).status == 204)
    let other = try await HubProgram.token("other", trial.program)
    try await HubProgram.run(trial.program, ["token", "revoke", "phone"])
    var statuses = (0, 0)
    for _ in 0..<100 where statuses != (401, 204) {
      try await Task.sleep(for: .milliseconds(100))
      statuses = (
        try await trial.ask("/api/ingest", token: trial.token).status,
        try await trial.ask("/api/ingest", token: other).status
      )
    }
    #expect(statuses == (401, 204))
  }

  @Test func `R54: a token of another endpoint or another device stores nothing`() async throws {
    let trial = try await HubTrial()
    let overland = try await HubProgram.token(
      "bike", trial.program, arguments: ["--app", "overland"])
    let other = try await HubProgram.token("other", trial.program)
    let answer = try await trial.ask("/api/ingest", token: overland, body: HubTrial.body([1]))
    #expect((answer.status, answer.code) == (403, "out_of_scope"))
    let told = try await trial.ask("/health-auto-export", token: overland, body: "{}").body
    #expect(told.contains("s3healthd token add NAME --app health-auto-export"))
    let stolen = try await trial.ask("/api/ingest", token: other, body: HubTrial.body([1]))
    #expect((stolen.status, stolen.code) == (403, "wrong_device"))
    #expect(stolen.faults == ["wrong_device at /device_id"])
    #expect(stolen.body.contains("s3healthd token add NAME --device DEVICE_ID"), "\(stolen.body)")
    #expect(try trial.batches() == [])
  }

  @Test func `R54: no server starts with a file of tokens that others read or own`() async throws {
    let trial = try await HubTrial()
    try await trial.hub.end(by: SIGKILL)
    let file = trial.program.home.appending(path: ".config/s3health/tokens.json").path
    for (mode, owner, words) in [
      (0o640, geteuid(), "accessible to other users"), (0o600, 1, "belongs to another user"),
    ] {
      try setMode(file, mode)
      // Only root can give a file away.
      guard owner == geteuid() || chown(file, owner, owner) == 0 else { continue }
      let failure = await #expect(throws: HubProgram.Failure.self) {
        try await trial.restarted()
      }
      #expect(failure?.description.contains(words) == true)
    }
  }

  @Test func `R54: plain http is not served beyond loopback`() async throws {
    let program = try Program()
    await #expect(throws: HubProgram.Failure.self) {
      try await HubProgram.run(
        program, ["serve", "--store", program.home.path, "--listen", "0.0.0.0:0"])
    }
  }
}

/// A server that speaks https with a certificate of its own, and a token for it.
struct TLSTrial {
  let program: Program
  let certificate, key, token: String
  let hub: HubProgram

  init() async throws {
    program = try Program()
    (certificate, key) = try await HubProgram.certificate(in: program)
    token = try await HubProgram.token("phone", program)
    hub = try await HubProgram(
      program, store: program.home.path, arguments: ["--tls-cert", certificate, "--tls-key", key])
  }

  var url: String { "https://127.0.0.1:\(hub.port)" }
}

@Suite(.process) struct HubTLSTests {
  @Test func `R54: over TLS a client of the authority is served, plain http not`() async throws {
    let tls = try await TLSTrial()
    let (certificate, token, hub) = (tls.certificate, tls.token, tls.hub)
    let url = tls.url + "/api/ingest"
    #expect(try await CurlAnswer(url, token: token, ["--cacert", certificate]).status == 204)
    #expect(try await CurlAnswer(url, token: token).status == 0, "an unknown authority")
    #expect(try await CurlAnswer(hub.url + "/healthz").status == 0, "plain http")
    #expect(
      try await CurlAnswer(url, token: token, ["--cacert", certificate, "--tls-max", "1.1"]).status
        == 0)
    #expect(try await hub.end(by: SIGTERM) == 0)
  }

  @Test func `R54: a certificate is read again on SIGHUP, a wrong one not taken`() async throws {
    let (tls, other) = (try await TLSTrial(), try Program())
    let (program, certificate, key, hub) = (tls.program, tls.certificate, tls.key, tls.hub)
    let (newCertificate, newKey) = try await HubProgram.certificate(in: other)
    let url = tls.url + "/api/ingest"
    func status(_ authority: String) async throws -> Int {
      try await CurlAnswer(url, token: tls.token, ["--cacert", authority]).status
    }
    let first = try await CurlAnswer(url, token: tls.token, ["--cacert", certificate])
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

/// Our own endpoints as openapi.json says, tried by schemathesis (R54, R55).
@Suite(.process, .database) struct OpenAPITests {
  static let document = ProjectTree.root.appending(
    path: "Sources/Hub/IngestServer/Description/openapi.json")

  @Test func `R54: the server answers its own description, without a token`() async throws {
    let trial = try await HubTrial()
    let answer = try await trial.ask("/openapi.json")
    #expect(answer.status == 200)
    #expect(answer.body == (try String(contentsOf: Self.document, encoding: .utf8)))
    #expect(answer.headers["content-type"] == "application/json")
    #expect(answer.headers["cache-control"] == "public, max-age=3600")
    let head = try await trial.ask("/openapi.json", arguments: ["--head"])
    #expect((head.status, head.body) == (200, ""))
    #expect(head.headers["content-length"] == "\(answer.body.utf8.count)")
    let posted = try await trial.ask("/openapi.json", body: "{}")
    #expect((posted.status, posted.headers["allow"]) == (405, "GET, HEAD"))
  }
}

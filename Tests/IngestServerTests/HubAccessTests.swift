import Foundation
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
    try await trial.clear()
  }

  @Test func `R54, R59: a new token signs in at once`() async throws {
    let trial = try await HubTrial()
    for number in 1...3 {
      // The server has just looked at the file.
      #expect(try await trial.ask("/api/ingest", token: trial.token).status == 204)
      let token = try await HubProgram.token(
        "page-\(number)", trial.program, arguments: ["--endpoint", "dashboard"])
      let answer = try await trial.ask(
        "/sign-in", body: "token=\(token)", arguments: OAuthTrial.form)
      #expect(answer.status == 303, "\(answer.body)")
    }
    try await trial.clear()
  }

  @Test func `R54: a revoked token is refused while the server runs, and a new one is taken`()
    async throws
  {
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
    try await trial.clear()
  }

  @Test func `R54: a token of another endpoint or another device stores nothing`() async throws {
    let trial = try await HubTrial()
    let overland = try await HubProgram.token(
      "bike", trial.program, arguments: ["--app", "overland"])
    let other = try await HubProgram.token("other", trial.program)
    var scope = (0, nil as String?)
    for _ in 0..<100 where scope.0 != 403 {
      try await Task.sleep(for: .milliseconds(100))
      let answer = try await trial.ask("/api/ingest", token: overland, body: HubTrial.body([1]))
      scope = (answer.status, answer.code)
    }
    #expect(scope == (403, "out_of_scope"))
    let told = try await trial.ask("/health-auto-export", token: overland, body: "{}").body
    #expect(told.contains("s3healthd token add NAME --app health-auto-export"), "\(told)")
    let stolen = try await trial.ask("/api/ingest", token: other, body: HubTrial.body([1]))
    #expect((stolen.status, stolen.code) == (403, "wrong_device"))
    #expect(stolen.faults == ["wrong_device at /device_id"])
    #expect(stolen.body.contains("s3healthd token add NAME --device DEVICE_ID"), "\(stolen.body)")
    #expect(try trial.batches() == [])
    try await trial.clear()
  }

  @Test func `R54: a server does not start with a file of tokens that others can read`()
    async throws
  {
    let trial = try await HubTrial()
    try await trial.hub.end(by: SIGKILL)
    let file = trial.program.home.appending(path: ".config/s3health/tokens.json").path
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    do {
      _ = try await trial.restarted()
      Issue.record("it started")
    } catch let failure as HubProgram.Failure {
      #expect(failure.description.contains("accessible to other users"))
    }
    try await trial.clear()
  }

  @Test func `R54: plain http is not served beyond loopback`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    await #expect(throws: HubProgram.Failure.self) {
      try await HubProgram.run(
        program, ["serve", "--store", program.home.path, "--listen", "0.0.0.0:0"])
    }
  }
}

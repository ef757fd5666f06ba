import Foundation
import HealthModel
import TestSupport
import Testing

/// What else the documents, the page and the tokens do (R63).
extension OAuthEndpointTests {
  @Test(.peers) func `R63: fastmcp lets a browser answer to a program on this machine`()
    async throws
  {
    let trial = try await OAuthTrial()
    let output = try await PeerPython.run(
      "mcp_oauth_fastmcp.py", arguments: [trial.resource, trial.person], in: .fastmcp)
    let report = try JSONValue(parsing: output)
    #expect(report["steps"] == [8432, 8432] && report["questions"] == 1)
    try await trial.clear()
  }

  @Test func `R63: the documents lead from a refusal to every endpoint, by the client's own name`()
    async throws
  {
    let trial = try await OAuthTrial()
    let refused = try await trial.ping("s3a_nobody")
    let challenge = refused.headers["www-authenticate"] ?? ""
    #expect(refused.status == 401 && challenge.contains(#"error="invalid_token""#))
    let path = "/.well-known/oauth-protected-resource/mcp"
    #expect(challenge.contains(#"resource_metadata="\#(trial.url)\#(path)", scope="days.read""#))
    let resource = try await trial.trial.ask(path).json
    #expect(resource["resource"] as? String == trial.resource)
    #expect(resource["authorization_servers"] as? [String] == [trial.url])
    let issuer = try await trial.trial.ask("/.well-known/oauth-authorization-server").json
    #expect(issuer["issuer"] as? String == trial.url)
    #expect(issuer["code_challenge_methods_supported"] as? [String] == ["S256"])
    // Behind a proxy that speaks https, everything has its name.
    let proxied = ["-H", "Host: Health.example:443", "-H", "X-Forwarded-Proto: https"]
    let there = try await trial.trial.ask(path, arguments: proxied).json
    #expect(there["resource"] as? String == "https://health.example/mcp")
    // On a connection that others could read, the endpoints refuse.
    let bare = ["-H", "Host: health.example"]
    for path in [path, "/.well-known/oauth-authorization-server"] {
      #expect(try await trial.trial.ask(path, arguments: bare).code == "needs_https")
    }
    let (question, form) = (trial.question(), OAuthTrial.form)
    for (path, body) in [("/register", "{}"), ("/token", "a=b"), ("/revoke", "token=x")] {
      let answer = try await trial.trial.ask(path, body: body, arguments: form + bare)
      #expect(answer.status == 403, "\(path)")
    }
    let page = try await trial.trial.ask("/authorize?" + question, arguments: bare)
    #expect(page.status == 400 && page.body.contains("X-Forwarded-Proto"))
    #expect(try await trial.ping("x", bare).headers["www-authenticate"]?.contains("Basic") == true)
    try await trial.clear()
  }

  @Test func `R63: a restart loses no agent, and another instance knows it at once`() async throws {
    let trial = try await OAuthTrial()
    let (program, port) = (trial.trial.program, trial.trial.hub.port)
    let tokens = try await trial.tokens()
    try await trial.trial.hub.end(by: SIGKILL)
    let again = try await HubProgram(
      program, store: trial.trial.store.path, arguments: ["--listen", "127.0.0.1:\(port)"])
    #expect(try await trial.ping(tokens.access).status == 200)
    // Another instance of the same name, as a proxy has it: what one gives out, the other takes.
    let other = try await HubProgram(program, store: trial.trial.store.path)
    func ping(_ hub: HubProgram, _ token: String) async throws -> Int {
      try await CurlAnswer(
        hub.url + "/mcp", body: Array(AgentTrial.ping.utf8),
        ["-H", "Authorization: Bearer \(token)", "-H", "Content-Type: application/json"]
          + ["-H", "Host: 127.0.0.1:\(port)"]
      ).status
    }
    #expect(try await ping(other, tokens.access) == 200)
    let answer = try await trial.refresh(tokens.refresh)
    let fresh = try #require(answer.json["access_token"] as? String)
    #expect(try await ping(other, fresh) == 200)
    #expect(try await ping(again, fresh) == 200)
    try await other.end(by: SIGKILL)
    try await again.end(by: SIGKILL)
    program.removeHome()
  }

  @Test func `R63: who guesses has to wait, at the sign-in and for tokens, and others go on`()
    async throws
  {
    let trial = try await OAuthTrial()
    let tokens = try await trial.tokens()
    // One is forgotten every six seconds, which a busy machine may need for several.
    func guess(_ ask: (Int) async throws -> Int) async throws -> [Int] {
      var statuses: [Int] = []
      while statuses.count < 60, statuses.last != 429 {
        statuses.append(try await ask(statuses.count))
      }
      return statuses
    }
    let id = tokens.refresh.split(separator: "_")[1]
    let wrong = try await guess { index in
      let digits = String(repeating: "\(index % 10)", count: 32)
      return try await trial.refresh("s3r_\(id)_\(digits)_\(digits)\(digits)").status
    }
    #expect(wrong.prefix(10).allSatisfy { $0 == 400 } && wrong.last == 429)
    #expect(try await trial.ping(tokens.access).status == 200, "the grant was not touched")
    let body = OAuthTrial.text(["question": trial.question(), "token": "s3h_guess"])
    // The two ways to sign in count together.
    let refused = try await guess { index in
      try await trial.trial.ask(
        index % 2 == 0 ? "/sign-in" : "/authorize/sign-in", body: body, arguments: OAuthTrial.form
      ).status
    }
    #expect(refused.prefix(10).allSatisfy { $0 == 403 } && refused.last == 429)
    try await trial.clear()
  }

  @Test func `R63: over https the server names itself, and its cookie is for https alone`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let (certificate, key) = try await HubProgram.certificate(in: program)
    let token = try await HubProgram.token("a", program, arguments: ["--endpoint", "agents"])
    _ = try await HubProgram.token("me", program, arguments: ["--endpoint", "dashboard"])
    let hub = try await HubProgram(
      program, store: program.home.path, arguments: ["--tls-cert", certificate, "--tls-key", key])
    let (url, trusted) = ("https://127.0.0.1:\(hub.port)", ["--cacert", certificate])
    let json = ["-H", "Content-Type: application/json"]
    let answer = try await CurlAnswer(
      url + "/mcp", body: Array(AgentTrial.ping.utf8),
      trusted + json + ["-H", "Authorization: Bearer \(token)"])
    #expect(answer.status == 200)
    let refused = try await CurlAnswer(url + "/mcp", body: [], trusted + json)
    #expect(refused.headers["www-authenticate"]?.contains("\"\(url)/.well-known/") == true)
    let issuer = try await CurlAnswer(url + "/.well-known/oauth-authorization-server", trusted)
    #expect(issuer.json["issuer"] as? String == url)
    let client = try await OAuthTrial.register(url, OAuthTrial.callback, trusted)
    #expect(client.hasPrefix("s3hc_"))
    try await hub.end(by: SIGKILL)
  }
}

import Digests
import Foundation
import HealthModel
import ObjectStore
import StoreTesting
import TestSupport
import Testing

@testable import IngestServer

/// What else the documents, the page and the tokens do (R63).
extension OAuthEndpointTests {
  @Test(.peers)
  func `R63: fastmcp lets a browser answer to a program on this machine`() async throws {
    let trial = try await OAuthTrial()
    let report = try await PeerPython.report(
      "mcp_oauth.py", [trial.resource, trial.person], in: .fastmcp)
    #expect(report["steps"] == [8432, 8432] && report["questions"] == 1)
  }

  @Test func `R63: the documents lead a client from a refusal to every endpoint`() async throws {
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
  }

  @Test func `R63: who guesses waits, at sign-in and for tokens, and others go on`() async throws {
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
  }

  @Test func `R63: over https the addresses that the server names are of https`() async throws {
    let tls = try await TLSTrial()
    let token = try await HubProgram.token("a", tls.program, arguments: ["--endpoint", "agents"])
    let (url, trusted) = (tls.url, ["--cacert", tls.certificate])
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
    try await tls.hub.end(by: SIGKILL)
  }
}

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

  @Test func `R63: a request of no honest client gets its status; others go on`() async throws {
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
  }

  @Test func `R63: many programs register and ask at once, in bounded memory`() async throws {
    let count = 500
    let trial = try await OAuthTrial(arguments: ["--rate-limit", "0"])
    let tokens = try await trial.tokens()
    let before = trial.trial.hub.megabytes
    let report = try await PeerPython.report(
      "mcp_crowd.py", [trial.url, tokens.access, "\(count)"])
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
  }

  @Test func `R63: who was let in stays so while the server is killed and started`() async throws {
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
    #expect((report["answers"]?.numberValue ?? 0) > 12, "\(report)")
    #expect((report["failures"]?.numberValue ?? 0) > 0, "the server was never missed: \(report)")
    try await hub.end(by: SIGKILL)
  }
}

/// Agents that several instances of one bucket let in.
@Suite(.unit) struct GrantInstanceTests {
  private static let now = Timestamp(secondsSince1970: 1_770_811_200)
  private static let (client, callback) = ("s3hc_x", "https://agent.example/back")
  private static let verifier = String(repeating: "v", count: 43)

  private let person = AccessToken("me", [.dashboard])

  private func exchange(_ code: GrantSecret, at cache: TokenCache) async throws -> IssuedTokens? {
    let proof = CodeProof(
      clientID: Self.client, redirect: Self.callback, verifier: Self.verifier, resource: nil)
    let fresh = FreshKeys()
    return try await cache.change { $0.exchange(code, proof, fresh, at: Self.now) }
  }

  private func code(at cache: TokenCache) async throws -> GrantSecret {
    let offer = GrantOffer(
      client: .init(
        digest: SHA256.digest(Array(Self.client.utf8)), name: "Agent", place: "agent.example"),
      resource: "https://health.home/mcp", challenge: SHA256.digest(Array(Self.verifier.utf8)),
      redirect: Self.callback)
    let fresh = FreshKeys()
    return try #require(
      try await cache.change { $0.offer(offer, by: person, fresh, at: Self.now) })
  }

  /// Keepers of one object, as the instances of one bucket have them.
  private func caches(_ count: Int) async throws -> [TokenCache] {
    let object = try #require(TokenObject(MemoryStore(), prefix: "me/"))
    _ = try await object.change { $0.add(person) }
    let caches = try (0..<count).map { _ in try TokenCache(.object(object)) }
    for cache in caches { await cache.read() }
    return caches
  }

  @Test func `R63: what one instance gives out all take, and its end is for all`() async throws {
    let caches = try await caches(2)
    let code = try await code(at: caches[0])
    let tokens = try #require(try await exchange(code, at: caches[1]))
    for cache in caches {
      #expect(
        try await cache.agent(
          reading: tokens.access, for: "https://health.home/mcp", at: Self.now)?.name != nil)
    }
    let fresh = FreshKeys()
    let next = try #require(
      try await caches[0].change {
        $0.refresh(tokens.refresh, clientID: Self.client, resource: nil, fresh, at: Self.now)
      })
    // Twenty requests of it wait for one reading.
    let isKnown = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await caches[1].agent(
            reading: next.access, for: "https://health.home/mcp", at: Self.now) != nil
        }
      }
      return try await group.reduce(true) { $0 && $1 }
    }
    #expect(isKnown)
    _ = try await caches[1].change { $0.end(next.refresh, clientID: nil, at: Self.now) }
    await caches[0].read()
    #expect(
      try await caches[0].agent(reading: next.access, for: "https://health.home/mcp", at: Self.now)
        == nil)
  }

  @Test func `R63: a code shown to instances together gives tokens once`() async throws {
    let caches = try await caches(8)
    for _ in 0..<10 {
      let code = try await code(at: caches[0])
      let given = try await withThrowingTaskGroup(of: IssuedTokens?.self) { group in
        for cache in caches { group.addTask { try await exchange(code, at: cache) } }
        return try await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
      }
      #expect(given.count == 1)
      // The others have shown it again: what it gave has ended.
      for tokens in given {
        #expect(
          try await caches[3].agent(
            reading: tokens.access, for: "https://health.home/mcp", at: Self.now) == nil)
      }
    }
  }
}

import HealthModel
import Testing

@testable import IngestServer

/// What programs may register and ask for, attacked without a server.
@Suite(.unit) struct OAuthRuleTests {
  private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

  private let origin: ServerOrigin

  init() throws {
    origin = try #require(ServerOrigin(host: "Health.home:443", isSecure: true, peer: nil))
  }

  private func client(_ redirects: String..., name: String = "Agent") throws -> OAuthClient {
    let value = JSONValue.object([
      "client_name": .string(name), "redirect_uris": .array(redirects.map { .string($0) }),
    ])
    return try OAuthClient(registering: value.canonicalBytes)
  }

  static let redirects: [(text: String, isTaken: Bool)] = [
    ("https://claude.ai/api/mcp/auth_callback", true), ("https://a.example:8443/x?y=1", true),
    ("http://127.0.0.1:3000/cb", true), ("http://localhost/cb", true), ("http://[::1]:9/cb", true),
    ("cursor://anysphere.cursor-retrieval/oauth/callback", true),
    ("com.example.app:/callback", true), ("vscodium://oauth/callback", true),
    ("warp://mcp/oauth2callback", true), ("some-new-editor://cb", true), ("kiro:cb", false),
    ("http://agent.example/cb", false), ("http://127.0.0.1.evil.example/", false),
    ("http://127.0.0.1@evil.example/", false), ("https://user@evil.example/", false),
    ("https://evil.example\\@a.example/", false), ("https://a.example/#part", false),
    ("https:///path", false), ("https:a.example", false), ("https://a.example:0/", false),
    ("https://a.example:99999/", false), ("https://a.example; script-src *//", false),
    ("https://a.example'*/", false), ("HTTPS://a.example/", false), ("https://ä.example/", false),
    ("javascript:alert(1)", false), ("data:text/html,x", false), ("vbscript:x", false),
    ("file:///etc/passwd", false), ("blob:https://a.example/1", false), ("about:blank", false),
    ("javascript://a.example/%0Aalert(1)", false), ("ms-msdt://x", false),
    ("search-ms://query", false), ("file://a.example/x", false), ("ssh://a.example/", false),
    ("chrome-extension://abc/x", false), ("intent://x#Intent;end", false),
    ("ws://a.example/", false),
    ("//a.example/", false), ("/relative", false), ("", false), ("https://a.example/ x", false),
    ("https://a.example/\r\nSet-Cookie: a=b", false),
    ("https://a.example/" + String(repeating: "a", count: 512), false),
  ]

  @Test(arguments: redirects)
  func `R63: only an address a browser may be sent to is registered`(text: String, isTaken: Bool) {
    #expect((RedirectAddress(text) != nil) == isTaken)
    #expect(((try? client(text)) != nil) == isTaken)
  }

  @Test func `R63: what is not taken of a registration is left out and said`() throws {
    let client = try client(
      "https://a.example/cb", "javascript:alert(1)", "http://agent.example/cb", "warp://cb",
      "https://a.example/cb", "http://127.0.0.1:33418/")
    let taken = ["https://a.example/cb", "warp://cb", "http://127.0.0.1:33418/"]
    #expect(client.redirects.map(\.text) == taken)
    let answer = client.registration(at: try #require(Timestamp("2026-02-08T10:00:00Z")))
    #expect(answer["redirect_uris"] == .array(taken.map { .string($0) }))
    #expect(OAuthClient(id: client.id) == client)
    #expect(client.redirect("javascript:alert(1)") == nil)
    let many = (0..<12).map { JSONValue.string("http://127.0.0.1/\($0)") } + [.null, 7]
    let body = JSONValue.object(["redirect_uris": .array(many)]).canonicalBytes
    #expect(try OAuthClient(registering: body).redirects.count == OAuthClient.maximumRedirects)
    #expect(throws: OAuthFault.self) { try self.client("javascript:alert(1)", "ms-x://y") }
  }

  @Test func `R63: an address is the registered one, but for the port on loopback`() throws {
    let client = try client(
      "https://a.example/cb", "http://127.0.0.1:3000/cb", "com.example.app:/cb")
    for text in [
      "https://a.example/cb", "http://127.0.0.1:51234/cb", "http://127.0.0.1/cb",
      "com.example.app:/cb",
    ] {
      #expect(client.redirect(text)?.text == text)
    }
    for text in [
      "https://a.example/cb/", "https://a.example/cb?x=1", "https://a.example:8443/cb",
      "https://A.example/cb", "https://a.example/CB", "https://a.example/cb/../other",
      "https://a.example.evil.example/cb", "http://a.example/cb", "http://localhost:3000/cb",
      "http://127.0.0.1:3000/other", "http://127.0.0.1:3000/cb?x=1", "https://127.0.0.1:3000/cb",
      "com.example.app:/other", "",
    ] {
      #expect(client.redirect(text) == nil, "\(text)")
    }
  }

  @Test func `R63: the id says what was registered, and no other text is one`() throws {
    let client = try client("https://a.example/cb", name: "Agent \u{202E}\u{7}\n <b>")
    #expect(client.name == "Agent <b>")
    #expect(OAuthClient(id: client.id) == client)
    for text in [
      client.id + "=", client.id + "A", String(client.id.dropLast()), client.id.uppercased(),
      "s3hc_", "s3hc_e30", "", String(repeating: "s3hc_", count: 2000),
    ] {
      #expect(OAuthClient(id: text) == nil, "\(text.prefix(80))")
    }
    let long = (0..<8).map { "https://a.example/\($0)" + String(repeating: "a", count: 480) }
    #expect(throws: OAuthFault.self) {
      let value = JSONValue.object(["redirect_uris": .array(long.map { .string($0) })])
      return try OAuthClient(registering: value.canonicalBytes)
    }
    for body in [
      "", "[]", "{}", "{", #"{"redirect_uris":[]}"#, #"{"redirect_uris":[1]}"#,
      #"{"redirect_uris":"https://a.example/"}"#,
      #"{"redirect_uris":["https://a.example/"],"grant_types":["implicit"]}"#,
      #"{"redirect_uris":["https://a.example/"],"response_types":["token"]}"#,
    ] {
      #expect(throws: OAuthFault.self) { try OAuthClient(registering: Array(body.utf8)) }
    }
  }

  @Test func `R63: a question needs S256, this server, and nothing twice`() throws {
    let id = try client("https://a.example/cb").id
    let good = [
      "response_type": "code", "client_id": id, "redirect_uri": "https%3A%2F%2Fa.example%2Fcb",
      "code_challenge": Self.challenge, "code_challenge_method": "S256",
      "resource": "https://HEALTH.home/mcp%3Ftool_names=underscore", "state": "x%26y",
    ]
    func text(_ changes: [String: String?], more: String = "") -> [UInt8] {
      var fields = good
      for (name, value) in changes { fields[name] = value }
      return Array((fields.map { "\($0.key)=\($0.value)" }.joined(separator: "&") + more).utf8)
    }
    let question = try AuthorizationQuestion(text([:]), for: origin)
    #expect(question.resource == "https://health.home/mcp")
    #expect(
      question.address(("code", "c"), of: origin)
        == "https://a.example/cb?code=c&state=x%26y&iss=https%3A%2F%2Fhealth.home")
    #expect(try AuthorizationQuestion(question.query.utf8, for: origin) == question)
    let wrong: [[String: String?]] = [
      ["code_challenge_method": "plain"], ["code_challenge_method": nil], ["code_challenge": nil],
      ["code_challenge": "short"], ["code_challenge": String(repeating: "a", count: 44)],
      ["code_challenge": String(repeating: "+", count: 43)],
      ["response_type": "token"], ["response_type": nil], ["response_mode": "fragment"],
      ["request": "x"], ["request_uri": "https://evil.example/"], ["client_id": "other"],
      ["client_id": nil], ["redirect_uri": nil], ["redirect_uri": "https%3A%2F%2Fevil.example%2F"],
      ["resource": "https://other.home/mcp"], ["resource": "https://health.home/"],
      ["resource": "http://health.home/mcp"], ["resource": "https://health.home/mcp/x"],
      ["resource": "https://health.home@evil.example/mcp"],
      ["state": String(repeating: "s", count: 1025)], ["state": "%zz"],
    ]
    for changes in wrong {
      #expect(throws: InvalidText.self, "\(changes)") {
        try AuthorizationQuestion(text(changes), for: origin)
      }
    }
    for name in good.keys {
      #expect(throws: InvalidText.self, "\(name)") {
        try AuthorizationQuestion(text([:], more: "&\(name)=x"), for: origin)
      }
    }
  }

  static let origins: [(host: String, isSecure: Bool, peer: String?, origin: String?)] = [
    ("health.home", true, nil, "https://health.home"),
    ("health.home:8443", true, "10.0.0.9", "https://health.home:8443"),
    ("[2001:DB8::1]:443", true, nil, "https://[2001:db8::1]"),
    ("localhost:8080", false, "127.0.0.1", "http://localhost:8080"),
    ("127.0.0.1:80", false, "127.0.0.1", "http://127.0.0.1"),
    ("[::1]:8080", false, "::1", "http://[::1]:8080"),
    ("health.home", false, "10.0.0.9", nil), ("health.home", false, "127.0.0.1", nil),
    ("localhost", false, "10.0.0.9", nil), ("localhost", false, nil, nil),
    ("health.home@evil.example", true, nil, nil), ("health.home\"x", true, nil, nil),
    ("health.home:", true, nil, nil), ("health.home:0", true, nil, nil), (":443", true, nil, nil),
    ("[::1", true, nil, nil), ("health.home/x", true, nil, nil),
  ]

  @Test(arguments: origins)
  func `R63: the server has a name where nobody else reads what is sent`(
    host: String, isSecure: Bool, peer: String?, origin: String?
  ) {
    #expect(ServerOrigin(host: host, isSecure: isSecure, peer: peer)?.text == origin)
  }

  static let peers: [(peer: String?, forwarded: String?, isSecure: Bool)] = [
    ("127.0.0.1", "https", true), ("127.8.0.1", "HTTPS", true), ("::1", "https", true),
    ("::ffff:127.0.0.1", "https", true), ("127.0.0.1", "http", false), ("127.0.0.1", nil, false),
    ("172.18.0.1", "https", true), ("::ffff:172.31.255.255", "https", true),
    ("172.32.0.1", "https", false), ("10.0.0.9", "https", false), ("2001:db8::7", "https", true),
    ("2001:db8::8", "https", false), ("::2", "https", false), (nil, "https", false),
  ]

  @Test(arguments: peers)
  func `R63: only this machine and named proxies may say that a client speaks https`(
    peer: String?, forwarded: String?, isSecure: Bool
  ) throws {
    let named = try ["172.16.0.0/12", "2001:DB8:0::7"].map { try #require(AddressRange($0)) }
    let proxies = AddressRange.thisMachine + named
    #expect(PageRequest.isSecure(false, forwarded: forwarded, from: peer, by: proxies) == isSecure)
    #expect(PageRequest.isSecure(true, forwarded: nil, from: peer, by: proxies))
  }

  @Test(arguments: ["", "nginx", "10.0.0", "10.0.0.0/33", "10.0.0.0/", "::1/129", "10.0.0.0/-1"])
  func `R63: what is neither an address nor a network names no proxy`(text: String) {
    #expect(AddressRange(text) == nil)
  }
}

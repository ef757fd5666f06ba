import ContentDigests
import Digests
import Foundation
import HTTPClient
import HealthModel
import TestSupport
import Testing

/// A hub with one published day, a person who may let agents in, and a program that asks.
struct OAuthTrial {
  let agents: AgentTrial
  /// The person's token.
  let person: String
  /// The program's id.
  let client: String

  static let callback = "https://agent.example/back"
  static let verifier = String(repeating: "v", count: 43)
  static let form = ["-H", "Content-Type: application/x-www-form-urlencoded"]

  init(arguments: [String] = []) async throws {
    agents = try await AgentTrial(arguments: arguments)
    person = try await HubProgram.token(
      "me", agents.trial.program, arguments: ["--endpoint", "dashboard"])
    client = try await Self.register(agents.trial.hub.url, Self.callback)
  }

  /// The same server and program with another person.
  init(_ agents: AgentTrial, person: String, client: String) {
    (self.agents, self.person, self.client) = (agents, person, client)
  }

  var trial: HubTrial { agents.trial }
  var url: String { agents.trial.hub.url }
  var resource: String { url + "/mcp" }

  /// Registers a program, and gives its id.
  static func register(_ url: String, _ redirect: String, _ more: [String] = []) async throws
    -> String
  {
    let body = #"{"client_name":"Trial agent","redirect_uris":["\#(redirect)"]}"#
    let answer = try await CurlAnswer(
      url + "/register", body: Array(body.utf8),
      ["-H", "Content-Type: application/json"] + more)
    try #require(answer.status == 201, "\(answer.body)")
    return try #require(answer.json["client_id"] as? String)
  }

  static func text(_ fields: [String: String]) -> String {
    fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(PercentCoding.encode($0.value))" }
      .joined(separator: "&")
  }

  /// What a program asks for, as text.
  func question(_ changes: [String: String?] = [:]) -> String {
    let digest = Base64.encodeForURL(SHA256.digest(Array(Self.verifier.utf8)))
    var fields = [
      "response_type": "code", "client_id": client, "redirect_uri": Self.callback,
      "code_challenge": String(digest.prefix { $0 != "=" }), "code_challenge_method": "S256",
      "resource": resource, "state": "s&t",
    ]
    for (name, value) in changes { fields[name] = value }
    return Self.text(fields)
  }

  /// Signs the person in, and gives the cookie.
  func signIn(_ question: String, _ more: [String] = []) async throws -> (CurlAnswer, String) {
    let answer = try await CurlAnswer(
      url + "/authorize/sign-in",
      body: Array(Self.text(["question": question, "token": person]).utf8), Self.form + more)
    return (answer, String(answer.headers["set-cookie"]?.prefix { $0 != ";" } ?? ""))
  }

  /// The page that asks, and the key of its form.
  func page(_ question: String, _ cookie: String) async throws -> (CurlAnswer, key: String) {
    let answer = try await CurlAnswer(url + "/authorize?" + question, ["--cookie", cookie])
    return (answer, (try? answer.formKey) ?? "")
  }

  /// Sends the form of the page.
  func reply(
    _ question: String, _ cookie: String, key: String, answer: String = "allow",
    _ more: [String] = []
  ) async throws -> CurlAnswer {
    try await CurlAnswer(
      url + "/authorize",
      body: Array(Self.text(["question": question, "form_key": key, "answer": answer]).utf8),
      Self.form + ["--cookie", cookie] + more)
  }

  /// The code that a person's yes gives.
  func code() async throws -> String {
    let question = question()
    let cookie = try await signIn(question).1
    let (_, key) = try await page(question, cookie)
    let answer = try await reply(question, cookie, key: key)
    let location = answer.headers["location"] ?? ""
    let found = location.firstMatch(of: #/[?&]code=([0-9a-z_]+)/#)
    return String(try #require(found, "\(answer.status) \(location)").1)
  }

  /// Asks for tokens.
  func tokens(_ fields: [String: String?]) async throws -> CurlAnswer {
    var all = [
      "client_id": client, "redirect_uri": Self.callback, "code_verifier": Self.verifier,
      "grant_type": "authorization_code",
    ]
    for (name, value) in fields { all[name] = value }
    return try await CurlAnswer(url + "/token", body: Array(Self.text(all).utf8), Self.form)
  }

  /// The two tokens of a code that the person has just given.
  func tokens() async throws -> (access: String, refresh: String) {
    let answer = try await tokens(["code": try await code()])
    return (
      try #require(answer.json["access_token"] as? String, "\(answer.body)"),
      try #require(answer.json["refresh_token"] as? String)
    )
  }

  func refresh(_ token: String, _ changes: [String: String?] = [:]) async throws -> CurlAnswer {
    try await tokens(
      ["grant_type": "refresh_token", "refresh_token": token, "code_verifier": nil]
        .merging(changes) { $1 })
  }

  /// The status of a request with a token to read with.
  func ping(_ token: String, _ more: [String] = []) async throws -> CurlAnswer {
    try await trial.ask(
      "/mcp", body: AgentTrial.ping,
      arguments: ["-H", "Authorization: Bearer \(token)", "-H", "Content-Type: application/json"]
        + more)
  }
}

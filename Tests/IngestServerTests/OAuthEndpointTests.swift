import Foundation
import HealthModel
import TestSupport
import Testing

/// How agents get access, by the real program: the documents, the page, the tokens, and attacks on all.
@Suite(.process) struct OAuthEndpointTests {
  struct Client: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let venv: PeerPython.Venv
  }

  @Test(
    arguments: [
      Client(testDescription: "mcp 1", venv: .mcp1), Client(testDescription: "mcp 2", venv: .peers),
    ].filter(\.venv.isInThisRun))
  func `R63: the official client finds, registers and refreshes`(client: Client) async throws {
    let trial = try await OAuthTrial()
    let report = try await PeerPython.report(
      "mcp_oauth.py", [trial.resource + "?tool_names=dotted", trial.person], in: client.venv)
    #expect(report["steps"] == [8432, 8432, 8432, 8432])
    // A used token ends the grant, so that the person is asked again.
    #expect(report["questions"] == [1, 0, 1])
    #expect(report["rotated"] == true)
    #expect(report["expires_in"] == 3600 && report["scope"] == "days.read")
    #expect(report["iss"]?.stringValue == trial.url && report["secret"] == .null)
    let page = report["page"]?.stringValue ?? ""
    for word in ["Trial agent", "a program on your own device", "all your days"] {
      #expect(page.contains(word))
    }
    #expect(!page.contains("<script"))
    let file = trial.trial.program.home.appending(path: ".config/s3health/tokens.json")
    let (kept, log) = (try String(contentsOf: file, encoding: .utf8), trial.trial.hub.log)
    for secret in report["secrets"]?.arrayValue ?? [] {
      let text = secret.stringValue ?? "?"
      #expect(!kept.contains(text) && !kept.contains(text.suffix(64)))
      #expect(!log.contains(text.suffix(64)))
    }
  }

  @Test func `R63: a person sees who asks, and only the page's form is an answer`() async throws {
    let trial = try await OAuthTrial()
    let question = trial.question()
    let first = try await trial.trial.ask("/authorize?" + question)
    #expect(first.status == 200 && first.body.contains("name=\"token\""))
    #expect(!first.body.contains("form_key"))
    let (entered, cookie) = try await trial.signIn(question)
    #expect(entered.status == 303)
    #expect(entered.headers["location"]?.hasPrefix("/authorize?client_id=") == true)
    let (page, key) = try await trial.page(question, cookie)
    #expect(page.body.contains("Trial agent") && page.body.contains("agent.example"))
    let policy = page.headers["content-security-policy"] ?? ""
    #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
    #expect(policy.contains("form-action 'self' https://agent.example;"))
    #expect(page.headers["x-frame-options"] == "DENY")
    // The key is of this person, this session and this question.
    let other = trial.question(["state": "another"])
    for (asked, key) in [
      (question, ""), (question, key + "0"), (question, String(key.reversed())), (other, key),
    ] {
      let answer = try await trial.reply(asked, cookie, key: key)
      #expect(answer.status == 403 && answer.headers["location"] == nil)
    }
    let second = try await trial.signIn(question).1
    #expect(try await trial.reply(question, second, key: key).status == 403)
    for field in ["Sec-Fetch-Site: cross-site", "Origin: https://agent.example"] {
      #expect(try await trial.reply(question, cookie, key: key, ["-H", field]).status == 403)
    }
    // Without a session the form leads to the sign-in, whatever it says.
    let anonymous = try await trial.reply(question, "", key: key)
    #expect(anonymous.headers["location"]?.hasPrefix("/authorize?") == true)
    let denied = try await trial.reply(question, cookie, key: key, answer: "deny")
    #expect(denied.status == 303)
    #expect(
      denied.headers["location"]?.hasPrefix(
        "https://agent.example/back?error=access_denied&state=s%26t&iss=") == true)
    let allowed = try await trial.reply(question, cookie, key: key)
    #expect(allowed.headers["location"]?.hasPrefix("https://agent.example/back?code=s3c_") == true)
    #expect(allowed.headers["referrer-policy"] == "no-referrer")
  }

  @Test func `R63: an unanswered question sends no browser anywhere`() async throws {
    let trial = try await OAuthTrial()
    let cookie = try await trial.signIn(trial.question()).1
    let wrong: [[String: String?]] = [
      ["redirect_uri": "https://evil.example/"], ["redirect_uri": OAuthTrial.callback + "/x"],
      ["redirect_uri": nil], ["client_id": "s3hc_e30"], ["code_challenge_method": "plain"],
      ["code_challenge": nil], ["response_type": "token"],
      ["resource": "https://other.example/mcp"], ["request_uri": "https://evil.example/"],
    ]
    for changes in wrong {
      let question = trial.question(changes)
      for arguments in [[], ["--cookie", cookie]] {
        let answer = try await trial.trial.ask("/authorize?" + question, arguments: arguments)
        #expect(answer.status == 400 && answer.headers["location"] == nil, "\(changes)")
        #expect(answer.headers["content-security-policy"]?.contains("evil") == false)
      }
      let posted = try await trial.reply(question, cookie, key: "")
      #expect(posted.status == 400 && posted.headers["location"] == nil, "\(changes)")
      let signed = try await trial.signIn(question).0
      #expect(signed.status == 400 && signed.headers["set-cookie"] == nil, "\(changes)")
    }
    let twice = try await trial.trial.ask(
      "/authorize?" + trial.question() + "&redirect_uri=https%3A%2F%2Fevil.example%2F")
    #expect(twice.status == 400)
  }

  @Test func `R63: a code is taken once, from the program that asked`() async throws {
    let trial = try await OAuthTrial()
    let code = try await trial.code()
    let first = try await trial.tokens(["code": code, "resource": trial.resource])
    let access = try #require(first.json["access_token"] as? String)
    #expect(try await trial.ping(access).status == 200)
    // An agent's token can do nothing else.
    for path in ["/api/ingest", "/overland", "/owntracks", "/health-auto-export"] {
      #expect(try await trial.trial.ask(path, token: access, body: "{}").status == 403)
    }
    #expect(try await trial.tokens(["code": code]).json["error"] as? String == "invalid_grant")
    #expect(try await trial.ping(access).status == 401, "the code was shown twice")
    let other = try await OAuthTrial.register(trial.url, OAuthTrial.callback + "2")
    let wrong: [([String: String?], String)] = [
      (["client_id": other], "invalid_grant"),
      (["redirect_uri": "https://evil.example/"], "invalid_grant"),
      (["code_verifier": String(repeating: "w", count: 43)], "invalid_grant"),
      (["code_verifier": nil], "invalid_request"), (["redirect_uri": nil], "invalid_request"),
      (["client_id": nil], "invalid_client"), (["client_id": "me"], "invalid_client"),
      (["resource": "https://other.example/mcp"], "invalid_target"),
      (["grant_type": "password"], "unsupported_grant_type"),
      (["grant_type": nil], "unsupported_grant_type"),
    ]
    for (changes, error) in wrong {
      let answer = try await trial.tokens(["code": code].merging(changes) { $1 })
      #expect(answer.json["error"] as? String == error, "\(changes) \(answer.body)")
    }
    #expect(!trial.trial.hub.log.contains("evil"))
  }

  @Test func `R63: a refresh renews both, and an old token ends the access`() async throws {
    let trial = try await OAuthTrial()
    let first = try await trial.tokens()
    let answer = try await trial.refresh(first.refresh)
    let lost = try #require(answer.json["refresh_token"] as? String)
    let access = try #require(answer.json["access_token"] as? String)
    for token in [first.access, access] { #expect(try await trial.ping(token).status == 200) }
    // The answer may not have arrived.
    let again = try await trial.refresh(first.refresh)
    let second = try #require(again.json["refresh_token"] as? String)
    #expect(try await trial.refresh(lost).json["error"] as? String == "invalid_grant")
    for token in [first.access, access] { #expect(try await trial.ping(token).status == 401) }
    #expect(try await trial.refresh(second).status == 400)
    // The token to refresh with reads nothing.
    let third = try await trial.tokens()
    #expect(try await trial.ping(third.refresh).status == 401)
    // Under another server's name it is not valid.
    let there = ["-H", "Host: localhost:\(trial.trial.hub.port)"]
    #expect(try await trial.ping(third.access, there).status == 401)
    #expect(try await trial.ping(third.access).status == 200)
  }

  @Test func `R63: revoked in seconds by the program, the command and the person`() async throws {
    let trial = try await OAuthTrial()
    let program = trial.trial.program
    let one = try await trial.tokens()
    let revoked = try await trial.trial.ask(
      "/revoke", body: OAuthTrial.text(["token": one.refresh, "client_id": trial.client]),
      arguments: OAuthTrial.form)
    #expect(revoked.status == 200)
    #expect(try await trial.ping(one.access).status == 401)
    let two = try await trial.tokens()
    let list = try await HubProgram.run(program, ["token", "list", "-o", "json"])
    let agents = try JSONValue(parsing: Array(list.utf8))["agents"]?.arrayValue ?? []
    #expect(agents.count == 1 && agents[0]["client_name"] == "Trial agent")
    #expect(agents[0]["client_place"] == "agent.example" && agents[0]["let_in_by"] == "me")
    #expect(try await HubProgram.run(program, ["token", "list"]).contains("Trial agent"))
    let name = try #require(agents[0]["name"]?.stringValue)
    try await HubProgram.run(program, ["token", "revoke", name])
    #expect(try await until { try await trial.ping(two.access).status == 401 })
    #expect(try await trial.refresh(two.refresh).status == 400)
    let three = try await trial.tokens()
    try await HubProgram.run(program, ["token", "revoke", "me"])
    #expect(try await until { try await trial.ping(three.access).status == 401 })
    #expect(try await trial.refresh(three.refresh).status == 400)
  }
}

import Foundation
import TestSupport
import Testing

/// The dashboard's routes of the real program, as programs see them.
@Suite(.process) struct DashboardRouteTests {
  static let form = "Content-Type: application/x-www-form-urlencoded"

  func signIn(
    _ url: String, _ token: String, _ more: [String] = []
  ) async throws -> (answer: CurlAnswer, cookie: String) {
    let answer = try await CurlAnswer(
      url + "/sign-in", body: Array("token=\(token)".utf8), ["--header", Self.form] + more)
    let cookie = answer.headers["set-cookie"]?.prefix { $0 != ";" } ?? ""
    return (answer, String(cookie))
  }

  @Test func `R59: without a session there is only the way in; pages are not kept`() async throws {
    let trial = try await HubTrial()
    let token = try await trial.token(for: "dashboard")
    let first = try await trial.ask("/")
    #expect((first.status, first.headers["location"]) == (303, "/sign-in"))
    #expect(try await trial.ask("/", token: token).status == 303, "a token is not a session")
    #expect(try await trial.ask("/dashboard/events").status == 401)
    for path in ["/sync", "/sign-out"] {
      let answer = try await trial.ask(path, body: "", arguments: ["--header", Self.form])
      #expect((answer.status, answer.headers["location"]) == (303, "/sign-in"))
    }
    let (entered, cookie) = try await signIn(trial.hub.url, token)
    #expect((entered.status, entered.headers["location"]) == (303, "/"))
    #expect(entered.headers["set-cookie"]?.contains("HttpOnly; SameSite=Strict") == true)
    #expect(!cookie.contains(token.dropFirst(4)))
    let held = ["--cookie", cookie]
    let page = try await trial.ask("/?span=week", arguments: held)
    #expect(page.status == 200)
    #expect(page.headers["cache-control"] == "no-store")
    #expect(page.headers["content-type"] == "text/html; charset=utf-8")
    let policy = page.headers["content-security-policy"] ?? ""
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
    #expect(!policy.contains("unsafe"))
    let head = try await trial.ask("/", arguments: held + ["--head"])
    #expect((head.status, head.body) == (200, ""))
    #expect(head.headers["content-length"] != "0")
    for path in [
      "/dashboard.css", "/dashboard.js", "/dashboard.svg", "/dashboard.png",
      "/dashboard.webmanifest",
    ] {
      let file = try await trial.ask(path)
      #expect((file.status, file.headers["cache-control"]) == (200, "public, max-age=3600"))
    }
    let wrong = try await trial.ask("/", body: "", arguments: held)
    #expect((wrong.status, wrong.headers["allow"]) == (405, "GET, HEAD"))
    #expect(try await trial.ask("/sync", arguments: held).headers["allow"] == "POST")
    // A form of our own needs the key of the page; and one of another site's page is refused.
    let key = try page.formKey
    for (body, site, status) in [
      ("", "same-origin", 403), ("form_key=\(key)0", "same-origin", 403),
      ("form_key=\(key)", "cross-site", 403), ("form_key=\(key)", "same-origin", 303),
    ] {
      let answer = try await trial.ask(
        "/sync", body: body,
        arguments: held + ["--header", Self.form, "--header", "Sec-Fetch-Site: \(site)"])
      #expect(answer.status == status, "\(body) \(site)")
    }
    let large = try await trial.ask(
      "/sign-in", body: String(repeating: "a", count: 10_000), arguments: ["--header", Self.form])
    #expect(large.status == 413)
    #expect(!trial.hub.log.contains(cookie.suffix(32)) && !trial.hub.log.contains(token))
    #expect(trial.hub.log.contains("GET / 200 device=me"))
  }

  @Test func `R59: signing in leads to the page that was asked for, or to today`() async throws {
    let trial = try await HubTrial()
    let token = try await trial.token(for: "dashboard")
    let asked = try await trial.ask("/metric/steps?span=year&to=2026-02-08")
    #expect(
      asked.headers["location"]
        == "/sign-in?to=%2Fmetric%2Fsteps%3Fspan%3Dyear%26to%3D2026-02-08")
    #expect(
      try await trial.ask(asked.headers["location"] ?? "").body
        .contains(#"name="to" value="/metric/steps?span=year&amp;to=2026-02-08""#))
    for (to, expected) in [
      ("%2Fday%2F2026-02-08", "/day/2026-02-08"), ("%2Fstatus", "/status"),
      ("https%3A%2F%2Fevil.example%2F", "/"), ("%2F%2Fevil.example", "/"),
      ("%2Fday%2F2026-02-08%0D%0ASet-Cookie%3A%20a", "/"), ("%5Cevil.example", "/"),
    ] {
      let answer = try await CurlAnswer(
        trial.hub.url + "/sign-in", body: Array("token=\(token)&to=\(to)".utf8),
        ["--header", Self.form])
      #expect((answer.status, answer.headers["location"]) == (303, expected), "\(to)")
    }
    let cookie = try await signIn(trial.hub.url, token).cookie
    for (path, status) in [
      ("/day/2026-02-08", 200), ("/metric/weight?span=all", 200), ("/status", 200),
      ("/day/2026-02-30", 404), ("/metric/nothing", 404), ("/day/2026-02-08/more", 404),
    ] {
      let answer = try await trial.ask(path, arguments: ["--cookie", cookie])
      #expect(answer.status == status, "\(path)")
      #expect(status != 200 || answer.headers["cache-control"] == "no-store")
    }
    #expect(
      try await trial.ask("/day?date=2026-02-08", arguments: ["--cookie", cookie])
        .headers["location"] == "/day/2026-02-08")
    #expect(!trial.hub.log.contains("2026-02-08 ") && trial.hub.log.contains("GET /day/ 200"))
  }

  @Test func `R59: who signs out is out, whoever kept the cookie; others stay in`() async throws {
    let trial = try await HubTrial()
    let token = try await trial.token(for: "dashboard")
    let cookies = [
      try await signIn(trial.hub.url, token).cookie,
      try await signIn(trial.hub.url, token).cookie,
    ]
    let page = try await trial.ask("/", arguments: ["--cookie", cookies[0]])
    let key = try page.formKey
    let answer = try await trial.ask(
      "/sign-out", body: "form_key=\(key)",
      arguments: ["--cookie", cookies[0], "--header", Self.form])
    #expect(answer.status == 200)
    #expect(answer.headers["set-cookie"]?.contains("Max-Age=0") == true)
    #expect(try await trial.ask("/", arguments: ["--cookie", cookies[0]]).status == 303)
    #expect(try await trial.ask("/", arguments: ["--cookie", cookies[1]]).status == 200)
  }

  @Test func `R59: no other site signs a person in; pages say what they may load`() async throws {
    let trial = try await HubTrial()
    let token = try await trial.token(for: "dashboard")
    let foreign = try await signIn(
      trial.hub.url, token, ["--header", "Sec-Fetch-Site: cross-site"])
    #expect((foreign.answer.status, foreign.cookie) == (303, ""))
    #expect(foreign.answer.headers["location"] == "/sign-in")
    let wrong = try await signIn(trial.hub.url, "s3h_guess").answer
    let policy = try await trial.ask("/sign-in").headers["content-security-policy"]
    #expect(wrong.status == 403 && policy != nil)
    #expect(wrong.headers["content-security-policy"] == policy)
    #expect(wrong.headers["x-frame-options"] == "DENY")
    // Behind a proxy that speaks https, the cookie is for https alone, too.
    let proxied = try await signIn(trial.hub.url, token, ["--header", "X-Forwarded-Proto: https"])
    #expect(proxied.cookie.hasPrefix("__Host-s3healthd=me:"))
    #expect(proxied.answer.headers["set-cookie"]?.hasSuffix("; Secure") == true)
  }

  @Test func `R59: a token of another scope is refused, and wrong ones must wait`() async throws {
    let trial = try await HubTrial()
    let narrow = try await signIn(trial.hub.url, trial.token)
    #expect((narrow.answer.status, narrow.cookie) == (403, ""))
    #expect(narrow.answer.body.contains("may not be used for the dashboard"))
    let right = try await trial.token(for: "dashboard")
    var statuses: [Int] = []
    // One is forgotten every six seconds, which a busy machine may need for several.
    while statuses.count < 60, statuses.last != 429 {
      statuses.append(try await signIn(trial.hub.url, "s3h_guess").answer.status)
    }
    #expect(statuses.prefix(10).allSatisfy { $0 == 403 })
    #expect(statuses.contains(429))
    let waiting = try await signIn(trial.hub.url, right)
    #expect(waiting.answer.status == 429)
    #expect(waiting.answer.headers["retry-after"].flatMap { Int($0) } != nil)
    #expect(try await trial.ask("/api/ingest", token: trial.token).status == 204, "phones go on")
  }
}

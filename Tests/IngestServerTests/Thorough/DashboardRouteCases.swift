import Foundation
import TestSupport
import Testing

/// Further pages and ways in (R59).
extension DashboardRouteTests {
  @Test
  func `R59: pages and files are packed for who takes it; sign-in and what agents see never are`()
    async throws
  {
    let trial = try await HubTrial()
    let token = try await HubProgram.token(
      "me", trial.program, arguments: ["--endpoint", "dashboard"])
    let cookie = try await signInSoon(trial.hub.url, token).cookie
    let takes = ["--cookie", cookie, "--compressed"]
    for path in [
      "/", "/?span=year", "/day/2026-02-08", "/metric/steps?span=all", "/status", "/dashboard.css",
      "/dashboard.js", "/openapi.json",
    ] {
      let packed = try await trial.ask(path, arguments: takes)
      let plain = try await trial.ask(path, arguments: ["--cookie", cookie])
      #expect(packed.headers["content-encoding"] == "gzip", "\(path)")
      #expect(plain.headers["content-encoding"] == nil, "\(path)")
      for answer in [packed, plain] {
        #expect(answer.headers["vary"] == "Accept-Encoding", "\(path)")
        #expect(answer.status == 200)
      }
      let length = try #require(packed.headers["content-length"].flatMap { Int($0) })
      #expect(length < plain.body.utf8.count, "\(path)")
      if path.hasPrefix("/dashboard.") { #expect(packed.body == plain.body) }
    }
    for path in [
      "/sign-in?to=%2Fmetric%2Fsteps", "/authorize?client_id=a&state=guess", "/dashboard.png",
      "/readyz", "/api/ingest/nothing",
    ] {
      let answer = try await trial.ask(path, arguments: takes)
      #expect(answer.headers["content-encoding"] == nil, "\(path)")
    }
    // The key of the forms is another text in each page, and each is taken.
    var keys: Set<String> = []
    for _ in 0..<3 {
      let page = try await trial.ask("/status", arguments: takes)
      let key = try #require(page.body.firstMatch(of: #/name="form_key" value="([0-9a-f]+)"/#)).1
      keys.insert(String(key))
      let answer = try await trial.ask(
        "/sync", body: "form_key=\(key)", arguments: takes + ["--header", Self.form])
      #expect(answer.status == 303)
    }
    #expect(keys.count == 3)
    try await trial.clear()
  }

  @Test func `R59: a workout of a payload and the night in it stand on the page of their day`()
    async throws
  {
    let trial = try await HubTrial(arguments: ["--timezone", "UTC"])
    let sender = try await HubProgram.token(
      "export", trial.program, arguments: ["--endpoint", "health-auto-export"])
    let token = try await HubProgram.token(
      "me", trial.program, arguments: ["--endpoint", "dashboard"])
    let cookie = try await signInSoon(trial.hub.url, token).cookie
    let payload = """
      {"data":{"metrics":[{"name":"step_count","units":"count","data":\
      [{"date":"2026-02-08 00:00:00 +0000","qty":4321}]},\
      {"name":"sleep_analysis","units":"hr","data":[{"startDate":"2026-02-07 23:00:00 +0000",\
      "endDate":"2026-02-08 06:00:00 +0000","value":"Core","source":"Watch"}]}],\
      "workouts":[{"id":"1","name":"Outdoor <b>Run","start":"2026-02-08 07:00:00 +0000",\
      "end":"2026-02-08 07:30:00 +0000","distance":{"qty":5,"units":"km"}}]}}
      """
    #expect(try await trial.ask("/health-auto-export", token: sender, body: payload).status == 200)
    func page() async throws -> String {
      try await trial.ask("/day/2026-02-08", arguments: ["--cookie", cookie]).body
    }
    #expect(try await until { try await page().contains("4,321 steps") })
    let text = try await page()
    #expect(text.contains("Outdoor &lt;b&gt;Run") && text.contains("07:00 to 07:30"), "\(text)")
    #expect(text.contains("5.00 km") && text.contains("Asleep 7 h"))
    try await trial.clear()
  }

  @Test func `R59: another instance with the same tokens takes the session, and so does a restart`()
    async throws
  {
    let trial = try await HubTrial()
    let token = try await HubProgram.token(
      "me", trial.program, arguments: ["--endpoint", "dashboard"])
    let cookie = try await signInSoon(trial.hub.url, token).cookie
    let other = try await HubProgram(trial.program, store: trial.store.path)
    let page = try await CurlAnswer(other.url + "/", ["--cookie", cookie])
    #expect(page.status == 200)
    try await HubProgram.run(trial.program, ["token", "revoke", "me"])
    try await Task.sleep(for: .milliseconds(1500))
    #expect(try await CurlAnswer(other.url + "/", ["--cookie", cookie]).status == 303)
    try await other.end(by: SIGKILL)
    try await trial.clear()
  }

  @Test func `R59: over https the cookie is for https alone`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let (certificate, key) = try await HubProgram.certificate(in: program)
    let token = try await HubProgram.token("me", program, arguments: ["--endpoint", "dashboard"])
    let hub = try await HubProgram(
      program, store: program.home.path, arguments: ["--tls-cert", certificate, "--tls-key", key])
    let url = "https://127.0.0.1:\(hub.port)"
    let trusted = ["--cacert", certificate]
    let (answer, cookie) = try await signIn(url, token, trusted)
    #expect(cookie.hasPrefix("__Host-s3healthd=me:"))
    #expect(answer.headers["set-cookie"]?.hasSuffix("; SameSite=Strict; Secure") == true)
    #expect(
      try await CurlAnswer(url + "/", trusted + ["--cookie", cookie]).status == 200)
    let plain = cookie.replacing("__Host-", with: "")
    #expect(
      try await CurlAnswer(url + "/", trusted + ["--cookie", plain]).status == 303,
      "a cookie that was not sent over https")
    try await hub.end(by: SIGKILL)
  }
}

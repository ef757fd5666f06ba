import Foundation
import TestSupport
import Testing

/// `push`, from the ledger to a gateway, as a user runs it (R57).
@Suite(.process, .prometheus) struct PushCommandTests {
  func program(_ numbers: String = #"{"steps":1234,"weight":70.2}"#) async throws -> Program {
    let program = try Program()
    try await program.succeeds(
      ["put", "--date", "today", "--input", "-"], input: #"{"metrics":\#(numbers)}"#)
    return program
  }

  /// What `status` says of the first gateway.
  func status(_ program: Program) async throws -> [String: Any] {
    let status = try await program.run(["status", "-o", "json"]).json()
    return try #require((status["push"] as? [[String: Any]])?.first)
  }

  @Test func `R57: a push stands at the gateway, and Prometheus scrapes it`() async throws {
    let servers = try PrometheusServers.shared()
    let program = try await program(
      #"{"steps":1234,"active_energy_kcal":500.5,"weight":70.2,"hrv_sdnn_avg":null}"#)
    let name = "e2e \(UUID())"
    let run = try await program.succeeds(["push", "--gateway", servers.gateway, "--instance", name])
    #expect(run.output.hasPrefix("ok      \(servers.gateway)  \(name)  6 metrics, 10 samples"))
    let all = try await servers.pushed()
    for line in [
      "# HELP healthkit_steps_total Total number of steps taken.",
      "# TYPE healthkit_steps_total counter",
      "# HELP healthkit_active_energy_burned_calories Total active energy burned in calories.",
      "# TYPE healthkit_active_energy_burned_calories counter",
      "# TYPE healthkit_body_weight_kg gauge",
    ] { #expect(all.contains(line), "\(line)") }
    let own = try await servers.pushed(instance: name)
    #expect(own.contains(#"healthkit_steps_total{source="all",unit="count"} 1234"#))
    #expect(own.contains(#"healthkit_steps_total{source="metrics_json",unit="count"} 1234"#))
    #expect(own.contains(#"healthkit_body_weight_kg{source="metrics_json"} 70.2"#))
    #expect(!own.contains { $0.contains("hrv") })
    let scraped = try await servers.query(
      "healthkit_steps_total{job=\"my_health_data\",instance=\"\(name)\"}"
    ) { !$0.isEmpty }
    #expect(scraped.map(\.value) == [1234, 1234])
    let push = try await status(program)
    #expect(push["gateway"] as? String == servers.gateway)
    #expect(push["instance"] as? String == name)
    #expect(push["last_successful_push"] is String)
    #expect(push["last_error"] is NSNull)
  }

  @Test func `R57: with nothing to push there is a warning and no request`() async throws {
    let gateway = try BadGateway()
    let program = try Program()
    let run = try await program.succeeds(
      ["push", "--gateway", gateway.url("ok")], saying: "warning: No metrics to push")
    #expect(run.output == "")
    #expect(try await gateway.requests().isEmpty)
    #expect(try await program.run(["status", "-o", "json"]).json()["push"] as? [Int] == [])
    #expect(try await program.succeeds(["status", "--log"]).output.contains("nothing_to_push"))
  }

  static let refusals = [
    ("301", "redirects with 301 to \"https://elsewhere.example/metrics\"", 69),
    ("302", "nothing was stored", 69), ("400", "pushed metrics are invalid: x [31m y", 69),
    ("401", "asks for a user and a password, or a token", 77), ("403", "403", 77),
    ("page", "is not a Pushgateway: it sent a text: \"<html><title>Sign in", 69),
    ("404", "there is no Pushgateway at this URL", 69), ("413", "413", 69),
  ]

  @Test(arguments: TestDepth.one(of: 3, refusals))
  func `R57: an answer that is not a success is one attempt, reported in the gateway's own words`(
    mode: String, words: String, code: Int
  ) async throws {
    let gateway = try BadGateway()
    let program = try await program()
    let run = try await program.run("push", "--gateway", gateway.url(mode))
    #expect(run.exitCode == code)
    #expect(run.errors.contains(words))
    #expect(run.errors.contains("\n  do:     "))
    #expect(!run.errors.contains("\u{1B}"))
    #expect(run.errors.count < 1000)
    #expect(run.output.hasPrefix("failed  "))
    #expect(try await gateway.requests().count == 1)
    let log = try await program.succeeds(["status", "--log", "--type", "push_failed", "-o", "json"])
      .json()
    let status200 = mode == "page" ? "200" : mode
    #expect((log["message"] as? String)?.contains(status200) == true)
    let push = try await status(program)
    #expect(push["last_successful_push"] is NSNull)
    #expect(push["failures_since"] as? Int == 1)
    // It is judged where the settings name it.
    var daily = program
    daily.environment["S3HEALTH_GATEWAY"] = gateway.url(mode) + "/"
    let text = try await daily.run("status").output
    #expect(text.contains("failed   last push: to "), "\(text)")
    #expect(text.contains("do: s3health push\n"), "\(text)")
  }

  @Test func `R57: a passing failure is tried again, and a recovery is logged`() async throws {
    let gateway = try BadGateway()
    let program = try await program()
    #expect(try await program.run("push", "--gateway", gateway.url("second")).exitCode == 0)
    #expect(try await gateway.requests().count == 2)
    let other = try BadGateway()
    #expect(try await program.run("push", "--gateway", other.url("400")).exitCode == 69)
    #expect(try await program.run("push", "--gateway", other.url("400")).exitCode == 69)
    // An address that has never worked was a try: what became of the others is what counts.
    let status = try await program.run("status").output
    #expect(
      !status.contains(other.url("400")) && status.contains("ok       last push: "), "\(status)")
  }

  @Test func `R57: a gateway that took pushes and fails is wrong, until the settings name another`()
    async throws
  {
    var program = try await program()
    let gateway = try BadGateway()
    let push = ["push", "--gateway", gateway.url("401"), "--user", "ann"]
    program.environment["S3HEALTH_GATEWAY_PASSWORD"] = "pä ss:w"
    try await program.succeeds(push)
    program.environment["S3HEALTH_GATEWAY_PASSWORD"] = "wrong"
    #expect(try await program.run(push).exitCode == 77)
    let failed = try await program.run("status").output
    #expect(failed.contains("failed   last push: to \(gateway.url("401")) as "), "\(failed)")
    #expect(failed.contains("do: s3health push --gateway \(gateway.url("401"))\n"), "\(failed)")
    program.environment["S3HEALTH_GATEWAY"] = "http://127.0.0.1:1"
    let other = try await program.run("status").output
    #expect(!other.contains("failed   last push: "), "\(other)")
    #expect(other.contains("warning  last push: never to http://127.0.0.1:1, "), "\(other)")
  }

  @Test func `R57: a first push is a PUT, and so are --replace and a family less`() async throws {
    let gateway = try BadGateway()
    let program = try await program()
    let push = ["push", "--gateway", gateway.url("ok")]
    try await program.succeeds(push)
    try await program.succeeds(push)
    try await program.succeeds(push + ["--replace"])
    try await program.succeeds(push + ["--without", "steps"], printing: "group replaced")
    try await program.succeeds(push + ["--without", "steps"])
    // The state of pushes is lost, as in a new container.
    try FileManager.default.removeItem(
      at: program.home.appending(path: ".local/share/s3health/push.json"))
    try await program.succeeds(push)
    #expect(
      try await gateway.requests().map(\.method) == ["PUT", "POST", "PUT", "PUT", "POST", "PUT"])
  }

  @Test func `R57: a password comes from a variable, a private file or a command`() async throws {
    let gateway = try BadGateway()
    var program = try await program()
    let push = ["push", "--gateway", gateway.url("401"), "--user", "ann"]
    let file = try program.file("password", "pä ss:w\n")
    chmod(file, 0o644)
    try await program.refuses(push + ["--password-file", file], saying: "can be read by others")
    chmod(file, 0o600)
    try await program.succeeds(push + ["--password-file", file])
    let config = try program.file(
      "config", "gateway_user = ann\ngateway_password_command = cat '\(file)'\n")
    try await program.succeeds(["push", "--gateway", gateway.url("401"), "--config", config])
    try await program.refuses(push, saying: "no password is given")
    program.environment["S3HEALTH_GATEWAY_PASSWORD"] = "pä ss:w"
    try await program.succeeds(push)
    program.environment["S3HEALTH_GATEWAY_PASSWORD"] = "wrong-secret"
    let wrong = try await program.run(push + ["--verbose"], ends: 77)
    #expect(!wrong.errors.contains("wrong-secret"))
    #expect(!wrong.errors.contains("d3Jvbmctc2VjcmV0"))
    let help = try await program.succeeds(["push", "--help"]).output
    #expect(!help.contains("--password "))
    let kept = try String(
      contentsOf: program.defaultStore.deletingLastPathComponent().appending(path: "push.json"),
      encoding: .utf8)
    #expect(!kept.contains("secret") && !kept.contains("pä ss"))
  }

  @Test func `R57: https verifies the gateway, and http is for this machine`() async throws {
    let gateway = try BadGateway()
    let program = try await program()
    let secure = ["push", "--gateway", gateway.secureURL("ok")]
    let plain = "https" + (try PrometheusServers.shared()).gateway.dropFirst(4)
    try await program.run(
      ["push", "--gateway", plain], ends: 69, saying: "http:// in the gateway's address")
    try await program.run(secure, ends: 69, saying: "--ca-bundle")
    #expect(try await gateway.requests().isEmpty)
    try await program.succeeds(secure + ["--ca-bundle", gateway.certificate])
    #expect(try await gateway.requests().count == 1)
    for url in ["http://gateway.example:9091", "http://192.168.1.2:9091"] {
      try await program.refuses(
        ["push", "--gateway", url], saying: "over plain http",
        "--allow-plaintext")
    }
    for (url, words) in [
      ("gateway:9091", "neither http:// nor https://"), ("https://ann:pw@h:1", "user information"),
      ("https://h:1/metrics/job/x", "path of a group"), ("https://h:1/?x", "query"),
    ] {
      let document = try await program.refuses(["push", "--gateway", url], saying: words)
      #expect(!"\(document)".contains("pw"))
    }
    try await program.refuses(["push"], saying: "no gateway is given")
  }
}

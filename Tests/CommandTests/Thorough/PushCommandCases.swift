import Foundation
import TestSupport
import Testing

/// Further gateways and pushes (R57).
extension PushCommandTests {
  @Test(arguments: ["John's iPhone", "a b", "a/b", "📱 Ännchen", ".", "..", "%2F", "a\\\"b"])
  func `R57: instances of any name arrive under that name`(name: String) async throws {
    let servers = try PrometheusServers.shared()
    let program = try await program()
    try await program.succeeds(["push", "--gateway", servers.gateway, "--instance", name])
    #expect(
      try await servers.pushed(instance: name)
        .contains(#"healthkit_body_weight_kg{source="metrics_json"} 70.2"#))
  }

  @Test func `R57: a gateway that never answers ends in a time-out`() async throws {
    let gateway = try BadGateway()
    let program = try await program()
    let run = try await program.run("push", "--gateway", gateway.url("slow"), "--timeout", "1")
    #expect(run.exitCode == 69)
    #expect(try await gateway.requests().count == 3)
    let push = try await status(program)
    #expect((push["last_error"] as? [String: Any])?["kind"] as? String == "timeout")
    #expect(push["failures_since"] as? Int == 1)
  }

  @Test func `R57: several gateways each have their result`() async throws {
    let (good, bad) = (try BadGateway(), try BadGateway())
    let program = try await program()
    let urls = ["http://127.0.0.1:9", good.url("ok"), bad.url("400")]
    let config = try program.file("config", urls.map { "gateway = \($0)\n" }.joined())
    let run = try await program.run(["push", "--config", config, "-o", "json"], ends: 69)
    let gateways = try #require(try run.json()["gateways"] as? [[String: Any]])
    #expect(gateways.map { $0["success"] as? Bool } == [false, true, false])
    #expect(gateways.dropFirst().map { $0["method"] as? String } == ["PUT", "PUT"])
    let kinds = gateways.map { ($0["error"] as? [String: Any])?["kind"] as? String }
    #expect(kinds == ["offline", nil, "refused"])
    #expect(try await good.requests().map(\.method) == ["PUT"])
  }

  @Test func `R57: what several gateways and attempts read is remarked on once`() async throws {
    let (good, slow) = (try BadGateway(), try BadGateway())
    let program = try await program()
    let names = FileManager.default.enumerator(atPath: program.home.path)
    let revision = try #require(
      names?.compactMap { $0 as? String }.first { $0.contains("/revisions/") })
    let file = program.home.appending(path: revision)
    let text = try String(contentsOf: file, encoding: .utf8)
    try Data(text.replacingOccurrences(of: "1234", with: "1235").utf8).write(to: file)
    let run = try await program.run(
      "push", "--gateway", good.url("ok"), "--gateway", slow.url("slow"), "--timeout", "1")
    #expect(run.exitCode == 69)
    #expect(run.errors.components(separatedBy: "the document is damaged").count == 2)
  }

  @Test func `R57: --test pushes one number under its own instance and deletes it`() async throws {
    let servers = try PrometheusServers.shared()
    let gateway = try BadGateway()
    let program = try Program()
    try await program.succeeds(
      [
        "push", "--test", "--gateway", servers.gateway, "--gateway", gateway.url("ok"),
        "--instance", "try",
      ], printing: "try-test  pushed one number and deleted it")
    let requests = try await gateway.requests()
    #expect(requests.map(\.method) == ["PUT", "DELETE"])
    #expect(requests.allSatisfy { $0.path == "metrics/job/my_health_data/instance/try-test" })
    #expect(requests[0].body.hasSuffix("\nhealthkit_push_test 1\n"))
    for _ in 0..<100 {
      if try await servers.pushed(instance: "try-test").isEmpty { break }
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(try await servers.pushed(instance: "try-test").isEmpty)
    let failed = try await program.run("push", "--test", "--gateway", gateway.url("400"))
    #expect(failed.exitCode == 69 && failed.errors.contains("pushed metrics are invalid"))
    #expect(
      try await program.succeeds(["push", "--help"]).output.contains("docs/instrumenting/pushing"))
  }

  @Test func `R57: a bearer token takes the place of user and password`() async throws {
    let gateway = try BadGateway()
    var program = try await program()
    let push = ["push", "--gateway", gateway.url("bearer")]
    let file = try program.file("token", "t0ken\n")
    chmod(file, 0o600)
    try await program.succeeds(push + ["--token-file", file])
    try await program.refuses(
      push + ["--token-file", file, "--user", "ann"], saying: "both a user and a token")
    program.environment["S3HEALTH_GATEWAY_TOKEN"] = "wr0ng-secret"
    let wrong = try await program.run(
      push + ["--verbose"], ends: 77, saying: "refused the user, password or token")
    #expect(!wrong.errors.contains("wr0ng-secret"))
  }

  @Test func `R57: racing pushes take turns, and all succeed`() async throws {
    let servers = try PrometheusServers.shared()
    let program = try await program()
    let name = "race \(UUID())"
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await program.run("push", "--gateway", servers.gateway, "--instance", name).exitCode
        }
      }
      for try await code in group { #expect(code == 0) }
    }
    let own = try await servers.pushed(instance: name)
    #expect(own.contains(#"healthkit_steps_total{source="all",unit="count"} 1234"#))
    #expect(own.contains("push_failure_time_seconds 0"))
  }

  @Test func `R57: a clash of types with another job is in the gateway's words`() async throws {
    let servers = try PrometheusServers()
    defer { servers.end() }
    try await servers.push(
      "# TYPE healthkit_steps_total gauge\nhealthkit_steps_total 1\n", to: "job/other")
    let program = try await program()
    let run = try await program.run("push", "--gateway", servers.gateway)
    #expect(run.exitCode == 69)
    #expect(
      run.errors.contains("400") && run.errors.contains("healthkit_steps_total"), "\(run.errors)")
  }
}

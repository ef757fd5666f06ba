import FaultProxy
import Foundation
import HealthModel
import TestSupport
import Testing

/// Two processes, the slower of which has its pointer write held back on the way to a real server.
@Suite(.server) struct OvertakenPutTests {
  @Test(arguments: TestServer.all)
  func `a put that another one overtakes says superseded, and the other's stays (R25, R27)`(
    server: TestServer
  ) async throws {
    try await holding(which: [1], on: server) { proxy in try await overtake(server, proxy) }
  }

  @Test(arguments: TestServer.all)
  func `if samples keep arriving, collect publishes and says that there are more (R49)`(
    server: TestServer
  ) async throws {
    try await holding(which: nil, on: server) { proxy in try await keepSending(server, proxy) }
  }

  /// Runs a body beside a proxy that holds pointer writes back.
  private func holding(
    which: Set<Int>?, on server: TestServer, _ body: (FaultProxy) async throws -> Void
  ) async throws {
    let rule = ProxyPlan.Rule(.hold, on: .put, pathSuffix: "/latest.json", which: which)
    let proxy = try FaultProxy(
      to: server.endpoint, caBundle: server.caBundle, plan: ProxyPlan(rules: [rule]))
    do {
      try await body(proxy)
      await proxy.stop(.settling)
    } catch {
      await proxy.stop(.cancelling)
      throw error
    }
  }

  /// Sends a batch each time the pointer is about to be written.
  private func keepSending(_ server: TestServer, _ proxy: FaultProxy) async throws {
    var program = try Program().on(server)
    defer { program.removeHome() }
    program.environment["S3HEALTH_TIMEZONE"] = "UTC"
    let store = server.arguments(prefix: "busy/\(UUID())")
    let hour = Timestamp(secondsSince1970: Int(Date().timeIntervalSince1970) / 3600 * 3600 - 86_400)
    let ready = program
    func send(_ number: Int) async throws {
      let (start, end) = (hour.adding(seconds: 60 * number), hour.adding(seconds: 60 * number + 59))
      let line =
        #"{"sample_type":"HKQuantityTypeIdentifierStepCount","timestamp":"\#(start)","end_timestamp":"\#(end)","value":\#(number + 1),"unit":"count"}"#
      let file = try ready.file("\(number).json", Array(line.utf8))
      _ = try await ready.succeeds(["raw", "add", "--stream", "healthkit", "--input", file])
      _ = try await ready.succeeds(["raw", "sync"] + store)
    }
    try await send(0)
    let arguments = ["collect", "--from-streams", "--catch-up", "1", "-o", "json"] + store
    async let run = ready.run(arguments + ["--endpoint-url", proxy.endpoint])
    let feeding = Task {
      var sent = 1
      while !Task.isCancelled {
        guard proxy.holding > 0 else {
          try? await Task.sleep(for: .milliseconds(10))
          continue
        }
        try await send(sent)
        sent += 1
        proxy.release()
      }
      return sent
    }
    defer { feeding.cancel() }
    let collect = try await run
    feeding.cancel()
    let sent = try await feeding.value
    #expect(collect.exitCode == 0, "\(collect.errors)")
    let first = try collect.json()
    let result = try #require((first["results"] as? [[String: Any]])?.first)
    #expect(result["outcome"] as? String == "published")
    let notes = try #require(first["notes"] as? [String])
    #expect(
      notes.contains {
        $0.hasSuffix("more samples arrived meanwhile; the next run or the hub counts them")
      }, "\(notes)")

    // The next run counts everything that was sent.
    _ = try await program.succeeds(arguments)
    let date = try #require(result["date"] as? String)
    let day = try await program.succeeds(["get", date, "-o", "json"] + store).json()
    let steps = (day["metrics"] as? [String: Any])?["steps"] as? Int
    #expect(steps == sent * (sent + 1) / 2, "\(sent)")
  }

  private func overtake(_ server: TestServer, _ proxy: FaultProxy) async throws {
    let program = try Program().on(server)
    defer { program.removeHome() }
    let store = server.arguments()
    let slow = Task {
      try await program.run(
        ["put", "--input", "-", "--endpoint-url", proxy.endpoint] + store,
        input: payload(steps: 1000))
    }
    while proxy.holding == 0 {
      // Where the program has ended without that write, there is nothing to wait for.
      try #require(!slow.isCancelled && proxy.tally.totalRequests < 500)
      try await Task.sleep(for: .milliseconds(10))
    }
    let fast = try await program.succeeds(
      ["put", "--input", "-", "--output", "json"] + store, input: payload(steps: 2000)
    ).json()
    let result = try #require((fast["results"] as? [[String: Any]])?.first)
    #expect(result["outcome"] as? String == "published")
    let latest = try #require(result["revision_id"] as? String)
    proxy.release()

    let overtaken = try await slow.value
    #expect(overtaken.exitCode == 0, "\(overtaken.errors)")
    #expect(
      overtaken.output.contains("(a newer revision is there already: \(latest))"),
      "\(overtaken.output)")
    #expect(proxy.events.first { $0.fault == .hold }?.server == ["412"])
    let get = try await program.succeeds(["get", "2026-02-08"] + store)
    #expect(get.output.contains("2,000"), "\(get.output)")
    let history = try await program.succeeds(["get", "--history", "2026-02-08"] + store)
    #expect(history.output.split(separator: "\n").count == 2, "\(history.output)")
  }
}

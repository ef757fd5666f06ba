import HTTPClient
import TestSupport
import Testing

@testable import FaultProxy

/// Whatever a client says, a proxy ends the connection cleanly, sends nothing on that it has not
/// understood, and serves the next one.
@Suite(.unit) struct HostileClientTests {
  /// Nothing may reach the server, so there is none: this port answers nobody.
  private func proxy(_ change: (inout ProxyLimits) -> Void = { _ in }) throws -> FaultProxy {
    var limits = ProxyLimits()
    change(&limits)
    return try FaultProxy(to: "http://127.0.0.1:9", limits: limits)
  }

  static let refusals: [(String, String)] = [
    ("\r\n\r\n", "400"), ("garbage\r\n\r\n", "400"), ("GET /\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\n\r\n", "400"), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
    ("GET http://elsewhere/ HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    ("CONNECT elsewhere:443 HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    ("GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", "400"), ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", "400"),
    ("GET /\u{E9} HTTP/1.1\r\nHost: a\r\n\r\n", "400"), ("GET / XTTP/1\r\nHost: a\r\n\r\n", "400"),
    ("PATCH / HTTP/1.1\r\nHost: a\r\n\r\n", "501"), ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", "505"),
    ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", "400"), ("GET / HTTP/1.1\r\nHost: \u{1}\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", "400"),
    ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "400"),
    ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", "400"),
    ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"),
    ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", "413"),
    ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n", "413"),
    ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "411"),
  ]

  @Test(arguments: TestDepth.one(of: 3, refusals))
  func `what is not a request of S3 is refused and not passed on`(
    text: String, status: String
  ) async throws {
    try await FaultProxy.during(try proxy()) { proxy in
      let client = try RawClient(proxy)
      client.say(text)
      let answer = try #require(await client.rest())
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
      #expect(answer.contains("Connection: close\r\n"))
      #expect(proxy.tally.refused == 1)
      #expect(proxy.tally.totalRequests == 0)
      #expect(proxy.events.isEmpty)
    }
  }

  @Test func `a head without end is cut off at its bound`() async throws {
    try await FaultProxy.during(try proxy { $0.headBytes = 4096 }) { proxy in
      let client = try RawClient(proxy)
      client.say("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 100_000))
      // The rest of what was said may cost the answer, never the end.
      let answer = try #require(await client.rest())
      #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 431 "), "\(answer)")
      #expect(proxy.tally.refused == 1)
      let many = try RawClient(proxy)
      many.say("GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 200) + "\r\n")
      #expect(try #require(await many.rest()).hasPrefix("HTTP/1.1 431 "))
    }
  }

  @Test(arguments: ["", "GET / HT", "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"])
  func `a client that stops in the middle is given up`(text: String) async throws {
    let limits: (inout ProxyLimits) -> Void = {
      $0.requestTime = .milliseconds(200)
      $0.idleTime = .milliseconds(200)
    }
    try await FaultProxy.during(try proxy(limits)) { proxy in
      let client = try RawClient(proxy)
      client.say(text)
      let answer = try #require(await client.rest())
      #expect(text.isEmpty ? answer.isEmpty : answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
      let gone = try RawClient(proxy)
      gone.say(text)
      gone.leave()
      #expect(try await RawClient(proxy).rest()?.isEmpty == true)
      #expect(proxy.tally.totalRequests == 0)
    }
  }

  /// One byte at a time for ever keeps no thread: the time is for the whole request.
  @Test func `a client that trickles is given up`() async throws {
    try await FaultProxy.during(try proxy { $0.requestTime = .milliseconds(300) }) { proxy in
      let client = try RawClient(proxy)
      var sent = 0
      while sent < 10_000, client.say("G") {
        sent += 1
        if proxy.tally.refused == 1 { break }
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(proxy.tally.refused == 1)
      #expect(await client.rest() != nil)
    }
  }

  @Test func `more clients than the bound are turned away, and the others served`() async throws {
    try await FaultProxy.during(try proxy { $0.connections = 2 }) { proxy in
      let first = try RawClient(proxy)
      let second = try RawClient(proxy)
      // Both are being served before the third comes.
      for client in [first, second] { client.say("GET / HTTP/1.1\r\n") }
      try await Task.sleep(for: .milliseconds(50))
      #expect(try await RawClient(proxy).rest() != nil)
      #expect(proxy.tally.turnedAway == 1)
      first.say("\r\n")
      #expect(try #require(await first.rest()).hasPrefix("HTTP/1.1 400 "))
    }
  }

  @Test func `a server that is not there closes the connection and is tallied`() async throws {
    try await FaultProxy.during(try proxy()) { proxy in
      let client = try RawClient(proxy)
      client.say("PUT /b/k HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok")
      #expect(await client.rest() == "")
      #expect(proxy.tally.unanswered == 1)
      let event = try #require(proxy.events.first)
      #expect(event.server == ["couldNotConnect"])
      #expect(event.applied == .no)
    }
  }
}

import CurlTransport
import Foundation
import HTTPClient
import Testing

@Suite(.process) struct `Over TLS` {
  let server: HostileServer
  let trusting: CurlTransport

  init() throws {
    server = try .running()
    var configuration = CurlTransport.Configuration()
    configuration.caBundle = server.ports.ca
    trusting = CurlTransport(configuration)
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `a server is accepted whose authority is in the bundle`(host: String) async throws {
    let response = try await trusting.send(
      HTTPRequest(.put, "https://\(host):\(server.ports.tls)/ok", body: [1, 2]))
    #expect(response.status == 200 && response.body == Array("ok".utf8))
  }

  @Test func `a server is refused whose authority is unknown, before anything is sent`()
    async throws
  {
    let id = freshID()
    let error = try #require(
      await CurlTransport().failure(
        of: HTTPRequest(.put, "https://127.0.0.1:\(server.ports.tls)/ok/\(id)")))
    #expect(error.code == .tlsFailed && !error.mayHaveBeenApplied)
    #expect(error.message.contains("certificate"), "\(error)")
    #expect(try await server.log(id).isEmpty)
  }

  @Test(arguments: ["wrong name", "expired", "old"])
  func `a wrong name, an expired certificate and an old protocol are refused`(
    fault: String
  ) async throws {
    let ports = [
      "wrong name": server.ports.tlsWrongHost, "expired": server.ports.tlsExpired,
      "old": server.ports.tlsOld,
    ]
    let url = "https://127.0.0.1:\(try #require(ports[fault]))/ok"
    let error = try #require(await trusting.failure(of: HTTPRequest(.put, url)))
    #expect(error.code == .tlsFailed && !error.mayHaveBeenApplied, "\(error)")
  }

  @Test func `a server that speaks no TLS is refused`() async throws {
    let url = "https://127.0.0.1:\(server.ports.http)/ok"
    let error = try #require(
      await trusting.failure(of: HTTPRequest(.put, url, timeout: .seconds(20))))
    #expect([.tlsFailed, .timedOut].contains(error.code) && !error.mayHaveBeenApplied, "\(error)")
  }

  @Test func `a bundle that is absent fails the request, not the check`() async throws {
    var configuration = CurlTransport.Configuration()
    configuration.caBundle = "/nonexistent/ca.pem"
    let error = try #require(
      await CurlTransport(configuration).failure(
        of: HTTPRequest(.get, "https://127.0.0.1:\(server.ports.tls)/ok")))
    #expect(error.code == .tlsFailed && !error.mayHaveBeenApplied)
  }

  @Test func `requests to a server of HTTP 1.1 go over connections of their own`() async throws {
    let url = "https://127.0.0.1:\(server.ports.tls)/late"
    let connections = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<8 {
        group.addTask { try await trusting.send(HTTPRequest(.get, url)).header("x-connection") }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(connections.count > 1)
  }

  @Test func `HTTP 2 is spoken where it is offered, over one connection`() async throws {
    let url = "https://127.0.0.1:\(server.ports.tlsTwo)/ok"
    let body = [UInt8](repeating: 1, count: 200_000)
    var responses: [HTTPResponse] = []
    for _ in 0..<3 {
      responses += try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
        for _ in 0..<20 {
          group.addTask { try await trusting.send(HTTPRequest(.put, url, body: body)) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(responses.count == 60)
    #expect(responses.allSatisfy { $0.status == 200 && $0.body == Array("ok".utf8) })
    #expect(responses.allSatisfy { $0.header("X-Received") == "PUT 200000" })
    #expect(Set(responses.map { $0.header("x-connection") }).count == 1)
  }

  @Test func `cancelling and failing one HTTP 2 stream leaves the others alone`() async throws {
    let base = "https://127.0.0.1:\(server.ports.tlsTwo)"
    let first = try await trusting.send(HTTPRequest(.get, base + "/ok"))
    let waiting = Task { await trusting.failure(of: HTTPRequest(.put, base + "/never")) }
    try await Task.sleep(for: .milliseconds(100))
    let reset = try #require(await trusting.failure(of: HTTPRequest(.put, base + "/reset")))
    #expect(reset.code == .connectionLost && reset.mayHaveBeenApplied, "\(reset)")
    waiting.cancel()
    #expect(await waiting.value?.code == .cancelled)
    let last = try await trusting.send(HTTPRequest(.get, base + "/ok"))
    #expect(first.header("x-connection") == last.header("x-connection"))
  }
}

/// Each test is a process of its own, for its environment, and has a server of its own there.
@Suite(.process) struct `A proxy of the environment` {
  @Test func `is used, but neither for loopback nor for NO_PROXY`() async throws {
    await #expect(processExitsWith: .success) {
      let port = try HostileServer.running().ports.http
      setenv("http_proxy", "http://127.0.0.1:\(port)", 1)
      setenv("NO_PROXY", "direct.invalid", 1)
      let transport = CurlTransport()
      func head(_ url: String) async throws -> String {
        let response = try await transport.send(HTTPRequest(.get, url))
        return String(decoding: response.body, as: UTF8.self)
      }
      let proxied = try await head("http://proxied.invalid/echo")
      #expect(proxied.hasPrefix("GET http://proxied.invalid/echo HTTP/1.1\r\n"))
      for host in ["127.0.0.1", "localhost"] {
        #expect(try await head("http://\(host):\(port)/echo").hasPrefix("GET /echo HTTP/1.1\r\n"))
      }
      let direct = await transport.failure(of: HTTPRequest(.get, "http://direct.invalid/echo"))
      #expect(direct?.code == .couldNotResolve)
    }
  }

  @Test func `tunnels TLS, and sees nothing of what is sent`() async throws {
    await #expect(processExitsWith: .success) {
      let server = try HostileServer.running()
      let (ports, id) = (server.ports, freshID())
      setenv("https_proxy", "http://127.0.0.1:\(ports.tunnel)", 1)
      setenv("NO_PROXY", "", 1)
      var configuration = CurlTransport.Configuration()
      configuration.caBundle = ports.ca
      let transport = CurlTransport(configuration)
      let base = "tunnelled.invalid:\(ports.tls)"
      let response = try await transport.send(
        HTTPRequest(
          .put, "https://\(base)/ok/\(id)", headers: [HTTPField("Authorization", "secret")],
          body: [1, 2]))
      #expect(response.status == 200)
      // Refused by the proxy: the server was never reached, so sending again is safe.
      let refused = await transport.failure(
        of: HTTPRequest(.put, "https://refused.invalid:\(ports.tls)/ok/\(id)", body: [1, 2]))
      #expect(refused?.mayHaveBeenApplied == false, "\(String(describing: refused))")
      let seen = try await server.log("tunnel")
      #expect(seen.count == 2 && seen.allSatisfy { $0.hasPrefix("CONNECT ") }, "\(seen)")
      #expect(!seen.joined().contains("secret"))
    }
  }

  @Test func `is named without its password if it may be what failed`() async throws {
    await #expect(processExitsWith: .success) {
      let ports = try HostileServer.running().ports
      setenv("NO_PROXY", "", 1)
      let transport = CurlTransport()
      func check(
        _ proxy: String, _ url: String, _ code: HTTPError.Code, _ words: String
      ) async throws {
        let variable = url.hasPrefix("https:") ? "https_proxy" : "http_proxy"
        let parts = proxy.split(separator: "//", maxSplits: 1)
        setenv(variable, parts.joined(separator: "//me:s3cret@"), 1)
        let error = try #require(
          await transport.failure(of: HTTPRequest(.get, url, timeout: .seconds(2))))
        #expect(error.code == code, "\(error)")
        #expect(error.message.contains("\(words)\(proxy) (\(variable))"), "\(error)")
        #expect(!error.message.contains("s3cret"), "\(error)")
      }
      let (plain, mute) = ("http://127.0.0.1:\(ports.http)", "http://127.0.0.1:\(ports.mute)")
      let through = "h.invalid through the proxy "
      try await check(plain, "http://h.invalid/empty", .connectionLost, through)
      try await check(plain, "http://h.invalid/garbage", .malformedResponse, through)
      try await check(mute, "http://h.invalid/ok", .timedOut, through)
      try await check(mute, "https://h.invalid/ok", .timedOut, through)
      // No authority that is trusted here has signed its certificate.
      let secure = "https://127.0.0.1:\(ports.tls)"
      try await check(secure, "https://h.invalid/ok", .proxyFailed, "")
      try await check(secure, "http://h.invalid/ok", .proxyFailed, "")
      // Behind a tunnel it is the server's own TLS that fails.
      try await check(
        "http://127.0.0.1:\(ports.tunnel)", "https://h.invalid:\(ports.tls)/ok", .tlsFailed,
        through)
    }
  }
}

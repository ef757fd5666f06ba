import CurlTransport
import HTTPClient
import Testing

@Suite(.tags(.process)) struct `A deadline` {
  let server: HostileServer
  let transport = HTTPTransport()

  init() throws { server = try .running() }

  @Test(arguments: ["never", "trickle"])
  func `ends an exchange that the server draws out, and its connection`(
    scenario: String
  ) async throws {
    let id = freshID()
    let error = try #require(
      await transport.failure(
        of: HTTPRequest(.put, server.url("\(scenario)/\(id)"), timeout: .seconds(2))))
    #expect(error.code == .timedOut && error.mayHaveBeenApplied)
    _ = try await server.log(id, having: "closed")
  }

  @Test func `ends an upload that the server does not read`() async throws {
    let id = freshID()
    let error = try #require(
      await transport.failure(
        of: HTTPRequest(
          .put, server.url("slow-reader/\(id)"), body: .init(repeating: 0, count: 32 << 20),
          timeout: .seconds(2))))
    #expect(error.code == .timedOut && error.mayHaveBeenApplied)
  }

  @Test func `bounds connecting by itself, with nothing sent`() async throws {
    let error = try #require(
      await transport.failure(
        of: HTTPRequest(
          .put, "https://127.0.0.1:\(server.ports.mute)/", timeout: .seconds(86_400),
          connectTimeout: .milliseconds(300))))
    #expect(error.code == .timedOut && !error.mayHaveBeenApplied)
  }

  @Test func `holds also for a request that waits for a connection`() async throws {
    var configuration = HTTPTransport.Configuration()
    configuration.maximumConnections = 1
    let (transport, id) = (HTTPTransport(configuration), freshID())
    let blocking = Task {
      await transport.failure(
        of: HTTPRequest(.get, server.url("never/\(id)"), timeout: .seconds(86_400)))
    }
    _ = try await server.log(id, having: "waiting")
    let error = try #require(
      await transport.failure(
        of: HTTPRequest(.put, server.url("ok/\(id)"), timeout: .milliseconds(300))))
    #expect(error.code == .timedOut && !error.mayHaveBeenApplied)
    #expect(try await server.log(id) == ["waiting"])
    blocking.cancel()
    #expect(await blocking.value?.code == .cancelled)
  }

  @Test func `ends a transfer below the least speed before its own time`() async throws {
    var configuration = HTTPTransport.Configuration()
    configuration.stallTimeout = .seconds(1)
    let transport = HTTPTransport(configuration)
    let error = await transport.failure(
      of: HTTPRequest(.get, server.url("never"), timeout: .seconds(86_400)))
    #expect(error?.code == .timedOut)
  }

  @Test(arguments: [Duration.zero, .seconds(-5), .nanoseconds(1)])
  func `of nothing or less is not taken for none`(timeout: Duration) async throws {
    let request = HTTPRequest(.get, server.url("never"), timeout: timeout)
    #expect(await transport.failure(of: request)?.code == .timedOut)
  }

  @Test func `that is very long does not overflow`() async throws {
    let request = HTTPRequest(
      .get, server.url("ok"), timeout: .seconds(Int64.max), connectTimeout: .seconds(1 << 40))
    #expect(try await transport.send(request).status == 200)
  }
}

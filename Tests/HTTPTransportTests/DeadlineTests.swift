import HTTPClient
import Testing

@Suite(.process) struct `A deadline` {
  let server: HostileServer

  init() throws { server = try .running() }

  @Test(arguments: Transport.all, ["never", "trickle"])
  func `ends an exchange that the server draws out, and its connection`(
    transport: Transport, scenario: String
  ) async throws {
    let id = freshID()
    let error = try #require(
      await transport.failure(
        of: HTTPRequest(.put, server.url("\(scenario)/\(id)"), timeout: .seconds(2))))
    #expect(error.code == .timedOut && error.mayHaveBeenApplied)
    _ = try await server.log(id, having: "closed")
  }

  @Test(arguments: Transport.all) func `ends an upload that the server does not read`(
    transport: Transport
  ) async throws {
    let id = freshID()
    let error = try #require(
      await transport.failure(
        of: HTTPRequest(
          .put, server.url("slow-reader/\(id)"), body: .init(repeating: 0, count: 32 << 20),
          timeout: .seconds(2))))
    #expect(error.code == .timedOut && error.mayHaveBeenApplied)
  }

  @Test(arguments: Transport.all) func `ends a transfer below the least speed before its own time`(
    transport: Transport
  ) async throws {
    var configuration = TransportConfiguration()
    configuration.stallTimeout = .seconds(1)
    let error = await transport.make(configuration).failure(
      of: HTTPRequest(.get, server.url("never"), timeout: .seconds(86_400)))
    #expect(error?.code == .timedOut)
  }

  @Test(arguments: Transport.all, [Duration.zero, .seconds(-5), .nanoseconds(1)])
  func `of nothing or less is not taken for none`(transport: Transport, timeout: Duration)
    async throws
  {
    let request = HTTPRequest(.get, server.url("never"), timeout: timeout)
    #expect(await transport.failure(of: request)?.code == .timedOut)
  }

  @Test(arguments: Transport.all) func `that is very long does not overflow`(transport: Transport)
    async throws
  {
    let request = HTTPRequest(
      .get, server.url("ok"), timeout: .seconds(Int64.max), connectTimeout: .seconds(1 << 40))
    #expect(try await transport.send(request).status == 200)
  }
}

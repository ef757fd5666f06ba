import HTTPClient
import Testing

@testable import CurlTransport

@Suite(.process) struct `A deadline of libcurl's` {
  let server: HostileServer

  init() throws { server = try .running() }

  @Test func `is rounded up to whole milliseconds`() {
    #expect(Duration.nanoseconds(1).milliseconds == 1)
    #expect(Duration.milliseconds(2).milliseconds == 2)
    #expect((Duration.milliseconds(2) + .nanoseconds(1)).milliseconds == 3)
    #expect(Duration.seconds(3).milliseconds == 3000)
  }

  @Test func `bounds connecting by itself, with nothing sent`() async throws {
    let error = try #require(
      await CurlTransport().failure(
        of: HTTPRequest(
          .put, "https://127.0.0.1:\(server.ports.mute)/", timeout: .seconds(86_400),
          connectTimeout: .milliseconds(300))))
    #expect(error.code == .timedOut && !error.mayHaveBeenApplied)
  }

  @Test func `holds also for a request that waits for a connection`() async throws {
    var configuration = CurlTransport.Configuration()
    configuration.maximumConnections = 1
    let (transport, id) = (CurlTransport(configuration), freshID())
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
}

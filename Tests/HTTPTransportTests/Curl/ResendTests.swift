import CurlTransport
import HTTPClient
import Testing

/// libcurl repeats a request whose reused connection dies unanswered.
@Suite(.process) struct `On a reused connection that dies without an answer` {
  let server: HostileServer
  let transport = CurlTransport()

  init() throws { server = try .running() }

  @Test(arguments: [0, 100, 300_000])
  func `a PUT that may be sent once is sent once, its outcome unknown`(size: Int) async throws {
    let (id, body) = (freshID(), [UInt8](repeating: 1, count: size))
    _ = try await transport.send(HTTPRequest(.get, server.url("close-reused/\(id)")))
    let error = try #require(
      await transport.failure(
        of: HTTPRequest(
          .put, server.url("close-reused/\(id)"), body: body, sendsAtMostOnce: true)))
    #expect(error.code == .wouldResend && error.mayHaveBeenApplied)
    #expect(try await server.log(id, having: "closed") == ["GET 0", "PUT \(size)", "closed"])
  }

  @Test(arguments: [0, 100, 300_000])
  func `a PUT that may be repeated is sent twice, and the response says so`(
    size: Int
  ) async throws {
    let (id, body) = (freshID(), [UInt8](repeating: 1, count: size))
    _ = try await transport.send(HTTPRequest(.get, server.url("close-reused/\(id)")))
    let response = try await transport.send(
      HTTPRequest(.put, server.url("close-reused/\(id)"), body: body))
    #expect(response.status == 200 && response.sends == 2)
    let log = try await server.log(id, having: "closed")
    #expect(log.filter { $0 == "PUT \(size)" }.count == 2)
  }

  @Test(arguments: ["http", "https"])
  func `one that stays is used for one PUT after another`(scheme: String) async throws {
    var configuration = TransportConfiguration()
    configuration.caBundle = server.ports.ca
    let (transport, id) = (CurlTransport(configuration), freshID())
    let port = scheme == "https" ? server.ports.tls : server.ports.http
    for _ in 1...5 {
      _ = try await transport.send(
        HTTPRequest(
          .put, "\(scheme)://127.0.0.1:\(port)/ok/\(id)", body: [1], sendsAtMostOnce: true))
    }
    #expect(Set(try await server.log(id)).count == 1)
  }
}
